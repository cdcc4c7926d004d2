import type { HoldfastError } from '@holdfast/contract';
import type { Call, DurableCall } from './commits.js';
import type { Done, EngineJobs, EngineRequest, EnqueueAnswer } from './engine-calls.js';

/** Who is told that jobs are durable. */
export interface EnqueueOwner {
  publish(count: number, startedMs: number): void;
}

/** One enqueue whose records are on their way to the disk. */
export class EnqueueCall implements DurableCall {
  seq = 0;
  readonly bytes: number;
  readonly #owner: EnqueueOwner;
  readonly #startedMs: number;
  readonly #answer: EnqueueAnswer;
  readonly #created: number;
  readonly #done: Done<EnqueueAnswer>;

  /** @param created how many of its jobs are hidden until then */
  constructor(
    owner: EnqueueOwner,
    startedMs: number,
    answer: EnqueueAnswer,
    created: number,
    bytes: number,
    done: Done<EnqueueAnswer>,
  ) {
    this.#owner = owner;
    this.#startedMs = startedMs;
    this.#answer = answer;
    this.#created = created;
    this.bytes = bytes;
    this.#done = done;
  }

  durable(): void {
    this.#owner.publish(this.#created, this.#startedMs);
  }

  finish(error: HoldfastError | undefined): void {
    this.#done(error, error === undefined ? this.#answer : undefined);
  }
}

/** An enqueue that stores nothing: a repeated one, whose answer is given again when what it says is durable. */
export class AnsweredCall implements DurableCall {
  seq = 0;
  readonly bytes = 0;
  readonly #answer: EnqueueAnswer;
  readonly #done: Done<EnqueueAnswer>;

  constructor(answer: EnqueueAnswer, done: Done<EnqueueAnswer>) {
    this.#answer = answer;
    this.#done = done;
  }

  durable(): void {}

  finish(error: HoldfastError | undefined): void {
    this.#done(error, error === undefined ? this.#answer : undefined);
  }
}

/** One enqueue for which the disk has no room. Nothing of it was applied. */
export class RefusedEnqueue implements Call {
  readonly #refusal: HoldfastError;
  readonly #done: Done<EnqueueAnswer>;

  constructor(refusal: HoldfastError, done: Done<EnqueueAnswer>) {
    this.#refusal = refusal;
    this.#done = done;
  }

  finish(): void {
    this.#done(this.#refusal, undefined);
  }
}

/** One enqueue that waits until fewer bytes are before the disk. Nothing of it was applied. */
export class WaitingEnqueue implements Call {
  readonly jobs: EngineJobs;
  readonly request: EngineRequest | undefined;
  readonly done: Done<EnqueueAnswer>;

  constructor(jobs: EngineJobs, request: EngineRequest | undefined, done: Done<EnqueueAnswer>) {
    this.jobs = jobs;
    this.request = request;
    this.done = done;
  }

  finish(error: HoldfastError | undefined): void {
    this.done(error, undefined);
  }
}
