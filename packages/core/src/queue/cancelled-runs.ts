import { type Clock, type HandlerAfterCancel, type JobId, JobTimeoutError } from '@holdfast/contract';
import { heeds, type Outcome, toJobError } from './outcome.js';
import type { RunningJob } from './running-job.js';

/** Of a store, the last that ended are remembered; those that still run always are. */
const ENDED_KEPT = 1000;

/**
 * What the workers of this process know of handlers whose jobs were cancelled. It is in memory alone: a handler does not outlive its process
 * either, and what it does after the cancel changes nothing in the store.
 */
export class CancelledRuns {
  readonly #workers = new Set<string>();
  readonly #running = new Map<JobId, HandlerAfterCancel>();
  readonly #ended = new Map<JobId, HandlerAfterCancel>();

  /** A worker that tells what it knows. */
  expect(worker: string): void {
    this.#workers.add(worker);
  }

  knows(worker: string): boolean {
    return this.#workers.has(worker);
  }

  of(id: JobId): HandlerAfterCancel | undefined {
    return this.#running.get(id) ?? this.#ended.get(id);
  }

  /** The signal of the run was aborted now. */
  heard(run: RunningJob, clock: Clock): void {
    const { id, attempt } = run.leased;
    const heard = { attempt, heardAtMs: clock.now() };
    this.#running.set(id, heard);
    void run.work?.then((outcome) => {
      this.#running.delete(id);
      this.#end(id, { ...heard, ...endOf(run, outcome, clock.now()) });
    });
  }

  /** The handler had ended before its worker knew of the cancel. */
  endedUnheard(run: RunningJob, outcome: Outcome, clock: Clock): void {
    // One that was only given up still runs: nobody knows what it comes to.
    if (outcome.kind === 'failed' && outcome.thrown instanceof JobTimeoutError) return;
    const { id, attempt } = run.leased;
    this.#end(id, { attempt, ...endOf(run, outcome, clock.now()) });
  }

  #end(id: JobId, ended: HandlerAfterCancel): void {
    this.#ended.delete(id);
    this.#ended.set(id, ended);
    if (this.#ended.size <= ENDED_KEPT) return;
    for (const oldest of this.#ended.keys()) {
      this.#ended.delete(oldest);
      return;
    }
  }
}

function endOf({ aborted }: RunningJob, outcome: Outcome, endedAtMs: number): Omit<HandlerAfterCancel, 'attempt'> {
  if (outcome.kind === 'completed') return { endedAtMs, ended: 'returned' };
  if (outcome.kind !== 'failed' || heeds(outcome.thrown, aborted)) return { endedAtMs, ended: 'stopped' };
  return { endedAtMs, ended: 'failed', error: toJobError(outcome.thrown) };
}

const RUNS = new WeakMap<object, CancelledRuns>();

/** By the store that workers claim from: whoever has it can ask what became of its jobs, without knowing the workers. */
export function cancelledRunsOf(store: object): CancelledRuns {
  let runs = RUNS.get(store);
  if (runs === undefined) {
    runs = new CancelledRuns();
    RUNS.set(store, runs);
  }
  return runs;
}
