import { invariant } from '../invariant.js';
import type { RunningJob } from './running-job.js';

/**
 * The runs of a worker, in no order. Not a Set: by its thousands of additions and removals a second, V8 keeps removed entries, and with
 * them jobs that are done, alive until the next large collection.
 */
export class RunList implements Iterable<RunningJob> {
  readonly #runs: RunningJob[] = [];

  get size(): number {
    return this.#runs.length;
  }

  add(run: RunningJob): void {
    run.place = this.#runs.push(run) - 1;
  }

  /** The last run takes its place. */
  delete(run: RunningJob): void {
    invariant(this.#runs[run.place] === run, 'a run is removed once, from the list that it is in');
    const last = this.#runs.pop()!;
    if (last === run) return;
    this.#runs[run.place] = last;
    last.place = run.place;
  }

  [Symbol.iterator](): Iterator<RunningJob> {
    return this.#runs.values();
  }
}
