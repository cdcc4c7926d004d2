import type { JobDetail } from '@holdfast/contract';
import type { KnownJob } from './known-job.js';
import type { SimProcess } from './sim-process.js';

/** The error of a job whose payload the disk did not give when it was to be handed out. */
export const UNREADABLE = 'PayloadUnreadable';

/** Some jobs or attempts end without a call about them: nobody started them in time, or their payload could not be read. */
export function noteSilentEnds(process: SimProcess): void {
  const { ledger, files, world, writtenSeq } = process;
  for (const job of ledger.jobs.values()) {
    if (job.now.state !== 'waiting') continue;
    const mayExpire = (job.expiresAtMs ?? Number.POSITIVE_INFINITY) <= world.latestWallMs;
    if (!mayExpire && files.readFailures === 0) continue;
    const found = process.readJob(job.id);
    const isExpired = mayExpire && (found === undefined || found.state === 'cancelled');
    if (isExpired) job.change(writtenSeq, 'cancelled', job.now.attempts);
    if (found?.lastError?.class === UNREADABLE && found.attempts > job.now.attempts) noteUnread(job, found, writtenSeq);
  }
}

/** Its attempt has failed as any other: the disk may give the payload at the next one. */
function noteUnread(job: KnownJob, { state, attempts, runAtMs }: JobDetail, seq: number): void {
  job.change(seq, state === 'dead' ? 'dead' : 'waiting', attempts);
  job.runAtMs = runAtMs;
  job.repeat = 'failed';
}
