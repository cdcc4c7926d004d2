import type { SimProcess } from './sim-process.js';

/** The error of a job whose payload the disk did not give when it was to be handed out. */
export const UNREADABLE = 'PayloadUnreadable';

/** Some jobs end without a call about them: nobody started them in time, or their payload could not be read. */
export function noteSilentEnds(process: SimProcess): void {
  const { ledger, files, world, writtenSeq } = process;
  for (const job of ledger.jobs.values()) {
    if (job.now.state !== 'waiting') continue;
    const mayExpire = (job.expiresAtMs ?? Number.POSITIVE_INFINITY) <= world.latestWallMs;
    if (!mayExpire && files.readFailures === 0) continue;
    const found = process.readJob(job.id);
    const isExpired = mayExpire && (found === undefined || found.state === 'cancelled');
    if (isExpired) job.change(writtenSeq, 'cancelled', job.now.attempts);
    if (found?.state === 'dead' && found.lastError?.class === UNREADABLE)
      job.change(writtenSeq, 'dead', found.attempts);
  }
}
