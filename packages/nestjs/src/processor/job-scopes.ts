import { type Job, type JobContext, type JobFacts, type Worker, type WorkerEvents } from '@holdfast/core';
import { JobScope } from './job-scope.js';

/**
 * Which events are the last of an attempt. `leaseLost` and `cancelled` are, but the handler may still be at work. Complete because the
 * compiler says so: an attempt whose last event is not known here would never be forgotten.
 */
export const IS_LAST: Record<keyof WorkerEvents, (event: never) => boolean> = {
  completed: () => true,
  failed: () => true,
  dead: () => true,
  progress: () => false,
  cancelled: () => true,
  released: () => true,
  runaway: () => false,
  runawayEnded: () => false,
  leaseLost: () => true,
  blocked: () => false,
  stale: () => true,
  error: ({ during }: WorkerEvents['error']) => during === 'settle',
};

export const WORKER_EVENTS = Object.keys(IS_LAST) as (keyof WorkerEvents)[];

/** The scopes of attempts under way in one worker, for hooks that share them. */
export class JobScopes {
  readonly #open = new Map<string, JobScope>();
  /** Attempts that are over while their handlers are not: there is one more event to come. */
  readonly #runaways = new Set<string>();

  /** How many attempts are under way. */
  get size(): number {
    return this.#open.size;
  }

  begin(job: Job, context: JobContext): JobScope {
    const scope = new JobScope(job, context);
    this.#open.set(context.token, scope);
    return scope;
  }

  /** A job whose payload nobody could read has no handler, but hooks. */
  of(job: JobFacts): JobScope {
    return this.#open.get(job.token) ?? new JobScope(factsOf(job));
  }

  /** Forgets an attempt with its last event. To be called after all other listeners were added. */
  forgetEnded(worker: Worker): void {
    for (const name of WORKER_EVENTS) {
      worker.on(name, (event) => {
        const token = event.job?.token;
        if (token !== undefined && IS_LAST[name](event as never) && !this.#runaways.has(token))
          this.#open.delete(token);
      });
    }
    worker.on('runaway', ({ job }) => void this.#runaways.add(job.token));
    worker.on('runawayEnded', ({ job }) => {
      this.#runaways.delete(job.token);
      this.#open.delete(job.token);
    });
  }
}

/** The event may carry the payload as the store keeps it, which nobody may take for the value. */
function factsOf(job: JobFacts & { readonly payload?: unknown }): JobFacts {
  const { payload: _, ...facts } = job;
  return facts;
}
