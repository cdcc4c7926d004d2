import type { PayloadCodec } from '../queue/payload-codec.js';
import type { OutboxRowRefusedError } from './outbox-errors.js';

/** A job that the application's database keeps until it is in the queue. */
export interface OutboxRow {
  /** Under which it is enqueued, however often: at most 200 bytes. */
  readonly requestId: string;
  readonly name: string;
  /** What the outbox's codec made of the payload. */
  readonly payload: string;
  /** JSON of JobOptions; `undefined` where nothing was said. */
  readonly options: string | undefined;
}

/** The rows that the queue does not take as they are; all others are stored, durably. */
export type Refusals = ReadonlyMap<OutboxRow, OutboxRowRefusedError>;

/** Where jobs wait, as a relay sees it. */
export interface Outbox {
  /** Reads the payloads of its rows. */
  readonly codec: PayloadCodec;

  /**
   * Hands at most `rowsMax` rows to `store`, in the order in which they were written, but for those that somebody else is carrying or that were refused. Those
   * that `store` has answered are removed, or marked as refused, all in one transaction. Where `store` is rejected, all are left as they are.
   * @returns how many rows it has handed over
   */
  carry(rowsMax: number, store: (rows: readonly OutboxRow[]) => Promise<Refusals>): Promise<number>;

  /** Rows that were refused are handed over again, once. */
  retryRefused(): Promise<void>;
}
