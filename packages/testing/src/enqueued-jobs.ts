import { AssertionError } from 'node:assert';
import { inspect } from 'node:util';
import type { JobId, NewJob } from '@holdfast/contract';
import { matchesPart } from './matches-part.js';

/** A job as it was enqueued: with its payload as a value, and the options that it was given. */
export interface EnqueuedJob extends Omit<NewJob, 'payload'> {
  readonly id: JobId;
  readonly payload: unknown;
}

/**
 * Says which jobs are meant: those that have everything that stands here. Of objects within, only the properties that are given
 * count; lists have to agree item by item. `expect.any(Date)` and the like of Jest and Vitest may stand anywhere.
 */
export type ExpectedJob = { readonly [Field in keyof EnqueuedJob]?: unknown };

const SHOWN_MAX = 20;

/** What was enqueued, in order, and questions about it. Fails with an `AssertionError`, which every test runner shows well. */
export class EnqueuedJobs {
  #jobs: EnqueuedJob[] = [];

  add(job: EnqueuedJob): void {
    this.#jobs.push(job);
  }

  clear(): void {
    this.#jobs = [];
  }

  all(expected: ExpectedJob = {}): EnqueuedJob[] {
    return this.#jobs.filter((job) => matchesPart(job, expected));
  }

  /** Answers the jobs that match: at least one, or as many as `times` says. @throws AssertionError */
  expect(expected: ExpectedJob, times?: number): EnqueuedJob[] {
    const found = this.all(expected);
    if (times === undefined ? found.length > 0 : found.length === times) return found;
    const wanted = times === undefined ? 'A job' : times === 0 ? 'No job' : `${times} jobs`;
    throw new AssertionError({
      message: `${wanted} like ${show(expected)} should have been enqueued, but ${found.length} were. ${this.#list()}`,
      actual: this.#jobs,
      expected,
      operator: 'expectEnqueued',
    });
  }

  #list(): string {
    if (this.#jobs.length === 0) return 'Nothing was enqueued at all.';
    const shown = this.#jobs.slice(-SHOWN_MAX).map(({ id: _, ...job }) => `  ${show(job)}`);
    const title = shown.length < this.#jobs.length ? `The last ${shown.length} of ${this.#jobs.length}` : 'Enqueued';
    return `${title}:\n${shown.join('\n')}`;
  }
}

function show(value: unknown): string {
  return inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY });
}
