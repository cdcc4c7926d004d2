import type { CheckedDedupe } from '@holdfast/contract/rules';
import type { MemoryJob } from './memory-job.js';

interface Window {
  readonly id: string;
  readonly untilMs: number;
}

/** What an enqueue whose key is taken has to do. */
export type Conflict =
  | { readonly kind: 'duplicate'; readonly id: string; readonly state: MemoryJob['state'] }
  | { readonly kind: 'replace'; readonly job: MemoryJob };

/** Which keys are taken: by the live jobs that say so, and by completed ones in their windows. */
export class KeyBook {
  readonly #windows = new Map<string, Window>();

  /** `undefined`: a new job is to be stored. */
  conflict(
    jobs: readonly MemoryJob[],
    queue: string,
    { key, onConflict }: CheckedDedupe,
    wallMs: number,
  ): Conflict | undefined {
    const holders = jobs.filter((job) => job.takesKey && job.shape.queue === queue && job.dedupe?.key === key);
    const holder = holders.findLast(({ state }) => state !== 'leased') ?? holders.at(-1);
    if (holder === undefined) {
      const window = this.#windows.get(nameOf(queue, key));
      if (window === undefined || window.untilMs <= wallMs) return undefined;
      return { kind: 'duplicate', id: window.id, state: 'completed' };
    }
    if (onConflict === 'runOnceMore' && holder.state === 'leased') return undefined;
    if (onConflict === 'replace' && holder.state !== 'leased') return { kind: 'replace', job: holder };
    return { kind: 'duplicate', id: holder.id, state: holder.state };
  }

  /** The job takes its key from now on; a window of the key is over. */
  take(job: MemoryJob): void {
    if (job.dedupe === undefined) return;
    job.takesKey = true;
    this.#windows.delete(nameOf(job.shape.queue, job.dedupe.key));
  }

  completed(job: MemoryJob, wallMs: number): void {
    if (!job.takesKey || job.dedupe === undefined) return;
    job.takesKey = false;
    const { key, untilMs } = job.dedupe;
    if (untilMs > wallMs) this.#windows.set(nameOf(job.shape.queue, key), { id: job.id, untilMs });
  }

  /** The job is dead, cancelled or removed. */
  free(job: MemoryJob): void {
    if (job.dedupe === undefined) return;
    job.takesKey = false;
    const name = nameOf(job.shape.queue, job.dedupe.key);
    if (this.#windows.get(name)?.id === job.id) this.#windows.delete(name);
  }
}

function nameOf(queue: string, key: string): string {
  return JSON.stringify([queue, key]);
}
