import type { Payload } from '@holdfast/contract';
import type { EngineJob, EnqueueAnswer, JobExtras, JobShape } from '../engine/engine-calls.js';
import type { EnqueueBatch, EnqueuedBatch } from './job-calls.js';
import { RareColumn } from './number-columns.js';
import { PayloadColumnReader, PayloadColumnWriter } from './payload-column.js';
import { ShapeColumnWriter, shapeAt } from './shape-column.js';

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
  ): void {
    const place = this.count;
    if (extras !== undefined) this.#extras[place] = extras;
    this.#delaysMs.put(place, delayMs);
    this.#runAtsMs.put(place, runAtMs);
    this.#expiresInMs.put(place, expiresInMs);
    this.#shapes.add(shape);
    this.#payloads.add(payload);
    this.#weight += JOB_WEIGHT + payload.length;
  }

  /** Forgets the jobs from `count` on. */
  cutTo(count: number): void {
    this.#shapes.cutTo(count);
    this.#payloads.cutTo(count);
    this.#delaysMs.cutTo(count);
    this.#runAtsMs.cutTo(count);
    this.#expiresInMs.cutTo(count);
    if (this.#extras.length > count) this.#extras.length = count;
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
      ...(expiresInMs && { expiresInMs }),
    };
    this.#extras = [];
    this.#weight = 0;
    return batch;
  }
}

/** @param intern turns shapes that came with this message into those that the engine knows already */
export function readEnqueueBatch(batch: EnqueueBatch, intern: (shape: JobShape) => JobShape): EngineJob[] {
  const shapes = { ...batch.shapes, shapes: batch.shapes.shapes.map(intern) };
  const payloads = new PayloadColumnReader(batch.payloads);
  const jobs: EngineJob[] = [];
  for (let index = 0; index < batch.payloads.lengths.length; index++) {
    jobs.push({
      shape: shapeAt(shapes, index),
      payload: payloads.nextPresent(),
      delayMs: given(batch.delaysMs?.[index]),
      runAtMs: given(batch.runAtsMs?.[index]),
      expiresInMs: given(batch.expiresInMs?.[index]),
      extras: batch.extras?.[index],
    });
  }
  return jobs;
}

export function writeEnqueued(answer: EnqueueAnswer): EnqueuedBatch {
  const { firstId, scheduled } = answer;
  return scheduled.includes(1) ? { firstId, scheduled: Uint8Array.from(scheduled) } : { firstId };
}

function given(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}
