import { type Enqueued, JOB_STATES, type Payload } from '@holdfast/contract';
import type { CheckedDedupe, EachAnswer, EnqueueAnswer, JobExtras, JobShape } from '../engine/engine-calls.js';
import { formatId } from '../identity.js';
import { invariant } from '../invariant.js';
import type { EnqueueBatch, EnqueuedBatch } from './job-calls.js';
import { RareColumn } from './number-columns.js';
import { PayloadColumnWriter } from './payload-column.js';
import { ShapeColumnWriter } from './shape-column.js';

/** Bytes that a job costs the engine besides its payload, roughly. */
const JOB_WEIGHT = 128;

/** Collects the jobs of many enqueue calls. */
export class EnqueueBatchWriter {
  readonly #shapes = new ShapeColumnWriter();
  readonly #payloads = new PayloadColumnWriter();
  readonly #delaysMs = new RareColumn();
  readonly #runAtsMs = new RareColumn();
  readonly #expiresInMs = new RareColumn();
  /** By place; few jobs have any. */
  #extras: (JobExtras | undefined)[] = [];
  #dedupes: (CheckedDedupe | undefined)[] = [];
  #weight = 0;

  get count(): number {
    return this.#payloads.count;
  }

  get weight(): number {
    return this.#weight;
  }

  add(
    shape: JobShape,
    payload: Payload,
    delayMs: number | undefined,
    runAtMs: number | undefined,
    expiresInMs: number | undefined,
    extras: JobExtras | undefined,
    dedupe: CheckedDedupe | undefined,
  ): void {
    const place = this.count;
    if (dedupe !== undefined) this.#dedupes[place] = dedupe;
    if (extras !== undefined) this.#extras[place] = extras;
    this.#delaysMs.put(place, delayMs);
    this.#runAtsMs.put(place, runAtMs);
    this.#expiresInMs.put(place, expiresInMs);
    this.#shapes.add(shape);
    this.#payloads.add(payload);
    this.#weight += JOB_WEIGHT + payload.length;
  }

  /** Forgets the jobs from `count` on. @param weight of those before them */
  cutTo(count: number, weight: number): void {
    this.#shapes.cutTo(count);
    this.#payloads.cutTo(count);
    this.#delaysMs.cutTo(count);
    this.#runAtsMs.cutTo(count);
    this.#expiresInMs.cutTo(count);
    if (this.#extras.length > count) this.#extras.length = count;
    if (this.#dedupes.length > count) this.#dedupes.length = count;
    this.#weight = weight;
  }

  /** What was added so far; the writer is empty afterwards. */
  take(): EnqueueBatch {
    const { count } = this;
    const delaysMs = this.#delaysMs.take(count);
    const runAtsMs = this.#runAtsMs.take(count);
    const expiresInMs = this.#expiresInMs.take(count);
    const batch: EnqueueBatch = {
      shapes: this.#shapes.take(),
      payloads: this.#payloads.take(),
      ...(delaysMs && { delaysMs }),
      ...(runAtsMs && { runAtsMs }),
      ...(this.#extras.length === 0 ? {} : { extras: Array.from(this.#extras) }),
      ...(this.#dedupes.length === 0 ? {} : { dedupes: Array.from(this.#dedupes) }),
      ...(expiresInMs && { expiresInMs }),
    };
    this.#extras = [];
    this.#dedupes = [];
    this.#weight = 0;
    return batch;
  }
}

/** @param intern turns shapes that came with this message into those that the engine knows already */
export function withKnownShapes(batch: EnqueueBatch, intern: (shape: JobShape) => JobShape): EnqueueBatch {
  return { ...batch, shapes: { ...batch.shapes, shapes: batch.shapes.shapes.map(intern) } };
}

export function writeEnqueued(answer: EnqueueAnswer): EnqueuedBatch {
  const { firstId, scheduled, each } = answer;
  if (each !== undefined) return { firstId, each };
  return scheduled.includes(1) ? { firstId, scheduled: Uint8Array.from(scheduled) } : { firstId };
}

const OUTCOMES = ['created', 'duplicate', 'replaced'] as const;

/** What became of one job of a call of which not all were created. */
export function eachAt({ ids, states, outcomes }: EachAnswer, index: number, storeTag: string): Enqueued {
  const state = JOB_STATES[states[index]!];
  const outcome = OUTCOMES[outcomes[index]!];
  invariant(state !== undefined && outcome !== undefined, 'an answer names a state and an outcome');
  return { id: formatId(storeTag, ids[index]!), state, outcome };
}
