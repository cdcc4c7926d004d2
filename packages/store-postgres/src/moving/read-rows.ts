import { StoreOpenError } from '@holdfast/contract';
import {
  inSchema,
  type MoveFailures,
  NO_STORE,
  type Reach,
  type RequestRow,
  type RowOfWhole,
  type StoreLooks,
  type Teller,
  type WholeRows,
  type WindowRow,
} from '@holdfast/sql-store';
import type { Queries } from '../database.js';
import * as text from './read-statements.js';

/** Runs texts in which `hf.` stands for the schema. */
export type Ask = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

export function asking(queries: Queries, schema: string, failures: MoveFailures): Ask {
  return <Row>(sql: string, values: readonly unknown[] = []) =>
    failures.told(() => queries.run<Row>({ text: inSchema(sql, schema) }, values));
}

export function storeLooks(ask: Ask, location: string): StoreLooks {
  return {
    async reach() {
      const [reach] = await ask<Reach>(text.REACH);
      if (reach === undefined) throw new StoreOpenError(location, NO_STORE);
      return reach;
    },
    heldId: async () => (await ask<{ store_id: string }>(text.HOLDS))[0]?.store_id,
    wasOpened: async () => (await ask(text.WAS_OPENED)).length > 0,
    openProcess: async () => (await ask<{ host: string; pid: number }>(text.OPEN_PROCESS))[0],
    liveLease: async () => (await ask<{ worker: string; leases: number }>(text.LIVE_LEASE))[0],
    tellers: (withinMs) => ask<Teller>(text.TELLERS, [withinMs]),
    pauseAMoment: () => ask(text.PAUSE_A_MOMENT),
  };
}

export function wholeRows(ask: Ask): WholeRows {
  return {
    counts: () => ask(text.COUNT_JOBS),
    queues: () => ask(text.ALL_QUEUES),
    sizes: (after, limit) => ask(text.SIZES, [after, limit]),
    jobs: (first, last) => ask<RowOfWhole>(text.WHOLE_JOBS, [first, last]),
    attempts: (first, last) => ask(text.ATTEMPTS, [first, last]),
    notes: (first, last) => ask(text.NOTES, [first, last]),
    acts: (first, last) => ask(text.ACTS, [first, last]),
    windows: ({ queue_id, key }, limit) => ask<WindowRow>(text.WINDOWS, [queue_id, key, limit]),
    requests: (sinceMs) => ask(text.REQUESTS, [sinceMs]),
    requestsOf: (ids) => ask<RequestRow>(text.REQUESTS_OF, [ids]),
  };
}
