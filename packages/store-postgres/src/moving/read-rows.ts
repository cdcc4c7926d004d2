import { StoreOpenError } from '@holdfast/contract';
import type { StoreIdentity } from '@holdfast/contract/moving';
import {
  inSchema,
  NO_STORE,
  type RequestRow,
  type RowOfWhole,
  type WholeRows,
  type WindowRow,
} from '@holdfast/sql-store';
import type { Queries } from '../database.js';
import * as text from './read-statements.js';

/** Runs texts in which `hf.` stands for the schema. */
export type Ask = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** @param failed told of each error of the database */
export function asking(queries: Queries, schema: string, failed: (error: unknown) => void = () => {}): Ask {
  return async <Row>(sql: string, values: readonly unknown[] = []) => {
    try {
      return await queries.run<Row>({ text: inSchema(sql, schema) }, values);
    } catch (error) {
      failed(error);
      throw error;
    }
  };
}

export interface Reach {
  readonly store_id: string;
  readonly at_ms: number;
  readonly next_job_number: number;
  readonly next_token: number;
  readonly next_end_number: number;
  readonly next_process_id: number;
}

/** @throws StoreOpenError for a schema that somebody has emptied */
export async function reachOf(ask: Ask, location: string): Promise<Reach> {
  const [reach] = await ask<Reach>(text.REACH);
  if (reach === undefined) throw new StoreOpenError(location, NO_STORE);
  return reach;
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

export function wholeRows(ask: Ask, location: string): WholeRows {
  return {
    identity: async () => identityOf(await reachOf(ask, location)),
    counts: () => ask(text.COUNT_JOBS),
    queues: () => ask(text.ALL_QUEUES),
    sizes: (after, limit) => ask(text.SIZES, [after, limit]),
    jobs: (first, last) => ask<RowOfWhole>(text.WHOLE_JOBS, [first, last]),
    attempts: (first, last) => ask(text.ATTEMPTS, [first, last]),
    notes: (first, last) => ask(text.NOTES, [first, last]),
    acts: (first, last) => ask(text.ACTS, [first, last]),
    windows: (after, limit) => ask<WindowRow>(text.WINDOWS, [after, limit]),
    requests: (sinceMs) => ask(text.REQUESTS, [sinceMs]),
    requestsOf: (ids) => ask<RequestRow>(text.REQUESTS_OF, [ids]),
  };
}
