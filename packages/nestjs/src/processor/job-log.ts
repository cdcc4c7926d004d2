import { innermostCause, type JobFacts, type Worker, type WorkerEvents } from '@holdfast/core';
import { Logger } from '@nestjs/common';
import { type UnhandledName } from './processor-metadata.js';

/**
 * Writes what an operator should know of a worker into the application's log, each line with queue, job and attempt.
 */
export function logWorker(worker: Worker, logger: Logger): void {
  worker.on('failed', (event) => logger.warn(retryLine(event)));
  worker.on('dead', ({ job, error, durationMs }) => {
    logger.error(
      `${nameOf(job)} failed after ${Math.round(durationMs)} ms and is dead: ${whatOf(error)}`,
      stackOf(error),
    );
  });
  worker.on('cancelled', ({ job, by }) => {
    logger.log(
      by === 'handler'
        ? `${nameOf(job)} was cancelled by its handler.`
        : `${nameOf(job)} was cancelled while its handler runs. Its signal is aborted.`,
    );
  });
  worker.on('runaway', ({ job, timeoutMs }) => {
    logger.warn(
      `${nameOf(job)} was given up after ${timeoutMs} ms, but its handler still runs and ignores its signal.`,
    );
  });
  worker.on('runawayEnded', ({ job, durationMs }) => {
    logger.log(`${nameOf(job)} had been given up; its handler ended after ${Math.round(durationMs)} ms.`);
  });
  worker.on('released', ({ job, delayMs }) => {
    if (delayMs !== undefined) logger.debug(`${nameOf(job)} waits for another ${delayMs} ms, uncounted.`);
    else logger.log(`${nameOf(job)} did not end in time and was handed back, uncounted, because the application ends.`);
  });
  worker.on('leaseLost', ({ job }) => {
    logger.warn(`${nameOf(job)} lost its lease while its handler runs: the job may run twice. Its signal is aborted.`);
  });
  worker.on('blocked', ({ blockedMs, job }) => {
    const during = job === undefined ? '' : ` ${nameOf(job)} is at work.`;
    logger.warn(`The event loop was blocked for at least ${Math.round(blockedMs)} ms.${during}`);
  });
  worker.on('stale', ({ job, outcome }) => {
    logger.warn(`${nameOf(job)} ended (${outcome}) too late: its lease was over. The job runs again, or has already.`);
  });
  worker.on('error', ({ error, during, job }) => {
    const who = job === undefined ? `Worker ${worker.name}` : nameOf(job);
    logger.error(`${who} met an error during ${during}: ${whatOf(error)}`, stackOf(error));
  });
}

/** Once a name: whoever reads it looks for a misspelled name, or for the application that knows it. */
export function logUnhandled({ queue, name, handled }: UnhandledName, logger: Logger): void {
  const known = handled.map((other) => `"${other}"`).join(', ');
  logger.warn(`Jobs named "${name}" wait in the queue "${queue}": no handler online here. Handled here: ${known}.`);
}

function nameOf({ id, queue, name, attempt, maxAttempts }: JobFacts): string {
  return `Job ${id} (${queue}/${name}), attempt ${attempt}${maxAttempts === null ? '' : ` of ${maxAttempts}`},`;
}

/** The first line of it, and what made it happen. */
function whatOf(error: unknown): string {
  const cause = innermostCause(error);
  return `${String(error).split('\n', 1)[0]}${cause === undefined ? '' : ` (caused by ${cause})`}`;
}

/** What is said of an attempt that failed and will be followed by another. */
export function retryLine({ job, error, durationMs }: WorkerEvents['failed']): string {
  const what = `${whatOf(error)}${placeOf(error)}`;
  return `${nameOf(job)} failed after ${Math.round(durationMs)} ms and will be tried again: ${what}`;
}

/** The innermost call outside of Node, so that a mistake in a handler is found without a whole stack at each attempt. */
function placeOf(error: unknown): string {
  const call = stackOf(error)
    ?.split('\n')
    .find((line) => /^\s*at /.test(line) && !/[ (]node:/.test(line));
  return call === undefined ? '' : `, ${call.trim()}`;
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
