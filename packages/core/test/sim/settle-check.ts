import type { JobDetail, SettleAnswer } from '@holdfast/contract';
import type { CheckedNote } from '@holdfast/contract/rules';
import type { Moment } from './delivery-check.js';
import type { KnownJob, OpenCall } from './known-job.js';
import type { Ledger } from './ledger.js';
import { UNREADABLE } from './silent-ends.js';

export const BACKOFF_MS = 700;

export type SettleCall =
  | { readonly kind: 'ack' }
  | { readonly kind: 'fail'; readonly then: 'backoff' | 'dead' | { readonly retryInMs: number } }
  | { readonly kind: 'release'; readonly delayMs: number }
  | { readonly kind: 'extend'; readonly leaseMs: number }
  | { readonly kind: 'note'; readonly note: CheckedNote };

const ACTS: readonly OpenCall[] = ['cancel', 'remove', 'redrive'];

/** A call with a token was answered: was it the live lease's, and only then `ok`? */
export function settled(
  ledger: Ledger,
  id: number,
  token: number,
  call: SettleCall,
  answer: SettleAnswer,
  at: Moment,
): void {
  const { checks } = ledger;
  const job = ledger.jobs.get(id);
  const isVague = job !== undefined && job.vagueUpToSeq >= at.seq;
  const isLive = job?.now.state === 'leased' && job.token === token;
  const isRepeat = call.kind === 'ack' && job?.now.state === 'completed' && job.token === token;
  checks.that(
    5,
    answer !== 'ok' || isLive || isRepeat || isVague,
    () => `${call.kind} of job ${id} passes with a token that is not its lease's`,
  );
  const isDoubtful = isVague || (job?.openCalls.some((open) => ACTS.includes(open)) ?? false);
  const say = () => `the lease of job ${id} is gone ${(job?.deadlineMs ?? 0) - at.monotonicMs} ms before its end`;
  checks.that(16, answer === 'ok' || !isLive || isDoubtful, say);
  if (answer === 'ok' && isLive && job !== undefined) apply(job, call, at);
}

function apply(job: KnownJob, call: SettleCall, at: Moment): void {
  const { attempts } = job.now;
  if (call.kind === 'extend') job.deadlineMs = at.monotonicMs + call.leaseMs;
  else if (call.kind === 'note') return;
  else if (call.kind === 'ack') job.change(at.seq, 'completed', attempts);
  else if (call.kind === 'fail') attemptEnded(job, call.then, 'failed', at);
  else {
    job.change(at.seq, 'waiting', attempts - 1);
    job.runAtMs = at.wallMs + call.delayMs;
    job.repeat = 'released';
  }
}

type Ending = Extract<SettleCall, { kind: 'fail' }>['then'];

function attemptEnded(job: KnownJob, then: Ending, reason: 'failed' | 'expired', at: Moment): void {
  const { attempts } = job.now;
  const { maxAttempts } = job.spec;
  const isDead = then === 'dead' || (maxAttempts !== null && attempts >= maxAttempts);
  job.change(at.seq, isDead ? 'dead' : 'waiting', attempts);
  job.runAtMs = at.wallMs + (typeof then === 'object' ? then.retryInMs : BACKOFF_MS);
  job.repeat = reason;
}

/** The application has answered, and leases that were past their deadline when it was asked have ended, each as a failure. */
export function leasesExpired(ledger: Ledger, askedMs: number, at: Moment): number {
  const over = ledger.leased.filter(({ deadlineMs }) => deadlineMs <= askedMs);
  for (const job of over) {
    // An act without an answer may have ended it before.
    if (!job.openCalls.some((open) => ACTS.includes(open))) attemptEnded(job, 'backoff', 'expired', at);
    else {
      job.vagueUpToSeq = Number.POSITIVE_INFINITY;
      job.repeat = 'expired';
    }
  }
  return over.length;
}

/** States in which a call may leave a job. */
const AFTER: Record<OpenCall, readonly (JobDetail['state'] | undefined)[]> = {
  ack: ['completed'],
  fail: ['scheduled', 'ready', 'dead'],
  release: ['scheduled', 'ready'],
  cancel: ['cancelled', undefined],
  remove: [undefined],
  runNow: ['scheduled', 'ready'],
  reprioritise: ['scheduled', 'ready'],
  transfer: ['scheduled', 'ready'],
  redrive: ['ready'],
};

/** An act was answered; the store shows the job as `found` now. */
export function acted(
  ledger: Ledger,
  job: KnownJob,
  call: OpenCall,
  done: number,
  found: JobDetail | undefined,
  at: Moment,
): void {
  ledger.end(job, call);
  const { checks } = ledger;
  const isFinal = call === 'cancel' || call === 'remove';
  const hasEnded = found === undefined || found.state === 'cancelled';
  const say = () => `${call} of job ${job.id} was done, and it is ${found?.state}`;
  checks.that(24, !isFinal || done === 0 || hasEnded, say);
  if (call === 'redrive' && done > 0) job.repeat = 'redriven';
  if (done > 0) job.ordered = false;
  const isOpen = job.openCalls.length > 0;
  const before = job.now;
  const state = standingOf(found?.state);
  const isUnchanged = state === before.state || (found === undefined && isForgettable(before.state));
  const isExpired = state === 'cancelled' && job.expiresAtMs !== undefined;
  // A waiting claim has got it in this very turn, or could not read it, and is answered next.
  const isClaimed = ledger.openClaims > 0 && (state === 'leased' || found?.lastError?.class === UNREADABLE);
  const isUnclear = isOpen || isClaimed || job.vagueUpToSeq > 0;
  const isExplained = isUnchanged || isExpired || isUnclear || AFTER[call].includes(found?.state);
  checks.that(24, isExplained, () => `job ${job.id} was ${before.state}, and after ${call} it is ${found?.state}`);
  job.stands = [{ seq: ledger.durableSeq, state, attempts: found?.attempts ?? before.attempts }];
  job.vagueUpToSeq = isOpen ? Number.POSITIVE_INFINITY : at.seq;
  if (found === undefined) return;
  job.runAtMs = found.state === 'ready' ? Math.min(found.runAtMs, at.wallMs) : found.runAtMs;
  job.priority = found.priority;
  job.queue = found.queue;
}

function isForgettable(state: string): boolean {
  return state === 'completed' || state === 'cancelled';
}

function standingOf(state: JobDetail['state'] | undefined) {
  if (state === undefined) return 'removed';
  return state === 'scheduled' || state === 'ready' ? 'waiting' : state;
}
