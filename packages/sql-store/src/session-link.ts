import type { Queries } from './statements.js';

const SILENCE_MS_MIN = 3000;
const SILENCE_MS_MAX = 30_000;

/** A process that is busy for a moment is not silent, and nobody waits for a new leader for longer than half a minute. */
export function silenceMsOf(callTimeoutMs: number): number {
  return Math.min(SILENCE_MS_MAX, Math.max(SILENCE_MS_MIN, callTimeoutMs));
}

/** How one kind of database keeps a connection for a process. */
export interface SessionLink {
  /** A connection on which nothing was heard for so long is ended by both sides: by the process, and by the server, which then frees its locks. */
  readonly silenceMs: number;
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
  /** Asks for an answer, whatever it is. @throws where the connection is dead */
  ping(): Promise<unknown>;
  /** Tells all who listen, this process too. Absent where the database has no way to. */
  readonly tell?: (message: string) => Promise<unknown>;
  /** The process closes. */
  leave(): Promise<unknown>;
  end(): void;
}
