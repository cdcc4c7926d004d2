import type { HoldfastError } from '@holdfast/contract';
import type { CallNames, CallTable } from '../protocol/turn-messages.js';
import type { CallSource, PendingCall, PortClient } from './port-client.js';

/** Makes one call of many: collects items, and tells from the one answer what became of each. */
export interface Batching<Item, Args, Answer, Result> {
  /** Items collected so far. */
  readonly count: number;
  readonly weight: number;
  /** Looks at a call as a whole before its items are appended. Throws to refuse it. */
  begin(items: readonly Item[]): void;
  /** @param index of the item within its own call, for errors. Throws to refuse the whole call. */
  append(item: Item, index: number): void;
  /** Forgets the items from `count` on. @param weight of those before them */
  cutTo(count: number, weight: number): void;
  /** The collected items; afterwards there are none. */
  take(): { readonly args: Args; readonly transfer: readonly ArrayBuffer[] };
  /** What became of one item. */
  result(answer: Answer, index: number): Result;
}

/** A batch is handed over before the end of its turn when it has grown to this, so that the engine starts on it meanwhile. */
const BATCH_ITEMS_MAX = 512;
const BATCH_WEIGHT_MAX = 1024 * 1024;

/** Merges all calls of one kind that are made in a turn, and answers each from its part of the one answer. */
export class MergedCalls<Calls extends CallTable, Name extends CallNames<Calls>, Item, Result> implements CallSource {
  readonly #client: PortClient<Calls>;
  readonly #method: Name;
  readonly #batching: Batching<Item, Calls[Name]['args'], Calls[Name]['answer'], Result>;
  #callers = new Callers<Result>();

  constructor(
    client: PortClient<Calls>,
    method: Name,
    batching: Batching<Item, Calls[Name]['args'], Calls[Name]['answer'], Result>,
  ) {
    this.#client = client;
    this.#method = method;
    this.#batching = batching;
    client.addSource(this);
  }

  /** All items or, where one of them is refused, none. Resolves with a result for each, in order. */
  add(items: readonly Item[]): Promise<Result[]> {
    const batching = this.#batching;
    const { count, weight } = batching;
    try {
      batching.begin(items);
      for (let index = 0; index < items.length; index++) batching.append(items[index]!, index);
    } catch (error) {
      batching.cutTo(count, weight);
      return Promise.reject(error);
    }
    if (items.length === 0) return Promise.resolve([]);
    const results = this.#callers.add(items.length);
    if (batching.count >= BATCH_ITEMS_MAX || batching.weight >= BATCH_WEIGHT_MAX) this.#client.flush();
    else this.#client.flushSoon();
    return results;
  }

  handOver(): void {
    if (this.#batching.count === 0) return;
    const callers = this.#callers;
    this.#callers = new Callers();
    const weight = this.#batching.weight;
    const { args, transfer } = this.#batching.take();
    const pending: PendingCall = {
      outcomeWhenLost: 'unknown',
      settled: (error, answer: Calls[Name]['answer']) => {
        if (error !== undefined) callers.reject(error);
        else callers.resolve((index) => this.#batching.result(answer, index));
      },
    };
    this.#client.addMerged(this.#method, args, weight, pending, transfer);
  }
}

/** The promises of the calls that went into one batch. */
class Callers<Result> {
  readonly #counts: number[] = [];
  readonly #resolves: ((results: Result[]) => void)[] = [];
  readonly #rejects: ((error: HoldfastError) => void)[] = [];
  /** One function for all promises: a closure for each call would be most of what a call costs. */
  readonly #keep = (resolve: (results: Result[]) => void, reject: (error: HoldfastError) => void): void => {
    this.#resolves.push(resolve);
    this.#rejects.push(reject);
  };

  add(count: number): Promise<Result[]> {
    this.#counts.push(count);
    return new Promise<Result[]>(this.#keep);
  }

  resolve(resultAt: (index: number) => Result): void {
    let next = 0;
    for (let caller = 0; caller < this.#counts.length; caller++) {
      // Made at its size: a list that is pushed to has room for seventeen.
      const results = new Array<Result>(this.#counts[caller]!);
      for (let index = 0; index < results.length; index++) results[index] = resultAt(next++);
      this.#resolves[caller]!(results);
    }
  }

  /** Each caller gets the same error: it concerns all that was asked. */
  reject(error: HoldfastError): void {
    for (const reject of this.#rejects) reject(error);
  }
}
