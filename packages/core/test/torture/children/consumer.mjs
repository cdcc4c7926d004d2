import { setTimeout as pause } from 'node:timers/promises';

/** @typedef {import('./recorded-store.mjs').RecordedStore} RecordedStore */
/** @typedef {import('../seeded.mjs').Seeded} Seeded */
/** @typedef {import('./recorded-store.mjs').LeaseRef} LeaseRef */

const QUEUES = ['mail', 'pay', 'later'];
/** Leases that are over: some are tried again to see them refused. */
const OLD_LEASES_KEPT = 20;

/** Claims jobs and ends their leases in every way that there is, right and wrong. */
export class Consumer {
  #store;
  #random;
  /** @type {LeaseRef[]} */
  #old = [];

  /**
   * @param {RecordedStore} store
   * @param {Seeded} random
   */
  constructor(store, random) {
    this.#store = store;
    this.#random = random;
  }

  /** @param {readonly LeaseRef[]} oldLeases of an earlier process */
  async run(oldLeases) {
    const random = this.#random;
    this.#old.push(...oldLeases);
    for (;;) {
      const jobs = await this.#store.claim({
        queues: random.chance(0.5) ? QUEUES : [random.pick(['mail', 'pay', 'later'])],
        limit: 1 + random.below(16),
        leaseMs: 100 + random.below(900),
        waitMs: random.pick([0, 5, 40]),
      });
      await this.#handle(jobs ?? []);
      if (random.chance(0.3)) await this.#tryOld();
      const dead = random.chance(0.3) ? this.#store.dead.shift() : undefined;
      if (dead !== undefined) await this.#store.act(random.chance(0.8) ? 'redrive' : 'remove', dead);
      if (random.chance(0.2)) await this.#cancelOld();
      if (jobs === undefined) await pause(20);
    }
  }

  /** Acks all that there is, until nothing is left. */
  async drain() {
    do {
      const jobs = await this.#store.claim({ queues: QUEUES, limit: 100, leaseMs: 5000, waitMs: 50 });
      if (jobs !== undefined && jobs.length > 0) await this.#store.ack(jobs);
    } while ((await this.#store.liveJobs()) > 0);
  }

  /** @param {readonly LeaseRef[]} jobs */
  async #handle(jobs) {
    const random = this.#random;
    /** @type {LeaseRef[]} */
    const acks = [];
    for (const job of jobs) {
      const dice = random.fraction();
      if (dice < 0.65) acks.push(job);
      else if (dice < 0.8) await this.#fail(job, random.chance(0.3));
      else if (dice < 0.88) await this.#store.release([job]);
      else if (dice < 0.94) await this.#extendAndAck(job);
      else if (dice < 0.97) await this.#cancelAndAck(job);
      // The rest is forgotten: its lease ends by itself.
    }
    if (random.chance(0.2)) await pause(random.below(30));
    if (acks.length > 0) await this.#ack(acks);
    this.#remember(jobs);
  }

  /** @param {readonly LeaseRef[]} jobs */
  async #ack(jobs) {
    const first = this.#store.ack(jobs);
    if (this.#random.chance(0.1)) await this.#store.ack(jobs);
    await first;
  }

  /**
   * @param {LeaseRef} job
   * @param {boolean} dead
   */
  async #fail(job, dead) {
    const answers = await this.#store.fail([job], dead);
    if (dead && answers?.[0] === 'ok') this.#store.dead.push(job.id);
  }

  /** The ack comes too late then. @param {LeaseRef} job */
  async #cancelAndAck(job) {
    await this.#store.act('cancel', job.id);
    await this.#store.ack([job]);
  }

  /** @param {LeaseRef} job */
  async #extendAndAck(job) {
    await this.#store.extend([job], 100 + this.#random.below(400));
    await pause(this.#random.below(150));
    await this.#store.ack([job]);
  }

  /** @param {readonly LeaseRef[]} jobs */
  #remember(jobs) {
    this.#old.push(...jobs.map(({ id, token }) => ({ id, token })));
    this.#old.splice(0, this.#old.length - OLD_LEASES_KEPT);
  }

  /** A job that was held a while ago: by now it is anything, or leased by another. */
  async #cancelOld() {
    const job = this.#old[this.#random.below(this.#old.length)];
    if (job === undefined) return;
    await this.#store.act(this.#random.chance(0.7) ? 'cancel' : 'remove', job.id);
  }

  async #tryOld() {
    const [job] = this.#old.splice(0, 1);
    if (job === undefined) return;
    if (this.#random.chance(0.7)) await this.#store.ack([job]);
    else await this.#store.extend([job], 1000);
  }
}
