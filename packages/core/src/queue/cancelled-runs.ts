import { type Attempt, type Clock, type HandlerAfterCancel, type JobId, JobTimeoutError } from '@holdfast/contract';
import { heeds, type Outcome, toJobError } from './outcome.js';
import type { RunningJob } from './running-job.js';

/** Of a store, the last that ended are remembered; those that still run always are. */
const ENDED_KEPT = 1000;

type AttemptOfWorker = Pick<Attempt, 'worker' | 'startedAtMs' | 'endedAtMs'>;
type EndedAfterCancel = HandlerAfterCancel & { readonly endedAtMs: number };

/**
 * What the workers of this process know of handlers whose jobs were cancelled. It is in memory alone: a handler does not outlive its process
 * either, and what it does after the cancel changes nothing in the store.
 */
export class CancelledRuns {
  readonly #workers = new Set<{ readonly name: string; readonly sinceMs: number }>();
  readonly #running = new Map<JobId, HandlerAfterCancel>();
  readonly #ended = new Map<JobId, EndedAfterCancel>();
  /** When the handler ended that was forgotten last. */
  #forgottenToMs = Number.NEGATIVE_INFINITY;

  /** A worker that tells what it knows, of attempts from now on. @returns the call that says that it is closed */
  expect(name: string, clock: Clock): () => void {
    const worker = { name, sinceMs: clock.now() };
    this.#workers.add(worker);
    return () => this.#workers.delete(worker);
  }

  /**
   * Whether what is not told of a cancelled attempt can still come. A name alone does not say so: after a restart another worker may have it, which
   * never had this attempt.
   */
  knows({ worker, startedAtMs, endedAtMs = startedAtMs }: AttemptOfWorker): boolean {
    if (endedAtMs <= this.#forgottenToMs) return false;
    return [...this.#workers].some(({ name, sinceMs }) => name === worker && sinceMs <= startedAtMs);
  }

  of(id: JobId): HandlerAfterCancel | undefined {
    return this.#running.get(id) ?? this.#ended.get(id);
  }

  /** The signal of the run was aborted now. */
  heard(run: RunningJob, clock: Clock): void {
    const { id, attempt } = run.leased;
    const heard = { attempt, heardAtMs: clock.now() };
    this.#running.set(id, heard);
    void this.#untilEnded(run, heard, clock);
  }

  async #untilEnded(run: RunningJob, heard: HandlerAfterCancel, clock: Clock): Promise<void> {
    // A handler that cancels its own job before its first pause is heard while nobody has its work yet.
    await undefined;
    const outcome = await run.work;
    if (outcome === undefined) return;
    const { id } = run.leased;
    this.#running.delete(id);
    this.#end(id, { ...heard, ...endOf(run, outcome, clock.now()) });
  }

  /** The handler had ended before its worker knew of the cancel. */
  endedUnheard(run: RunningJob, outcome: Outcome, clock: Clock): void {
    // One that was only given up still runs: nobody knows what it comes to.
    if (outcome.kind === 'failed' && outcome.thrown instanceof JobTimeoutError) return;
    const { id, attempt } = run.leased;
    this.#end(id, { attempt, ...endOf(run, outcome, clock.now()) });
  }

  #end(id: JobId, ended: EndedAfterCancel): void {
    this.#ended.delete(id);
    this.#ended.set(id, ended);
    if (this.#ended.size <= ENDED_KEPT) return;
    for (const [oldest, { endedAtMs }] of this.#ended) {
      this.#ended.delete(oldest);
      this.#forgottenToMs = endedAtMs;
      return;
    }
  }
}

function endOf({ aborted }: RunningJob, outcome: Outcome, endedAtMs: number): Omit<EndedAfterCancel, 'attempt'> {
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
