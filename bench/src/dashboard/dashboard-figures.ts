import { setTimeout as delay } from 'node:timers/promises';
import type { JobsAnswer } from '@holdfast/contract';
import type { Child } from '../child.js';
import { percentile } from '../statistics.js';
import type { ApiClient } from './api-client.js';
import type { Answer, Order } from './measured-app.js';
import type { DashboardsAnswer } from './open-dashboards.js';

export type App = Child<Order, Answer>;
export type Dashboards = Child<'open' | 'close', DashboardsAnswer>;

/** Requests of one figure in one round. */
const REQUESTS = 300;
/** Of each page of a list: a 99th percentile of fewer is the story of two or three slow moments. */
const PAGE_REQUESTS = 1000;
/** Before those that count. */
const WARMING_REQUESTS = 100;
const BIG_REQUESTS = 20;
const OWN_LOOKS = 40;
/** As docs/admin-api.md says it. */
const LOOK_SHARED_MS = 500;
const SETTLE_MS = 500;

/** One question for a list, and where its deep page begins. */
export interface ListQuestion {
  readonly title: string;
  readonly query: string;
  readonly pageNumber: number;
  readonly cursor: string;
}

/** What every request took, in milliseconds. */
export interface ListFigures {
  readonly first: readonly number[];
  readonly deep: readonly number[];
  readonly bytes: number;
}

/** Walks to the page that begins behind so many jobs. */
export async function deepPage(api: ApiClient, title: string, query: string, skip: number): Promise<ListQuestion> {
  let cursor = '';
  let walked = 0;
  while (walked < skip) {
    const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await api.json<JobsAnswer>(`jobs?limit=${Math.min(200, skip - walked)}${query}${from}`);
    walked += page.rows.length;
    if (page.next === undefined) throw new Error(`${title} has only ${walked} jobs.`);
    cursor = page.next;
  }
  return { title, query, pageNumber: walked / 50 + 1, cursor: encodeURIComponent(cursor) };
}

/** Both pages in turns, so that a slow moment of the machine does not hit one of them alone. */
export async function listFigures(api: ApiClient, { query, cursor }: ListQuestion): Promise<ListFigures> {
  const first: number[] = [];
  const deep: number[] = [];
  let bytes = 0;
  for (let turn = 0; turn < WARMING_REQUESTS + PAGE_REQUESTS; turn++) {
    const onFirst = await api.timed(`jobs?limit=50${query}`);
    const onDeep = await api.timed(`jobs?limit=50${query}&cursor=${cursor}`);
    if (turn < WARMING_REQUESTS) continue;
    first.push(onFirst.ms);
    deep.push(onDeep.ms);
    bytes = Math.max(bytes, onFirst.bytes);
  }
  return { first, deep, bytes };
}

export interface OverviewFigures {
  /** One after the other, which share a look at the counters as many dashboards do. */
  readonly sharedP95Ms: number;
  /** With so much time between that each looks for itself. */
  readonly ownP95Ms: number;
  readonly bytes: number;
}

export async function overviewFigures(api: ApiClient): Promise<OverviewFigures> {
  const shared: number[] = [];
  const own: number[] = [];
  let bytes = 0;
  for (let turn = 0; turn < REQUESTS; turn++) shared.push((await api.timed('overview')).ms);
  for (let turn = 0; turn < OWN_LOOKS; turn++) {
    await delay(LOOK_SHARED_MS + 20);
    const answer = await api.timed('overview');
    own.push(answer.ms);
    bytes = Math.max(bytes, answer.bytes);
  }
  return { sharedP95Ms: percentile(shared, 0.95), ownP95Ms: percentile(own, 0.95), bytes };
}

export interface BigJobFigures {
  readonly detailP95Ms: number;
  readonly detailBytes: number;
  /** The whole payload, as a file. */
  readonly fileP95Ms: number;
  /** For how long the application could do nothing else. */
  readonly loopBlockedMs: number;
}

export async function bigJobFigures(app: App, api: ApiClient, id: string): Promise<BigJobFigures> {
  await app.told({ kind: 'watchLoop' });
  const details: number[] = [];
  const files: number[] = [];
  let bytes = 0;
  for (let turn = 0; turn < BIG_REQUESTS; turn++) {
    const detail = await api.timed(`jobs/${encodeURIComponent(id)}`);
    details.push(detail.ms);
    bytes = detail.bytes;
    files.push((await api.timed(`jobs/${encodeURIComponent(id)}/payload`)).ms);
  }
  const loopBlockedMs = await value(app, { kind: 'loopBlockedMs' });
  return {
    detailP95Ms: percentile(details, 0.95),
    detailBytes: bytes,
    fileP95Ms: percentile(files, 0.95),
    loopBlockedMs,
  };
}

/** Ten dashboards of an application that has nothing else to do: percent of one processor. */
export async function idleCostPercent(app: App, dashboards: Dashboards, forMs: number): Promise<number> {
  await dashboards.told('open');
  await delay(SETTLE_MS);
  const before = await value(app, { kind: 'processorMs' });
  const startMs = performance.now();
  await delay(forMs);
  const usedMs = (await value(app, { kind: 'processorMs' })) - before;
  const percent = (usedMs * 100) / (performance.now() - startMs);
  await dashboards.told('close');
  return percent;
}

async function value(app: App, order: Order): Promise<number> {
  const answer = await app.told(order);
  if (!('value' in answer)) throw new Error('The application answered something else.');
  return answer.value;
}
