import { setTimeout as delay } from 'node:timers/promises';
import {
  type ActedBy,
  type ActOutcome,
  HoldfastError,
  type JobDetail,
  type JobId,
  type JobStore,
  type Selection,
  Snooze,
} from '@holdfast/contract';
import { type JobContext, startWorker, type Worker } from '@holdfast/core';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { actedBy, actingPerson } from './acting-person.js';
import { BulkOperations, isOver, type OperationNote, RUNS_QUEUE } from './bulk-operations.js';
import { eventOf, fittingStates } from './bulk-plan.js';
import { QueueLooks } from './queue-looks.js';

/** A piece is what the rate allows in this time: so long it takes at most until a wish is heeded. */
const PIECE_MS = 200;
const PIECE_JOBS_MAX = 1000;
/** Progress is written down so often; what a killed process did since is not counted as done. */
const SAVE_MS = 1000;
const CONCURRENCY = 4;
/** A process that has worked on none looks so often for what another one has left: as long as the lease of a dead one lasts. */
const LEFT_LOOK_MS = 30_000;
const NOTHING: ActOutcome = { matched: 0, done: 0, skipped: {} };

/** Works off bulk operations: those of this server and those that another one, or its last run, has left. */
@Injectable()
export class BulkRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #store: JobStore;
  readonly #operations: BulkOperations;
  readonly #looks: QueueLooks;
  readonly #logger = new Logger('HoldfastAdmin');
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore, operations: BulkOperations, looks: QueueLooks) {
    this.#store = store;
    this.#operations = operations;
    this.#looks = looks;
  }

  /** A store that does not answer yet is no reason not to start: it is asked again. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.#store.capabilities.readOnly !== undefined) return;
    this.#timer = setInterval(() => void this.#lookForLeft(), LEFT_LOOK_MS).unref();
    await this.#lookForLeft();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#worker?.close({ graceMs: 0 });
  }

  async wakeIfNeeded(): Promise<void> {
    if (this.#worker === undefined && (await this.#operations.hasRuns())) this.wake();
  }

  wake(): void {
    // Where a store only shows jobs, whoever owns it works on its operations.
    if (this.#closed || this.#store.capabilities.readOnly !== undefined) return;
    this.#worker ??= this.#start();
  }

  async #lookForLeft(): Promise<void> {
    await this.wakeIfNeeded().catch((error: unknown) => this.#logger.warn(`Bulk operations wait: ${String(error)}`));
  }

  #start(): Worker {
    // From here on the worker looks.
    clearInterval(this.#timer);
    const worker = startWorker<{ run: { id: JobId } }>({
      store: this.#store,
      queue: RUNS_QUEUE,
      concurrency: CONCURRENCY,
      handlers: { run: (job, context) => this.#run(job.payload.id, context) },
    });
    worker.on('error', ({ error }) => this.#logger.warn(`Bulk operations: ${String(error)}`));
    return worker as unknown as Worker; // The runner alone knows its jobs; a worker has no place for their type outside.
  }

  async #run(id: JobId, context: JobContext): Promise<void> {
    const known = await this.#operations.find(id);
    if (known === undefined || isOver(known.note)) return;
    try {
      await this.#pieces(id, known.note, context);
    } catch (error) {
      // The store may be back, or another server goes on: the run is tried again.
      if (context.signal.aborted || !(error instanceof HoldfastError) || error instanceof Snooze) throw error;
      if (error.outcome === 'unknown' || error.code === 'STORE_CLOSED') throw error;
      const note = (await this.#operations.find(id))?.note ?? known.note;
      await this.#operations.end(id, note, 'failed', `${error.code}: ${error.message}`);
    }
  }

  async #pieces(id: JobId, first: OperationNote, { signal, token }: JobContext): Promise<void> {
    const resumed = first.runner !== undefined;
    let note = await this.#operations.save(id, { ...first, status: 'running', runner: token, resumed });
    let savedAtMs = performance.now();
    let dueAtMs = savedAtMs;
    for (;;) {
      if (signal.aborted) throw await this.#leave(id, note);
      const known = await this.#operations.find(id);
      if (known === undefined || known.note.runner !== token) return;
      if (known.wish === 'abort') return this.#operations.end(id, note, 'aborted');
      if (known.wish === 'pause') {
        await this.#operations.save(id, { ...note, status: 'paused' });
        // Somebody may have wanted it to go on just then.
        if ((await this.#operations.find(id))?.wish === 'pause') return;
        note = await this.#operations.save(id, note);
        continue;
      }
      const next = await this.#piece(note);
      if (next === undefined) return this.#operations.end(id, note, 'done');
      // What was slower than the rate is not made up for.
      dueAtMs = Math.max(dueAtMs + ((next.done - note.done) * 1000) / note.ratePerSecond, performance.now() - PIECE_MS);
      note = next;
      if (performance.now() - savedAtMs >= SAVE_MS) {
        savedAtMs = performance.now();
        note = await this.#operations.save(id, note);
      }
      await delay(Math.max(0, dueAtMs - performance.now()), undefined, { signal }).catch(() => {});
    }
  }

  /** This server ends: what is done is written down, and the run handed on. */
  async #leave(id: JobId, note: OperationNote): Promise<Snooze> {
    await this.#operations.save(id, note);
    return new Snooze(0);
  }

  /** Does one piece. @returns how far it has come, `undefined` if nothing was left */
  async #piece(note: OperationNote): Promise<OperationNote | undefined> {
    const limit = Math.min(PIECE_JOBS_MAX, Math.max(1, Math.floor((note.ratePerSecond * PIECE_MS) / 1000)));
    const { step, cursor } = note.at;
    const piece = pieceOf(note, step, cursor, limit);
    if (piece === undefined) return undefined;
    const before = await this.#doneBefore(note, piece.selection);
    const outcome = before.left === undefined ? NOTHING : await this.#actSeen(note, before.left);
    const at = outcome.next === undefined ? { step: step + piece.steps } : { step, cursor: outcome.next };
    const done = note.done + before.done + outcome.done;
    return { ...note, at, done, skipped: added(note.skipped, outcome.skipped) };
  }

  /**
   * Jobs that were named, and that a server which was killed has done after it last wrote down how far it was. All others show by their state,
   * or by what the plan says, that they are done.
   */
  async #doneBefore(note: OperationNote, selection: Selection): Promise<{ done: number; left?: Selection }> {
    if (!note.resumed || !('ids' in selection)) return { done: 0, left: selection };
    const jobs = await Promise.all(selection.ids.map((id) => this.#store.job(id)));
    const ids = selection.ids.filter((_, index) => !isDoneBy(note, jobs[index]));
    const done = selection.ids.length - ids.length;
    return ids.length === 0 ? { done } : { done, left: { ids } };
  }

  /** Whoever looks next sees it, also where it failed midway. */
  async #actSeen(note: OperationNote, selection: Selection): Promise<ActOutcome> {
    try {
      return await this.#act(note, selection);
    } finally {
      this.#looks.forget();
    }
  }

  #act(note: OperationNote, selection: Selection): Promise<ActOutcome> {
    const by: ActedBy = actedBy(actingPerson(note, note.reason));
    if (note.act.kind === 'transfer') return this.#transfer(selection, note.act.queue, by);
    if (note.act.kind === 'reprioritise') return this.#store.reprioritise(selection, note.act.priority, by);
    const event = eventOf(note);
    if (event === 'redrive') return this.#store.redrive(selection, by);
    if (event === 'runNow') return this.#store.runNow(selection, by);
    return event === 'cancel' ? this.#store.cancel(selection, by) : this.#store.remove(selection, by);
  }

  /** A plan for it was only made where the store can. */
  async #transfer(selection: Selection, queue: string, by: ActedBy): Promise<ActOutcome> {
    return this.#store.transfer?.(selection, queue, by) ?? NOTHING;
  }
}

/** Whether the operation has acted on the job. */
function isDoneBy(note: OperationNote, job: JobDetail | undefined): boolean {
  const event = eventOf(note);
  return (
    job?.acts.some(
      ({ act, atMs, actor, reason }) =>
        act === event && atMs >= note.startsAtMs && actor === note.actor && reason === note.reason,
    ) ?? false
  );
}

/** Of a list of ids a step is an id; else a state. */
function pieceOf(
  note: OperationNote,
  step: number,
  cursor: string | undefined,
  limit: number,
): { readonly selection: Selection; readonly steps: number } | undefined {
  const { selection } = note;
  if ('ids' in selection) {
    const ids = selection.ids.slice(step, step + limit);
    return ids.length === 0 ? undefined : { selection: { ids }, steps: ids.length };
  }
  const state = fittingStates(note)[step];
  if (state === undefined) return undefined;
  const all = { ...selection.filter, state };
  return { selection: { all, asOf: note.asOf, limit, ...(cursor === undefined ? {} : { cursor }) }, steps: 1 };
}

function added(one: OperationNote['skipped'], other: ActOutcome['skipped']): OperationNote['skipped'] {
  const sum: Record<string, number> = { ...one };
  for (const [why, count] of Object.entries(other)) sum[why] = (sum[why] ?? 0) + count;
  return sum;
}
