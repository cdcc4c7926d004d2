import type { Payload } from '@holdfast/contract';
import type { EngineJob, EnqueueAnswer, JobExtras, JobShape } from '../engine/engine-calls.js';
import type { EnqueueBatch, EnqueuedBatch } from './job-calls.js';
import { PayloadColumnReader, PayloadColumnWriter } from './payload-column.js';
import { ShapeColumnWriter, shapeAt } from './shape-column.js';

/** Bytes that a job costs the engine besides its payload, roughly. */
const JOB_WEIGHT = 128;

/** Collects the jobs of many enqueue calls. */
export class EnqueueBatchWriter {
  readonly #shapes = new ShapeColumnWriter();
  readonly #payloads = new PayloadColumnWriter();
  #delaysMs: number[] = [];
  #runAtsMs: number[] = [];
  #expiresInMs: number[] = [];
  /** By place; few jobs have any. */
  #extras: (JobExtras | undefined)[] = [];
  #someExpire = false;
  #someDelayed = false;
  #someTimed = false;
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
    if (extras !== undefined) this.#extras[this.count] = extras;
    this.#shapes.add(shape);
    this.#payloads.add(payload);
    this.#delaysMs.push(delayMs ?? Number.NaN);
    this.#runAtsMs.push(runAtMs ?? Number.NaN);
    this.#expiresInMs.push(expiresInMs ?? Number.NaN);
    if (expiresInMs !== undefined) this.#someExpire = true;
    if (delayMs !== undefined) this.#someDelayed = true;
    if (runAtMs !== undefined) this.#someTimed = true;
    this.#weight += JOB_WEIGHT + payload.length;
  }

  /** Forgets the jobs from `count` on. */
  cutTo(count: number): void {
    this.#shapes.cutTo(count);
    this.#payloads.cutTo(count);
    this.#delaysMs.length = count;
    this.#runAtsMs.length = count;
    this.#expiresInMs.length = count;
    if (this.#extras.length > count) this.#extras.length = count;
  }

  /** What was added so far; the writer is empty afterwards. */
  take(): EnqueueBatch {
    const batch: EnqueueBatch = {
      shapes: this.#shapes.take(),
      payloads: this.#payloads.take(),
      ...(this.#someDelayed ? { delaysMs: Float64Array.from(this.#delaysMs) } : {}),
      ...(this.#someTimed ? { runAtsMs: Float64Array.from(this.#runAtsMs) } : {}),
      ...(this.#extras.length === 0 ? {} : { extras: Array.from(this.#extras) }),
      ...(this.#someExpire ? { expiresInMs: Float64Array.from(this.#expiresInMs) } : {}),
    };
    this.#delaysMs = [];
    this.#runAtsMs = [];
    this.#expiresInMs = [];
    this.#extras = [];
    this.#someExpire = false;
    this.#someDelayed = false;
    this.#someTimed = false;
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
