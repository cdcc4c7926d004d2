import { type JobId } from '@holdfast/contract';
import { type JobFacts } from '@holdfast/core';
import { type QueueWorker } from '../processor/queue-worker.js';

/** How an attempt ended. `failed`: there will be another; `released`: it was not counted. */
export type RunOutcome = 'completed' | 'failed' | 'dead' | 'cancelled' | 'released';

/** One attempt that has ended. */
export interface JobRun {
  readonly id: JobId;
  /** As it is registered. */
  readonly queue: string;
  readonly name: string;
  readonly attempt: number;
  readonly outcome: RunOutcome;
  /** What the handler threw, of `failed` and `dead` ones. */
  readonly error?: unknown;
}

/** What was done: how many attempts ended which way, and all of them in order. */
export interface WorkDone extends Readonly<Record<RunOutcome, number>> {
  readonly runs: readonly JobRun[];
}

const OUTCOMES: readonly RunOutcome[] = ['completed', 'failed', 'dead', 'cancelled', 'released'];

/** Remembers the attempts of workers. */
export class JobRuns {
  readonly #all: JobRun[] = [];

  get all(): readonly JobRun[] {
    return this.#all;
  }

  listen(worker: QueueWorker): void {
    for (const outcome of OUTCOMES) {
      worker.on(outcome, (event: { readonly job: JobFacts; readonly error?: unknown }) => {
        const { id, name, attempt } = event.job;
        const error = 'error' in event ? { error: event.error } : {};
        this.#all.push({ id, queue: worker.name, name, attempt, outcome, ...error });
      });
    }
  }

  since(start: number): WorkDone {
    const runs = this.#all.slice(start);
    const counts = OUTCOMES.map((outcome) => [outcome, runs.filter((run) => run.outcome === outcome).length]);
    return { ...(Object.fromEntries(counts) as Record<RunOutcome, number>), runs };
  }

  clear(): void {
    this.#all.length = 0;
  }
}
