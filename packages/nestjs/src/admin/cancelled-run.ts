import type { Attempt, CancelledRun, JobDetail, JobStore } from '@holdfast/contract';
import { cancelledRunsOf } from '@holdfast/core';
import type { Redaction } from './redaction.js';

/** The steps of a cancel that met a running handler; `undefined` for every other job. */
export function cancelledRunOf(store: JobStore, job: JobDetail, redaction: Redaction): CancelledRun | undefined {
  const { id, cancelCause, attemptLog, acts } = job;
  const last = attemptLog.at(-1);
  if (cancelCause !== 'operator' || last?.outcome !== 'cancelled') return undefined;
  const { attempt, worker, startedAtMs, endedAtMs = startedAtMs } = last;
  const runs = cancelledRunsOf(store);
  const told = runs.of(id);
  const { error, ...after } = told?.attempt === attempt ? told : { attempt };
  const shownError = error === undefined ? undefined : redacted({ ...last, error }, job, redaction);
  return {
    ...after,
    ...(shownError === undefined ? {} : { error: shownError }),
    worker,
    requestedAtMs: acts.findLast(({ act }) => act === 'cancel')?.atMs ?? endedAtMs,
    known: told !== undefined || runs.knows(last),
  };
}

/** As the error of an attempt, so that the application's own redaction sees it too. */
function redacted(attempt: Attempt, job: JobDetail, redaction: Redaction): Attempt['error'] {
  return redaction.job({ ...job, attemptLog: [attempt] }).job.attemptLog.at(-1)?.error;
}
