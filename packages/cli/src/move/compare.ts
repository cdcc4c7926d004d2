import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JobState } from '@holdfast/contract';
import type { JobCounts, MovedKey, MovedRequest, StoreContents, WholeJob } from '@holdfast/contract/moving';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import { formatId, storeTag } from '@holdfast/core/records';

/** What is about to end may be gone from one of the stores already. */
const SOON_MS = 3_600_000;

/** In what a copy differs from the store that it was made of. */
export class CopyDiffersError extends Error {
  override readonly name = 'CopyDiffersError';
}

export interface Comparison {
  readonly counts: JobCounts;
  readonly jobs: number;
  /** Jobs of which the copy keeps less history. */
  readonly cutHistories: number;
}

/** Compares all that two stores hold, job by job. @throws CopyDiffersError that names the first difference */
export async function compareStores(
  source: StoreContents,
  copy: StoreContents,
  nowMs: number,
  compared: (jobs: number) => void,
): Promise<Comparison> {
  const counts = await source.counts();
  requireSame('the numbers of jobs by queue and state', countsOf(counts), countsOf(await copy.counts()));
  requireSame('the queues and their pauses', await queuesOf(source, nowMs), await queuesOf(copy, nowMs));
  const tag = storeTag(Buffer.from(source.identity.storeId, 'hex'));
  const others = eachJob(copy);
  let jobs = 0;
  let cutHistories = 0;
  for await (const job of eachJob(source)) {
    const { value: other } = await others.next();
    if (requireSameJob(job, other, formatId(tag, job.number))) cutHistories++;
    compared(++jobs);
  }
  const { value: extra } = await others.next();
  if (extra !== undefined) throw new CopyDiffersError(`The copy has a job ${formatId(tag, extra.number)} too many.`);
  if (total(counts) !== jobs) throw new CopyDiffersError(`The source counts ${total(counts)} jobs, but holds ${jobs}.`);
  await compareRest('a dedupe key', source.keys(), copy.keys(), ({ untilMs }) => untilMs > nowMs + SOON_MS);
  const since = nowMs - STORE_LIMITS.requestKeptMs + SOON_MS;
  await compareRest('a request id', source.requests(), copy.requests(), ({ atMs }) => atMs > since);
  return { counts, jobs, cutHistories };
}

export function total(counts: JobCounts): number {
  let sum = 0;
  for (const states of counts.values()) for (const count of Object.values(states)) sum += count;
  return sum;
}

/** Queues without a job are not counted. */
function countsOf(counts: JobCounts): [string, Record<JobState, number>][] {
  const held = [...counts].filter(([, states]) => Object.values(states).some((count) => count > 0));
  return held.map(([queue, states]): [string, Record<JobState, number>] => [queue, { ...states }]).sort(byName);
}

async function queuesOf(store: StoreContents, nowMs: number): Promise<[string, unknown][]> {
  const queues = await store.queues();
  const ended = (untilMs: number | undefined) => untilMs !== undefined && untilMs <= nowMs;
  return queues
    .map(({ name, pause }): [string, unknown] => [name, ended(pause?.untilMs) ? undefined : pause])
    .sort(byName);
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

async function* eachJob(store: StoreContents): AsyncGenerator<WholeJob, undefined> {
  for await (const jobs of store.jobs()) yield* jobs;
  return undefined;
}

/** @returns whether the copy keeps less of its history */
function requireSameJob(job: WholeJob, other: WholeJob | undefined, id: string): boolean {
  if (other === undefined) throw new CopyDiffersError(`The copy lacks the job ${id}.`);
  if (isDeepStrictEqual(job, other)) return false;
  const parts = ({ attemptLog, acts }: WholeJob) => attemptLog.length + acts.length;
  const isCut = other.historyCut && parts(other) < parts(job);
  // That something was left out before is not known everywhere.
  const expected = { ...(isCut ? cutAs(job, other) : job), historyCut: other.historyCut };
  for (const field of new Set([...Object.keys(expected), ...Object.keys(other)]) as Set<keyof WholeJob>) {
    requireSame(`the field ${field} of job ${id}`, expected[field], other[field]);
  }
  return isCut;
}

/** The job with no more history than the other one. Who cloned it is no part of that. */
function cutAs(job: WholeJob, { attemptLog, acts }: WholeJob): WholeJob {
  const clones = job.acts.filter(({ act }) => act === 'clone');
  const others = job.acts.filter(({ act }) => act !== 'clone');
  const kept = acts.length - clones.length;
  return {
    ...job,
    attemptLog: job.attemptLog.slice(job.attemptLog.length - attemptLog.length),
    acts: [...clones, ...others.slice(others.length - kept)],
  };
}

function requireSame(what: string, one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other)) throw new CopyDiffersError(`The copy differs from the source in ${what}.`);
}

/** What lasts must be in both; the copy must not hold anything that the source does not. */
async function compareRest<Item extends MovedKey | MovedRequest>(
  what: string,
  source: AsyncIterable<readonly Item[]>,
  copy: AsyncIterable<readonly Item[]>,
  lasts: (item: Item) => boolean,
): Promise<void> {
  const expected = new Map<string, boolean>();
  for await (const items of source) for (const item of items) expected.set(digest(item), lasts(item));
  for await (const items of copy) {
    for (const item of items) {
      if (!expected.delete(digest(item)))
        throw new CopyDiffersError(`The copy has ${what} that the source does not have.`);
    }
  }
  if ([...expected.values()].includes(true)) throw new CopyDiffersError(`The copy lacks ${what}.`);
}

function digest(item: MovedKey | MovedRequest): string {
  const fields = 'answers' in item ? [item.id, item.fingerprint, item.atMs, item.answers.map(answerOf)] : keyOf(item);
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64');
}

function answerOf({ id, state, outcome }: MovedRequest['answers'][number]) {
  return [id, state, outcome];
}

function keyOf({ queue, key, number, untilMs }: MovedKey) {
  return [queue, key, number, untilMs];
}
