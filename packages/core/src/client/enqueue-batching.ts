import { type Backoff, type Enqueued, InvalidJobError, type NewJob } from '@holdfast/contract';
import {
  checkEnqueue,
  checkExpiry,
  checkedDedupe,
  checkedExtras,
  checkedShape,
  checkPayload,
  checkStart,
  DEFAULT_BACKOFF,
  DEFAULT_MAX_ATTEMPTS,
  DEFAULT_PRIORITY,
} from '@holdfast/contract/rules';
import type { JobShape } from '../engine/engine-calls.js';
import { formatId } from '../identity.js';
import { EnqueueBatchWriter, eachAt } from '../protocol/enqueue-batch.js';
import type { EnqueueBatch, EnqueuedBatch } from '../protocol/job-calls.js';
import { buffersOf } from '../protocol/payload-column.js';
import { ShapeInterner } from '../protocol/shape-column.js';
import type { Batching } from './merged-calls.js';

/** Collects the jobs of a turn's enqueue calls and checks each before it is added. */
export class EnqueueBatching implements Batching<NewJob, EnqueueBatch, EnqueuedBatch, Enqueued> {
  readonly #writer = new EnqueueBatchWriter();
  readonly #shapes = new ShapeInterner();
  readonly #storeTag: () => string;
  #lastShape: JobShape | undefined;
  /** As the job of the last shape gave it, without what was filled in. */
  #lastBackoff: Partial<Backoff> = DEFAULT_BACKOFF;

  constructor(storeTag: () => string) {
    this.#storeTag = storeTag;
  }

  get count(): number {
    return this.#writer.count;
  }

  get weight(): number {
    return this.#writer.weight;
  }

  begin(jobs: readonly NewJob[]): void {
    checkEnqueue(jobs);
  }

  append(job: NewJob, index: number): void {
    if (typeof job !== 'object' || job === null) throw new InvalidJobError(index, 'job', 'must be an object');
    const shape = this.#shapeOf(job, index);
    // Read once: what is checked is what is stored, also where a getter gives something else each time.
    const { payload } = job;
    checkPayload(payload, index);
    const { delayMs, runAtMs, expiresInMs } = job;
    if (delayMs !== undefined || runAtMs !== undefined) checkStart(delayMs, runAtMs, index);
    if (expiresInMs !== undefined) checkExpiry(expiresInMs, delayMs, index);
    this.#writer.add(
      shape,
      payload,
      wholeMs(delayMs),
      wholeMs(runAtMs),
      wholeMs(expiresInMs),
      checkedExtras(job, index),
      job.dedupe === undefined ? undefined : checkedDedupe(job.dedupe, index),
    );
  }

  cutTo(count: number, weight: number): void {
    this.#writer.cutTo(count, weight);
  }

  take(): { args: EnqueueBatch; transfer: readonly ArrayBuffer[] } {
    const args = this.#writer.take();
    return { args, transfer: buffersOf(args.payloads) };
  }

  result(answer: EnqueuedBatch, index: number): Enqueued {
    const { each } = answer;
    if (each !== undefined) return eachAt(each, index, this.#storeTag());
    return {
      id: formatId(this.#storeTag(), answer.firstId + index),
      state: answer.scheduled?.[index] === 1 ? 'scheduled' : 'ready',
      outcome: 'created',
    };
  }

  /** Jobs that follow each other are mostly of one kind; a shape is checked when it is first seen. */
  #shapeOf(job: NewJob, index: number): JobShape {
    const { queue, name, priority = DEFAULT_PRIORITY, maxAttempts = DEFAULT_MAX_ATTEMPTS } = job;
    const backoff = job.backoff ?? DEFAULT_BACKOFF;
    const last = this.#lastShape;
    if (
      last !== undefined &&
      queue === last.queue &&
      name === last.name &&
      priority === last.priority &&
      maxAttempts === last.maxAttempts &&
      sameBackoff(backoff, this.#lastBackoff)
    ) {
      return last;
    }
    const shape = checkedShape({ queue, name, priority, maxAttempts, backoff }, index);
    this.#lastBackoff = { ...backoff };
    this.#lastShape = this.#shapes.intern(queue, name, priority, maxAttempts, shape.backoff, () => shape);
    return this.#lastShape;
  }
}

function sameBackoff(one: Partial<Backoff>, other: Partial<Backoff>): boolean {
  return (
    one.kind === other.kind &&
    one.baseMs === other.baseMs &&
    one.maxMs === other.maxMs &&
    one.jitter === other.jitter &&
    one.name === other.name
  );
}

function wholeMs(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.ceil(ms);
}
