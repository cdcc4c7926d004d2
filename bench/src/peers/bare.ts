import { Worker } from 'node:worker_threads';
import type { Order } from '../order.js';
import type { Peer } from '../peer.js';
import type { BareBatch } from './bare-thread.js';

/**
 * What no store in Node can pass: JSON.stringify and one promise a call here, the jobs of a turn as one message to a thread that
 * puts them into a frame with a CRC for each record and one for all, writes and syncs it, and says so. There is no job: no id,
 * no state, nothing to claim, no checks, no bounds.
 */
export async function openBare(directory: string): Promise<Peer> {
  const thread = new Worker(new URL('./bare-thread.js', import.meta.url), { workerData: directory });
  await new Promise((resolve) => thread.once('message', resolve));
  const bare = new Bare(thread);
  return {
    enqueue: (order) => bare.add([order]),
    enqueueMany: (orders) => bare.add(orders),
    work() {
      throw new Error('The bare limit has no jobs to hand out.');
    },
    async close() {
      await thread.terminate();
    },
  };
}

class Bare {
  readonly #thread: Worker;
  #texts: string[] = [];
  #lengths: number[] = [];
  #resolves: (() => void)[] = [];
  /** Those of each batch under way, the oldest first. */
  readonly #sent: (() => void)[][] = [];
  readonly #keep = (resolve: () => void): void => {
    this.#resolves.push(resolve);
  };

  constructor(thread: Worker) {
    this.#thread = thread;
    thread.on('message', () => {
      for (const resolve of this.#sent.shift() ?? []) resolve();
    });
  }

  add(orders: readonly Order[]): Promise<void> {
    if (this.#texts.length === 0) process.nextTick(() => this.#send());
    for (const order of orders) {
      const text = JSON.stringify(order);
      this.#texts.push(text);
      this.#lengths.push(text.length);
    }
    return new Promise(this.#keep);
  }

  #send(): void {
    const batch: BareBatch = { text: this.#texts.join(''), lengths: Uint32Array.from(this.#lengths) };
    this.#sent.push(this.#resolves);
    this.#texts = [];
    this.#lengths = [];
    this.#resolves = [];
    this.#thread.postMessage(batch);
  }
}
