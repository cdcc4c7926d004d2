import type { RetentionOptions } from '@holdfast/contract';
import type { SqlStore } from '@holdfast/sql-store';

/** A transaction of the caller's that is open, on a connection that ends with it. */
export interface OpenTransaction<Transaction> {
  readonly transaction: Transaction;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export interface TrialOptions {
  /** Another way to the server. */
  readonly connectionString?: string;
  readonly callTimeoutMs?: number;
  readonly session?: boolean;
  readonly pollMs?: number;
  readonly sweepMs?: number;
  readonly retention?: RetentionOptions;
}

/** A place of its own on a server, in which a store is opened again and again. */
export interface TrialRig<Transaction> {
  /** Of the server. */
  readonly url: string;
  /** One more process, as it were. */
  open(options?: TrialOptions): Promise<SqlStore<Transaction>>;
  begin(): Promise<OpenTransaction<Transaction>>;
  /** How many processes lead: none, or one. */
  leaders(): Promise<number>;
  /** The same store for a Nest application, at this address. */
  source(url?: string): { readonly location: string; open(): Promise<SqlStore<Transaction>> };
}

/** Registers a test that gets a rig of its own, or one that was emptied, and is skipped with a reason where no server answers. */
export type OverRig<Transaction> = (name: string, test: (rig: TrialRig<Transaction>) => Promise<void>) => void;
