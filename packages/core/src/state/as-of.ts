import { STATE } from './job-state.js';
import type { JobTable } from './job-table.js';

/** A moment in the life of a store, for plans. */
export interface AsOf {
  readonly atMs: number;
  /** Every job that could be seen then has a lower id. */
  readonly belowId: number;
  /** Every record that was there lies before it. */
  readonly location: number;
}

const AS_OF = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/;

export function asOfText({ atMs, belowId, location }: AsOf): string {
  return [atMs, belowId, location].map((part) => part.toString(36)).join('.');
}

/** `undefined` for any other text. */
export function parseAsOf(text: string): AsOf | undefined {
  const [atMs, belowId, location] =
    text
      .match(AS_OF)
      ?.slice(1)
      .map((part) => Number.parseInt(part, 36)) ?? [];
  if (atMs === undefined || belowId === undefined || location === undefined) return undefined;
  return { atMs, belowId, location };
}

/**
 * Whether a job has been in its state ever since. The records tell, but for two things that only the clock can: that a job became due, and
 * that one changed which compaction has written again since.
 */
export function unchangedSince(table: JobTable, slot: number, asOf: AsOf): boolean {
  const { columns } = table;
  if (columns.id[slot]! >= asOf.belowId) return false;
  const state = columns.state[slot]!;
  if (state >= STATE.completed) return table.endedOrderOf(slot) < asOf.location;
  const history = columns.history[slot]!;
  const enqueued = columns.enqueueLocation[slot]!;
  const isMoved = history === enqueued;
  if (!isMoved && Math.max(history, enqueued) >= asOf.location) return false;
  const mayHaveBecomeDue = state === STATE.ready;
  return (!isMoved && !mayHaveBecomeDue) || columns.updatedAtMsOf(slot) <= asOf.atMs;
}
