import type { JobError, OperatorAct } from '@holdfast/contract';
import type { WholeAttempt, WholeJob } from '@holdfast/contract/moving';
import {
  ACK_HEAD_BYTES,
  ACT_PARTS,
  ackItemBytes,
  actBodyBytes,
  actBytes,
  attemptBodyBytes,
  CAUSE,
  deadBodyBytes,
  ENTRIES_BYTES_MAX,
  ENTRIES_MAX,
  encodeAckHead,
  encodeAckItem,
  encodeActHead,
  encodeActItem,
  encodeAttemptHead,
  encodeAttemptItem,
  encodeDead,
  encodeNote,
  encodeRedrive,
  encodeRelease,
  encodeRetry,
  errorBytes,
  type HistoryEntry,
  noteBodyBytes,
  noteContents,
  queueBytes,
  RECORD,
  RELEASE_BODY_BYTES,
  type RecordBody,
  redriveBodyBytes,
  retryBodyBytes,
} from '@holdfast/core/records';
import { bodyOf } from './whole-job.js';

const NO_ERROR: JobError = { class: '', message: '' };

/** The history of a job as a MOVE holds it, newest first, as much of it as a MOVE may hold. */
export function jobHistory(job: WholeJob): { readonly entries: readonly HistoryEntry[]; readonly cut: boolean } {
  const entries: HistoryEntry[] = [];
  let bytes = 0;
  for (const entry of allEntries(job).reverse()) {
    if (entries.length > 0) bytes += entry.body.length;
    if (entries.length === ENTRIES_MAX || bytes > ENTRIES_BYTES_MAX) return { entries, cut: true };
    entries.push(entry);
  }
  return { entries, cut: job.historyCut };
}

/** Oldest first. Attempts and acts keep their order among themselves, whatever the clock did; a cancel comes last, because nothing can follow it. */
function allEntries(job: WholeJob): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  const acts = job.acts.filter(({ act }) => act !== 'clone');
  for (const [index, attempt] of job.attemptLog.entries()) {
    while (acts[0] !== undefined && acts[0].act !== 'cancel' && acts[0].atMs <= attempt.startedAtMs) {
      entries.push(...actEntry(job, acts.shift()!));
    }
    entries.push(...attemptEntries(job, attempt, index === job.attemptLog.length - 1));
  }
  for (const act of acts) entries.push(...actEntry(job, act));
  if (job.end?.cancelCause === 'expired')
    entries.push(manyEntry(RECORD.expire, job, { atMs: job.updatedAtMs, actor: '' }));
  return entries;
}

function entry(kind: number, bodyBytes: number, write: (body: RecordBody) => void): HistoryEntry {
  const body = new Uint8Array(bodyBytes);
  write(bodyOf(body));
  return { kind, body };
}

function attemptEntries(job: WholeJob, attempt: WholeAttempt, isLast: boolean): HistoryEntry[] {
  const { number } = job;
  const worker = Buffer.from(attempt.worker, 'utf8');
  const leaseMs = attempt.outcome === 'running' ? (job.lease?.leaseMs ?? 0) : 0;
  const started = entry(RECORD.attempt, attemptBodyBytes(worker, 1), (body) => {
    const at = encodeAttemptHead(body, attempt.startedAtMs, leaseMs, worker, 1);
    encodeAttemptItem(body.view, at, number, attempt.token, attempt.attempt, 0);
  });
  return [started, ...noteEntries(job, attempt), ...endEntries(job, attempt, isLast)];
}

function noteEntries({ number }: WholeJob, attempt: WholeAttempt): HistoryEntry[] {
  const { token, progress = '', lines = [], droppedLines = 0 } = attempt;
  if (progress === '' && lines.length === 0 && droppedLines === 0) return [];
  const atMs = attempt.endedAtMs ?? attempt.startedAtMs;
  const told = lines.length + droppedLines;
  const contents = noteContents({ atMs, id: number, token, previous: 0, earlier: 0, told, progress, lines });
  return [entry(RECORD.note, noteBodyBytes(contents), (body) => encodeNote(body, contents))];
}

/** That of an attempt which an operator's cancel ended is the record of the act. */
function endEntries(job: WholeJob, attempt: WholeAttempt, isLast: boolean): HistoryEntry[] {
  const { outcome, token, error } = attempt;
  const ended = { atMs: attempt.endedAtMs ?? 0, id: job.number, token, previous: 0 };
  const texts = errorBytes(error ?? NO_ERROR);
  if (outcome === 'running' || (outcome === 'cancelled' && error === undefined)) return [];
  if (outcome === 'completed') return [ackEntry(job, ended)];
  if (outcome === 'released') {
    return [
      entry(RECORD.release, RELEASE_BODY_BYTES, (body) => encodeRelease(body, { ...ended, runAtMs: ended.atMs })),
    ];
  }
  if (outcome === 'cancelled') {
    const cause = CAUSE.failed;
    return [entry(RECORD.withdraw, deadBodyBytes(texts), (body) => encodeDead(body, { ...ended, cause }, texts))];
  }
  const cause = CAUSE[outcome];
  if (isLast && job.state === 'dead') {
    return [entry(RECORD.dead, deadBodyBytes(texts), (body) => encodeDead(body, { ...ended, cause }, texts))];
  }
  const retry = { ...ended, runAtMs: isLast ? job.runAtMs : ended.atMs, cause };
  return [entry(RECORD.retry, retryBodyBytes(texts), (body) => encodeRetry(body, retry, texts))];
}

function ackEntry({ end }: WholeJob, ended: { atMs: number; id: number; token: number }): HistoryEntry {
  return entry(RECORD.ack, ACK_HEAD_BYTES + ackItemBytes(end?.result), (body) => {
    encodeAckItem(body, encodeAckHead(body, ended.atMs, 1), ended.id, ended.token, 0, end?.result);
  });
}

const ACT_KINDS = {
  cancel: RECORD.cancel,
  runNow: RECORD.runNow,
  reprioritise: RECORD.reprioritise,
  transfer: RECORD.transfer,
} as const;

function actEntry(job: WholeJob, act: OperatorAct): HistoryEntry[] {
  if (act.act === 'clone') return [];
  if (act.act !== 'redrive') return [manyEntry(ACT_KINDS[act.act], job, act)];
  const texts = actBytes(act.actor, act.reason);
  const fields = { atMs: act.atMs, id: job.number, previous: 0 };
  return [entry(RECORD.redrive, redriveBodyBytes(texts), (body) => encodeRedrive(body, fields, texts))];
}

const PARTS = {
  [RECORD.cancel]: ACT_PARTS.cancel,
  [RECORD.runNow]: ACT_PARTS.runNow,
  [RECORD.reprioritise]: ACT_PARTS.reprioritise,
  [RECORD.transfer]: ACT_PARTS.transfer,
  [RECORD.expire]: ACT_PARTS.expire,
} as const;

/** A record that could speak of many jobs, for this one. */
function manyEntry(kind: keyof typeof PARTS, { number }: WholeJob, act: Omit<OperatorAct, 'act'>): HistoryEntry {
  const parts = PARTS[kind];
  const texts = actBytes(act.actor, act.reason);
  const queues = queueBytes(act.fromQueue ?? '', act.toQueue ?? '');
  return entry(kind, actBodyBytes(parts, texts, 1, queues), (body) => {
    const head = { atMs: act.atMs, priority: act.priority ?? 0, count: 1 };
    encodeActItem(encodeActHead(body, parts, head, texts, queues), parts, number, 0);
  });
}
