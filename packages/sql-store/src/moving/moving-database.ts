import type { StoreIdentity } from '@holdfast/contract/moving';
import type { WholeRows, WholeTables } from './movable-rows.js';

/** How far a store has counted: what it gives out next. Not as of the moment of a transaction, but as of now. */
export interface Reach {
  readonly store_id: string;
  readonly at_ms: number;
  readonly next_job_number: number;
  readonly next_token: number;
  readonly next_end_number: number;
  readonly next_process_id: number;
}

/** A process that told of its workers. */
export interface Teller {
  readonly process_id: number;
  readonly told_at_ms: number;
  readonly ago_ms: number;
}

/** What is asked of a store to find out whether it can be moved. */
export interface StoreLooks {
  /** @throws StoreOpenError for a schema that somebody has emptied */
  reach(): Promise<Reach>;
  /** The id of a store that holds anything. */
  heldId(): Promise<string | undefined>;
  /** A process that keeps no session is seen by nothing else while it has an empty store open. */
  wasOpened(): Promise<boolean>;
  /** A process that has the store open. Those that have ended without closing hold no lock. */
  openProcess(): Promise<{ readonly host: string; readonly pid: number } | undefined>;
  liveLease(): Promise<{ readonly worker: string; readonly leases: number } | undefined>;
  /** Who told of workers within so long. Processes that are known to have ended are none of them. */
  tellers(withinMs: number): Promise<readonly Teller[]>;
  pauseAMoment(): Promise<unknown>;
}

/** A store in a transaction that nobody disturbs. */
export interface HeldStore {
  readonly looks: StoreLooks;
  readonly rows: WholeRows;
}

export interface HeldTarget extends HeldStore {
  tables(atMs: number): WholeTables;
}

/** One kind of database, with a store that is moved or moved to. Each call is told as `MoveFailures` tells it. */
export interface MovingDatabase {
  /** For messages: without a password, with the schema. */
  readonly location: string;
  readonly looks: StoreLooks;
  /** The same text for two names of one schema. */
  place(): Promise<string>;
  /** Whether the schema holds a store of this version. */
  isThere(): Promise<boolean>;
  /** @throws StoreOpenError where there is no store that could be read */
  requireStore(): Promise<void>;
  /** Makes the tables. @throws StoreOpenError where the server could not keep the promises of a store */
  make(): Promise<void>;
  /** From the beginning to the end of the work nobody opens the store or changes it. @throws MoveRefusedError while it is used */
  reading<Answer>(work: (store: HeldStore) => Promise<Answer>): Promise<Answer>;
  /** What the work writes is there when it has ended, or never; nobody opens the store meanwhile. @throws MoveRefusedError while it is used */
  writing<Answer>(work: (store: HeldTarget) => Promise<Answer>): Promise<Answer>;
  end(): Promise<void>;
}

export function identityOf(reach: Reach): StoreIdentity {
  return {
    storeId: reach.store_id,
    nextNumber: reach.next_job_number,
    nextToken: reach.next_token,
    nextEnd: reach.next_end_number,
    // Jobs rank by the clock of the database, and what comes later does so by another one.
    rankFloorMs: reach.at_ms,
  };
}
