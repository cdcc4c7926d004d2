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
 * Fills free slots until it is stopped: with one claim at a time, which waits inside the store; and with a second one beside it while more jobs
 * wait than the first one took, where the plan says so. Each asks for half of the slots then, so that handlers of one half run while the store
 * works on the other. A failing store is asked again after a growing pause, for as long as it takes; only a closed store, which never opens
 * again, ends the loop. Never rejects.
 */
export function claimUntilStopped(parts: ClaimLoopParts): Promise<void> {
  return new ClaimLoop(parts).run();
}

class ClaimLoop {
  readonly #parts: ClaimLoopParts;
  /** How many jobs the claims under way may bring. */
  #asked = 0;
  #claimingBeside: Promise<void> | undefined;

  constructor(parts: ClaimLoopParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    try {
      await this.#claimUntilStopped();
    } finally {
      await this.#claimingBeside;
    }
  }

  async #claimUntilStopped(): Promise<void> {
    const { plan, slots, stopped, onError } = this.#parts;
    let failures = 0;
    while (!stopped.aborted) {
      const limit = this.#room();
      if (limit <= 0) {
        await slots.changed();
        continue;
      }
      try {
        const askedAtMs = plan.clock.monotonicMs();
        const count = await this.#claim(limit, CLAIM_WAIT_MS);
        // Without a job and without a wait, asking again at once would keep the event loop busy for nothing.
        const isAnswer = count > 0 || plan.clock.monotonicMs() - askedAtMs > CLAIM_WAIT_MS / 2;
        failures = isAnswer ? 0 : failures + 1;
        if (count === limit && this.#half <= limit) this.#claimBeside();
      } catch (error) {
        onError(error);
        if (error instanceof StoreClosedError) return;
        failures++;
      }
      if (failures > 0) await pause(plan.clock, retryPauseMs(failures), stopped);
    }
  }

  #claimBeside(): void {
    const { plan, stopped } = this.#parts;
    if (!plan.claimsInHalves || stopped.aborted) return;
    this.#claimingBeside ??= this.#claimWhileJobsWait().finally(() => {
      this.#claimingBeside = undefined;
    });
  }

  async #claimWhileJobsWait(): Promise<void> {
    const { slots, stopped, onError } = this.#parts;
    try {
      while (!stopped.aborted) {
        const limit = this.#room();
        if (limit <= 0) await slots.changed();
        else if ((await this.#claim(limit, 0)) < limit) return;
      }
    } catch (error) {
      onError(error);
    }
  }

  get #half(): number {
    return Math.ceil(this.#parts.plan.concurrency / 2);
  }

  /** How many jobs the next claim may ask for. */
  #room(): number {
    const { plan, slots } = this.#parts;
    const free = slots.free - this.#asked;
    const wanted = this.#claimingBeside === undefined ? free : Math.min(free, this.#half);
    return Math.min(wanted, plan.store.capabilities.claimJobsMax);
  }

  /** @returns how many jobs came */
  async #claim(limit: number, waitMs: number): Promise<number> {
    const { plan, begin, handBack, stopped } = this.#parts;
    const { store, queues, names, leaseMs, name } = plan;
    this.#asked += limit;
    let jobs: readonly LeasedJob[];
    try {
      jobs = await store.claim({
        queues,
        ...(names === undefined ? {} : { names }),
        ...{ limit, leaseMs, waitMs, worker: name, signal: stopped },
      });
    } finally {
      this.#asked -= limit;
    }
    if (stopped.aborted) await handBack(jobs);
    else for (const job of jobs) begin(job);
    return jobs.length;
  }
}
