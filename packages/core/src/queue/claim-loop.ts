import { type LeasedJob, StoreClosedError } from '@holdfast/contract';
import { pause, retryPauseMs } from './retry-pause.js';
import type { Slots } from './slots.js';
import type { WorkerPlan } from './worker-options.js';

/** A claim waits this long for a first job: an idle worker makes one call in five minutes. */
const CLAIM_WAIT_MS = 300_000;

export interface ClaimLoopParts {
  readonly plan: WorkerPlan;
  readonly slots: Slots;
  readonly begin: (job: LeasedJob) => void;
  /** For jobs that arrive after the stop. */
  readonly handBack: (jobs: readonly LeasedJob[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly stopped: AbortSignal;
}

/**
 * Fills free slots until it is stopped: one claim at a time, waiting inside the store. A failing store is asked again
 * after a growing pause, for as long as it takes; only a closed store, which never opens again, ends the loop. Never
 * rejects.
 */
export async function claimUntilStopped(parts: ClaimLoopParts): Promise<void> {
  const { plan, slots, stopped, onError } = parts;
  let failures = 0;
  while (!stopped.aborted) {
    if (slots.free <= 0) {
      await slots.changed();
      continue;
    }
    try {
      failures = (await claimOnce(parts)) ? 0 : failures + 1;
    } catch (error) {
      onError(error);
      if (error instanceof StoreClosedError) return;
      failures++;
    }
    if (failures > 0) await pause(plan.clock, retryPauseMs(failures), stopped);
  }
}

/**
 * False when the store neither gave a job nor waited for one: asking again at once would keep the event loop busy for
 * nothing.
 */
async function claimOnce({ plan, slots, begin, handBack, stopped }: ClaimLoopParts): Promise<boolean> {
  const { store, clock, queues, names, leaseMs, name } = plan;
  const askedAtMs = clock.monotonicMs();
  const jobs = await store.claim({
    queues,
    ...(names === undefined ? {} : { names }),
    limit: Math.min(slots.free, store.capabilities.claimJobsMax),
    leaseMs,
    waitMs: CLAIM_WAIT_MS,
    worker: name,
    signal: stopped,
  });
  if (stopped.aborted) await handBack(jobs);
  else for (const job of jobs) begin(job);
  return jobs.length > 0 || clock.monotonicMs() - askedAtMs > CLAIM_WAIT_MS / 2;
}
