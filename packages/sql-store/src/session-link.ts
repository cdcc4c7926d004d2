import type { Queries } from './statements.js';

/** How one kind of database keeps a connection for a process. */
export interface SessionLink {
  /** @throws what the driver throws; nothing is left open then */
  connect(processId: number, listener: SessionListener): Promise<SessionConnection>;
}

export interface SessionListener {
  /** The connection is gone, told at least once. */
  readonly lost: (error?: unknown) => void;
  /** Another process told this. */
  readonly heard: (message: string) => void;
}

/** Holds the lock of the process until it ends, in whatever way: a process whose lock is free did not close. */
export interface SessionConnection {
  /** How many processes were found that had ended without closing. */
  readonly lostProcesses: number;
  /** For what must not wait for a connection of the pool. */
  readonly queries: Queries;
  /** Takes the lock of the leader, unless another process has it. It ends with the connection. */
  leads(): Promise<boolean>;
  /** @throws where the connection is dead */
  ping(): Promise<unknown>;
  /** Tells all who listen, this process too. Absent where the database has no way to. */
  readonly tell?: (message: string) => Promise<unknown>;
  /** The process closes. */
  leave(): Promise<unknown>;
  end(): void;
}
