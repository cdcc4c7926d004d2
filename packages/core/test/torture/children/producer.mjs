import { setTimeout as pause } from 'node:timers/promises';
import { makePayload } from './payload.mjs';

/** @typedef {import('./recorded-store.mjs').RecordedStore} RecordedStore */
/** @typedef {import('../seeded.mjs').Seeded} Seeded */
/** @typedef {import('@holdfast/contract').NewJob} NewJob */

const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1);

/** Enqueues all kinds of jobs, one call after the other. */
export class Producer {
  #store;
  #random;
  #name;
  #backlog;
  #made = 0;

  /**
   * @param {RecordedStore} store
   * @param {Seeded} random
   * @param {string} name different from that of every other producer, also those of earlier processes
   * @param {{ jobs: number, jobsMax: number }} backlog
   */
  constructor(store, random, name, backlog) {
    this.#store = store;
    this.#random = random;
    this.#name = name;
    this.#backlog = backlog;
  }

  async run() {
    for (;;) {
      if (this.#backlog.jobs > this.#backlog.jobsMax) {
        await pause(5);
        continue;
      }
      const count = this.#random.chance(0.5) ? 1 : 1 + this.#random.below(20);
      const jobs = Array.from({ length: count }, () => this.#job());
      if (this.#random.chance(0.02)) jobs.push({ ...this.#job(), payload: `${this.#key()}\n${TOO_LARGE}` });
      this.#backlog.jobs += count;
      const enqueued = await this.#store.enqueue(jobs);
      if (enqueued === undefined) await pause(20);
      else if (this.#random.chance(0.2)) await pause(this.#random.below(10));
    }
  }

  /** @returns {NewJob} */
  #job() {
    const random = this.#random;
    const queue = random.pick(['mail', 'mail', 'pay', 'later']);
    return {
      queue,
      name: random.pick(['one', 'two']),
      payload: makePayload(this.#key(), random),
      priority: random.pick([0, 0, 0, 1, 4_294_967_295]),
      maxAttempts: random.pick([1, 3, 5, 8, 12, null]),
      backoff: { kind: 'fixed', baseMs: 1 + random.below(40), maxMs: 1000, jitter: 'none' },
      ...(queue === 'later' ? { delayMs: 1 + random.below(300) } : {}),
    };
  }

  #key() {
    return `${this.#name}.${++this.#made}`;
  }
}
