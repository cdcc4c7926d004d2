import type { JobSpec, KnownJob, OpenCall, Stand } from './known-job.js';
import type { Ledger, OpenEnqueue } from './ledger.js';
import { UNREADABLE } from './silent-ends.js';
import type { Loss } from './sim-world.js';
import type { StoreView, ViewedJob } from './store-view.js';

/** What an open found, and after what. */
export interface Reopened {
  readonly view: StoreView;
  readonly loss: Loss;
  /** The latest that the wall clock has shown. */
  readonly latestWallMs: number;
  /** The payload of a job that the ledger does not know. */
  payloadOf(id: number): string;
}

/** An open found this: is everything there that was promised, and nothing else? Changes nothing. */
export function checkReopened(ledger: Ledger, found: Reopened): Map<number, OpenEnqueue> {
  const { checks } = ledger;
  const { view, loss } = found;
  const { foundSeq } = view;
  const floor = ledger.durableSeq - 1;
  checks.that(17, foundSeq >= floor, () => `commit ${foundSeq} is the last, and ${floor} was durable`);
  for (const job of ledger.jobs.values()) {
    const last = job.now;
    const isKept = loss === 'unsynced' || last.seq <= foundSeq || last.seq <= ledger.durableSeq;
    checks.that(
      11,
      isKept,
      () => `job ${job.id} is taken back to commit ${foundSeq}, but nothing else than the process ended`,
    );
    checkJob(ledger, job, found);
  }
  for (const queue of new Set([...ledger.paused.keys(), ...view.pauses.keys()])) checkPause(ledger, queue, found);
  return checkUnknown(ledger, found);
}

function checkPause({ checks, paused }: Ledger, queue: string, { view, latestWallMs }: Reopened): void {
  const known = paused.get(queue);
  if (known === 'open') return;
  const shown = view.pauses.get(queue);
  const isPaused = shown !== undefined;
  // A pause that has ended by itself holds again where the clock was set back since.
  const mayHaveEnded = [known, shown].some((pause) => (pause?.untilMs ?? Number.POSITIVE_INFINITY) <= latestWallMs);
  const say = () => `${queue} is ${isPaused ? '' : 'not '}paused, but an operator was told otherwise`;
  checks.that(24, isPaused === (known !== undefined) || mayHaveEnded, say);
}

function checkJob(ledger: Ledger, job: KnownJob, found: Reopened): void {
  const { view, latestWallMs } = found;
  const { checks } = ledger;
  const { id, spec } = job;
  const row = view.jobs.get(id);
  const left = job.at(Math.max(view.foundSeq, ledger.durableSeq));
  const stand = asOpened(job, left);
  const say = () =>
    `job ${id} was ${stand.state} after ${stand.attempts} attempts, and is ${row?.state} after ${row?.attempts} (commit ${view.foundSeq}; open: ${job.openCalls.join()}; ${JSON.stringify(job.stands)} durable ${ledger.durableSeq} ${found.loss})`;
  if (job.vagueUpToSeq > view.foundSeq) {
    checks.that(1, row !== undefined || mayVanish(job, job.now), say);
    return;
  }
  const isOver = (spec.expiresAtMs ?? Number.POSITIVE_INFINITY) <= latestWallMs && stand.state === 'waiting';
  checks.that(job.answered ? 1 : 3, row !== undefined || mayVanish(job, stand) || isOver, say);
  if (row === undefined) return;
  // A transfer that has no answer yet may be on the disk or not.
  const queue = job.openCalls.includes('transfer') ? row.queue : job.queue;
  const text = [row.queue, row.name, row.maxAttempts, row.payloadBytes];
  const wanted = [queue, spec.name, spec.maxAttempts, Buffer.byteLength(spec.payload)];
  checks.that(2, String(text) === String(wanted), () => `job ${id} is ${String(text)}, not ${String(wanted)}`);
  checks.that(5, row.state !== 'leased', () => `job ${id} is leased after an open`);
  const calls = job.openCalls;
  checks.that(4, stand.state !== 'completed' || row.state === 'completed', say);
  checks.that(24, stand.state !== 'removed', say);
  checks.that(24, stand.state !== 'cancelled' || row.state === 'cancelled', say);
  checks.that(24, row.state !== 'cancelled' || stand.state === 'cancelled' || isOver || calls.includes('cancel'), say);
  checks.that(21, row.state !== 'completed' || stand.state === 'completed' || calls.includes('ack'), say);
  const isMoved = calls.includes('redrive') || (left.state === 'leased' && calls.length > 0);
  checks.that(9, stand.state !== 'dead' || row.state === 'dead' || isMoved, say);
  checkDeath(ledger, job, stand, row, say);
  checkAttempts(ledger, job, stand, row, say);
}

function checkDeath(
  { checks, openClaims }: Ledger,
  { spec, openCalls }: KnownJob,
  stand: Stand,
  row: ViewedJob,
  say: () => string,
): void {
  if (row.state !== 'dead' || stand.state === 'dead' || row.lastError?.class === UNREADABLE) return;
  const isLast = row.attempts === spec.maxAttempts && (openClaims > 0 || openCalls.includes('fail'));
  checks.that(9, isLast || openCalls.includes('fail'), say);
}

function checkAttempts(
  { checks, openClaims }: Ledger,
  { openCalls }: KnownJob,
  stand: Stand,
  row: ViewedJob,
  say: () => string,
): void {
  const least = openCalls.includes('redrive') ? 0 : stand.attempts - (openCalls.includes('release') ? 1 : 0);
  const isUnread = row.lastError?.class === UNREADABLE;
  const most = stand.attempts + (openClaims > 0 || isUnread ? 1 : 0);
  checks.that(8, row.attempts >= least && row.attempts <= most, say);
}

/** A lease does not outlive its process: the attempt has ended. */
function asOpened({ spec }: KnownJob, stand: Stand): Stand {
  if (stand.state !== 'leased') return stand;
  const { maxAttempts } = spec;
  return { ...stand, state: maxAttempts !== null && stand.attempts >= maxAttempts ? 'dead' : 'waiting' };
}

const ENDS: readonly OpenCall[] = ['ack', 'cancel', 'remove'];

/** Ended jobs are remembered up to a number; others go only if somebody said so. */
function mayVanish({ openCalls }: KnownJob, { state }: Stand): boolean {
  if (state === 'removed' || state === 'completed' || state === 'cancelled') return true;
  return openCalls.some((call) => ENDS.includes(call));
}

/** Jobs that the ledger has no answer for: of an enqueue that was under way, all together, once. */
function checkUnknown(ledger: Ledger, { view, payloadOf, latestWallMs }: Reopened): Map<number, OpenEnqueue> {
  const { checks, openEnqueues, never } = ledger;
  const met = new Map<number, OpenEnqueue>();
  const seen = new Set<string>();
  for (const [id, row] of view.jobs) {
    if (ledger.jobs.has(id)) continue;
    const payload = payloadOf(id);
    checks.that(21, !never.has(payload), () => `job ${id} (${payload}) was rejected, or had not been there before`);
    checks.that(21, !seen.has(payload), () => `payload ${payload} is there twice`);
    seen.add(payload);
    const open = [...openEnqueues].find(({ specs }) => specs.some((spec) => spec.payload === payload));
    checks.that(2, open !== undefined, () => `job ${id} (${payload}) was never enqueued`);
    const spec = open!.specs.find((one) => one.payload === payload)!;
    const text = [row.queue, row.name, row.priority, row.maxAttempts];
    const wanted = [spec.queue, spec.name, spec.priority, spec.maxAttempts];
    checks.that(2, String(text) === String(wanted), () => `job ${id} is ${String(text)}, not ${String(wanted)}`);
    checks.that(7, id > ledger.highestId || open!.isOver, () => `id ${id} is used again`);
    met.set(id, open!);
  }
  for (const open of new Set(met.values())) {
    // One that nobody could start in time may have been cancelled and forgotten before its enqueue was answered.
    const isOver = ({ expiresAtMs }: JobSpec) => (expiresAtMs ?? Number.POSITIVE_INFINITY) <= latestWallMs;
    const missing = open.specs.filter((spec) => !seen.has(spec.payload) && !isOver(spec)).length;
    const say = () => `${missing} of ${open.specs.length} jobs of one enqueue are not there, and others are`;
    checks.that(17, missing === 0, say);
  }
  return met;
}

/** What the open found is how things are from now on: nothing that it shows may be lost. */
export function adoptReopened(ledger: Ledger, found: Reopened): void {
  const met = checkReopened(ledger, found);
  const { view } = found;
  const seq = view.foundSeq;
  for (const [id, open] of met) {
    const spec = open.specs.find(({ payload }) => payload === found.payloadOf(id))!;
    const job = ledger.knowSeen(id, spec, open, seq);
    ledger.openEnqueues.delete(open);
    job.answered = false;
  }
  for (const job of ledger.jobs.values()) adoptJob(job, view.jobs.get(job.id), seq);
  ledger.closeOpenEnqueues();
  ledger.paused.clear();
  for (const [queue, { untilMs }] of view.pauses) ledger.paused.set(queue, { untilMs });
  ledger.openClaims = 0;
  ledger.durableSeq = seq;
}

function adoptJob(job: KnownJob, row: ViewedJob | undefined, seq: number): void {
  const before = job.now;
  const state = row === undefined ? 'removed' : row.state;
  const attempts = row?.attempts ?? before.attempts;
  job.stands = [{ seq, state, attempts }];
  if (job.openCalls.length > 0) job.ordered = false;
  job.openCalls = [];
  job.vagueUpToSeq = 0;
  if (row === undefined) return;
  const hadRun = before.attempts > 0 || attempts > 0;
  if (hadRun) job.repeat = 'process ended';
  job.priority = row.priority;
  job.queue = row.queue;
  job.runAtMs = row.runAtMs;
  job.wasDue = row.shown === 'ready';
  job.expiresAtMs = row.expiresAtMs;
  job.wasOffered = false;
}
