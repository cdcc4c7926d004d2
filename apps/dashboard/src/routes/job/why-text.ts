import type { WhyReason } from '@holdfast/contract';
import { visibleText } from '../../format/hostile-text.js';
import { formatCount, formatNoun, formatTotal } from '../../format/number.js';
import { formatAge, formatMoment } from '../../format/time.js';

export const whyText = {
  title: 'Why is it not running?',
  running: 'Running',
} as const;

/** A reason as one would tell it, with times counted from the server's clock. A store that only reads a log does not know when leases end. */
export function whySentence(reason: WhyReason, nowMs: number, endsKnown = true): string {
  switch (reason.kind) {
    case 'storeDown':
      return `The store is ${reason.status}: nothing is handed out.${reason.detail === undefined ? '' : ` ${visibleText(reason.detail)}`}`;
    case 'queuePaused':
      return pausedSentence(reason, nowMs);
    case 'notDue':
      return `It is due ${moment(reason.dueAtMs, nowMs)}.`;
    case 'retry':
      return retrySentence(reason, nowMs);
    case 'noHandler':
      return reason.queueWorkers === 0
        ? 'Nobody claims jobs of this queue. Is a worker for it running?'
        : `Nobody claims jobs of this name; ${formatNoun(reason.queueWorkers, 'worker')} of the queue ${reason.queueWorkers === 1 ? 'claims' : 'claim'} others.`;
    case 'workersBusy':
      return `${reason.workers === 1 ? 'The one worker' : `All ${formatCount(reason.workers)} workers`} that would take it ${reason.workers === 1 ? 'is' : 'are'} busy with ${formatNoun(reason.busy, 'job')}.`;
    case 'behind':
      return `${formatTotal(reason.jobs)} ready ${reason.jobs.value === 1 ? 'job comes' : 'jobs come'} before it.`;
    case 'next':
      return 'Nothing is in its way: it is handed out with the next claim.';
    case 'leased':
      return leasedSentence(reason, nowMs, endsKnown);
    default:
      return unknownReason(reason);
  }
}

type Reason<Kind extends WhyReason['kind']> = Extract<WhyReason, { readonly kind: Kind }>;

function pausedSentence({ actor, sinceMs, untilMs, reason }: Reason<'queuePaused'>, nowMs: number): string {
  const until = untilMs === undefined ? 'until it is resumed' : `until ${formatMoment(untilMs, nowMs)}`;
  const why = reason === undefined ? '' : `: ${visibleText(reason)}`;
  return `Its queue is paused by ${visibleText(actor)} since ${formatMoment(sinceMs, nowMs)}, ${until}${why}`;
}

function retrySentence({ attempts, maxAttempts, dueAtMs, error }: Reason<'retry'>, nowMs: number): string {
  const of = maxAttempts === null ? '' : ` of ${formatCount(maxAttempts)}`;
  const why = error === undefined ? '' : ` with ${visibleText(error.class)}: ${visibleText(error.message)}`;
  return `Attempt ${formatCount(attempts)}${of} failed${why}. The next is due ${moment(dueAtMs, nowMs)}.`;
}

function leasedSentence(
  { worker, sinceMs, heartbeatAgeMs, then }: Reason<'leased'>,
  nowMs: number,
  endsKnown: boolean,
) {
  if (!endsKnown) return `Leased by ${visibleText(worker)} for ${formatAge(nowMs - sinceMs)}.`;
  const end = then === 'dead' ? 'it is dead: this is its last attempt' : 'it is tried again';
  return `Leased by ${visibleText(worker)} for ${formatAge(nowMs - sinceMs)}, last heartbeat ${formatAge(heartbeatAgeMs)} before this answer. If the lease ends without a word, ${end}.`;
}

function moment(atMs: number, nowMs: number): string {
  return atMs <= nowMs ? 'now' : `in ${formatAge(atMs - nowMs)} (${formatMoment(atMs, nowMs)})`;
}

/** A newer server may know more reasons. */
function unknownReason(reason: never): string {
  return String((reason as { readonly kind: unknown }).kind);
}
