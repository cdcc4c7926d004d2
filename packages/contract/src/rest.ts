/**
 * What the admin controller and the dashboard say to each other, under `<mount>/api/v1`. JSON; ids and sequence numbers
 * are strings, times are epoch milliseconds. docs/admin-api.md describes every route.
 */

import type { JobDetail, JobId, JobRow } from './job.js';
import type { ActOutcome, JobFilter, LeaseExpiry, LeaseRow, QueueSummary } from './job-store.js';
import type { StorageReport, StoreHealth, StoreMetrics } from './store-report.js';

/** What a person may do: look; look and mend; everything. Each role holds the ones before it. */
export type AdminRole = 'viewer' | 'operator' | 'admin';

/** Every answer carries the server's clock, so that ages and countdowns do not depend on the browser's. */
export interface ServerTime {
  readonly serverTimeMs: number;
}

/** GET meta */
export interface MetaAnswer extends ServerTime {
  readonly version: string;
  readonly role: AdminRole;
  readonly actor: string;
  /** Shown as a badge, so that nobody takes production for a playground. */
  readonly environment?: { readonly label: string; readonly tone: 'neutral' | 'caution' | 'danger' };
}

/** GET overview */
export interface OverviewAnswer extends ServerTime {
  readonly health: StoreHealth;
  readonly queues: readonly QueueSummary[];
}

/** GET jobs?state&queue&name&limit&cursor */
export interface JobsQuery extends JobFilter {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface JobsAnswer extends ServerTime {
  readonly rows: readonly JobRow[];
  readonly next?: string;
  readonly total: { readonly value: number; readonly relation: 'exact' | 'atLeast' };
}

/** A payload or result as text: as it is, or base64 of its bytes. */
export interface PayloadText {
  readonly encoding: 'text' | 'base64';
  readonly text: string;
  /** Of the whole payload; `text` holds less when `truncated`. */
  readonly bytes: number;
  readonly truncated: boolean;
}

/** GET jobs/:id */
export interface JobAnswer extends ServerTime {
  readonly job: Omit<JobDetail, 'payload' | 'result'> & {
    readonly payload: PayloadText;
    readonly result?: PayloadText;
  };
}

/** GET leases */
export interface LeasesAnswer extends ServerTime {
  readonly leases: readonly LeaseRow[];
  readonly expiries: readonly LeaseExpiry[];
}

/** GET storage */
export interface StorageAnswer extends ServerTime {
  readonly health: StoreHealth;
  readonly report: StorageReport;
  readonly metrics: StoreMetrics;
}

/** POST redrives: jobs by id, or all dead ones (of one queue). Needs the role operator. */
export type RedrivesBody =
  | { readonly ids: readonly JobId[]; readonly reason?: string }
  | { readonly allDead: { readonly queue?: string }; readonly reason?: string };

export interface RedrivesAnswer extends ServerTime {
  readonly outcome: ActOutcome;
}

/** Every error answer: RFC 9457 problem details, with a stable code and an id that is in the server's log too. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
  /** The query parameter or body field that was refused, such as `limit` or `ids.3`; present on 400 where there is one. */
  readonly field?: string;
}
