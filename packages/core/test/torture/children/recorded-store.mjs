import { openLogStore } from '@holdfast/core';
import { monotonicMs } from './journal.mjs';
import { seenPayload } from './payload.mjs';

/** @typedef {import('@holdfast/core').LogStore} LogStore */
/** @typedef {import('@holdfast/contract').NewJob} NewJob */
/** @typedef {import('@holdfast/contract').LeasedJob} LeasedJob */
/** @typedef {import('@holdfast/contract').JobRow} JobRow */
/** @typedef {import('./journal.mjs').Journal} Journal */
/** @typedef {{ readonly id: string, readonly token: string }} LeaseRef */

const RESERVE_BYTES = 256 * 1024;
const ERROR = { class: 'Tortured', message: 'It failed, as it was told to.' };

/** A store whose every call is noted before it is made, and after it was answered. Calls that fail answer `undefined`. */
export class RecordedStore {
  /** Jobs that were dead when the store was opened.
   * @type {string[]} */
  dead = [];
  /** And those that were cancelled.
   * @type {string[]} */
  cancelled = [];
  #store;
  #journal;
  #call;

  /**
   * Opens the store and notes everything that it shows.
   * @param {Journal} journal
   * @param {{ directory: string, segmentBytes: number, retention: import('@holdfast/contract').RetentionOptions, diskReserveBytes?: number, firstCall: number }} options
   */
  static async open(journal, options) {
    const { directory, segmentBytes, retention, diskReserveBytes = RESERVE_BYTES } = options;
    const store = await openLogStore({ directory, segmentBytes, retention, diskReserveBytes });
    const recorded = new RecordedStore(store, journal, options.firstCall);
    recorded.onHealth((status) => journal.note({ event: 'health', status, atMs: monotonicMs() }));
    await recorded.#noteOpened();
    return recorded;
  }

  /**
   * @param {LogStore} store
   * @param {Journal} journal
   * @param {number} firstCall
   */
  constructor(store, journal, firstCall) {
    this.#store = store;
    this.#journal = journal;
    this.#call = firstCall;
  }

  /** @param {(status: string) => void} listener */
  onHealth(listener) {
    this.#store.onHealthChange(({ status }) => listener(status));
  }

  /** Jobs that are not done with. */
  async liveJobs() {
    const queues = await this.#store.queues();
    return queues.reduce((sum, { counts }) => sum + counts.scheduled + counts.ready + counts.leased, 0);
  }

  async noteSyncs() {
    const { syncLatency } = await this.#store.metrics();
    const longestMs = Math.max(0, ...syncLatency.map(({ maxMs }) => maxMs));
    this.#journal.note({ event: 'syncs', longestMs, atMs: monotonicMs() });
  }

  /** @param {readonly NewJob[]} jobs */
  async enqueue(jobs) {
    const call = ++this.#call;
    const asked = jobs.map(({ queue, priority = 0, maxAttempts = 5, delayMs = 0, payload }) => {
      return { queue, priority, maxAttempts, delayMs, ...seenPayload(payload) };
    });
    this.#journal.note({ event: 'enqueue', call, wallMs: Date.now(), jobs: asked, atMs: monotonicMs() });
    return this.#answer(call, this.#store.enqueue(jobs), (enqueued) => {
      this.#journal.note({ event: 'enqueued', call, ids: enqueued.map(({ id }) => id), atMs: monotonicMs() });
    });
  }

  /** @param {{ queues: readonly string[], limit: number, leaseMs: number, waitMs: number }} request */
  async claim(request) {
    const call = ++this.#call;
    const { queues, leaseMs } = request;
    this.#journal.note({ event: 'claim', call, queues, leaseMs, atMs: monotonicMs() });
    return this.#answer(call, this.#store.claim({ ...request, worker: `worker ${process.pid}` }), (leased) => {
      const jobs = leased.map(({ id, token, attempt, queue, priority, maxAttempts, payload }) => {
        return { id, token, attempt, queue, priority, maxAttempts, ...seenPayload(payload) };
      });
      this.#journal.note({ event: 'claimed', call, wallMs: Date.now(), jobs, atMs: monotonicMs() });
    });
  }

  /** @param {readonly LeaseRef[]} items */
  ack(items) {
    return this.#settle('ack', items, {}, () => this.#store.ack(items));
  }

  /**
   * @param {readonly LeaseRef[]} items
   * @param {boolean} dead
   */
  fail(items, dead) {
    /** @type {'dead' | 'backoff'} */
    const then = dead ? 'dead' : 'backoff';
    const failures = items.map((item) => ({ ...item, error: ERROR, then }));
    return this.#settle('fail', items, { dead }, () => this.#store.fail(failures));
  }

  /** @param {readonly LeaseRef[]} items */
  release(items) {
    return this.#settle('release', items, {}, () => this.#store.release(items));
  }

  /**
   * @param {readonly LeaseRef[]} items
   * @param {number} leaseMs
   */
  extend(items, leaseMs) {
    return this.#settle('extend', items, { leaseMs }, () =>
      this.#store.extend(items.map((item) => ({ ...item, leaseMs }))),
    );
  }

  /**
   * @param {import('../history/history-event.js').ActKind} kind
   * @param {string} id
   */
  async act(kind, id) {
    const call = ++this.#call;
    this.#journal.note({ event: 'act', call, kind, id, atMs: monotonicMs() });
    return this.#answer(call, this.#store[kind]({ ids: [id] }, { actor: 'torture' }), ({ done }) => {
      this.#journal.note({ event: 'acted', call, done: done === 1, atMs: monotonicMs() });
    });
  }

  async close() {
    await this.#store.close();
    this.#journal.note({ event: 'closed', atMs: monotonicMs() });
  }

  /**
   * @param {'ack' | 'fail' | 'release' | 'extend'} kind
   * @param {readonly LeaseRef[]} items
   * @param {{ dead?: boolean, leaseMs?: number }} more
   * @param {() => Promise<string[]>} settle
   */
  async #settle(kind, items, more, settle) {
    const call = ++this.#call;
    const noted = items.map(({ id, token }) => ({ id, token }));
    this.#journal.note({ event: 'settle', call, kind, items: noted, ...more, atMs: monotonicMs() });
    return this.#answer(call, settle(), (answers) => {
      this.#journal.note({ event: 'settled', call, answers, atMs: monotonicMs() });
    });
  }

  /**
   * @template Answer
   * @param {number} call
   * @param {Promise<Answer>} asked
   * @param {(answer: Answer) => void} note
   * @returns {Promise<Answer | undefined>}
   */
  async #answer(call, asked, note) {
    try {
      const answer = await asked;
      note(answer);
      return answer;
    } catch (error) {
      const { outcome, code } = /** @type {import('@holdfast/contract').HoldfastError} */ (error);
      if (outcome === undefined) throw error;
      this.#journal.note({ event: 'failed', call, outcome, code, atMs: monotonicMs() });
      return undefined;
    }
  }

  async #noteOpened() {
    const { storeId, recovery, segments, bytes } = await this.#store.storage();
    const { epoch, kind, tornTail, leasesEnded } = recovery;
    this.#journal.note({
      event: 'opened',
      storeId,
      epoch,
      recovery: kind,
      tornBytes: tornTail?.bytes ?? 0,
      leasesEnded: leasesEnded.retried + leasesEnded.dead,
      firstSegment: segments[0]?.number ?? 1,
      bytes,
      wallMs: Date.now(),
      atMs: monotonicMs(),
    });
    await this.#noteRows();
    const queues = await this.#store.queues();
    this.#journal.note({
      event: 'counts',
      counts: Object.fromEntries(queues.map(({ name, counts }) => [name, counts])),
    });
  }

  async #noteRows() {
    /** @type {string | undefined} */
    let cursor;
    do {
      const page = await this.#store.browse({}, cursor === undefined ? { limit: 200 } : { limit: 200, cursor });
      await Promise.all(page.rows.map((row) => this.#noteRow(row)));
      cursor = page.next;
    } while (cursor !== undefined);
  }

  /** @param {JobRow} row */
  async #noteRow({ id, state, queue, priority, attempts, maxAttempts }) {
    const row = { id, state, queue, priority, attempts, maxAttempts };
    if (state === 'completed') return this.#journal.note({ event: 'row', ...row });
    if (state === 'dead') this.dead.push(id);
    if (state === 'cancelled') this.cancelled.push(id);
    const job = await this.#store.job(id);
    const attemptLog = job?.attemptLog ?? [];
    // Those before the last redrive are not asked for.
    const from = attemptLog.findLastIndex(({ attempt }) => attempt === 1);
    this.#journal.note({
      event: 'row',
      ...row,
      payload: seenPayload(job?.payload ?? ''),
      ...(state === 'dead' ? { outcomes: attemptLog.slice(from).map(({ outcome }) => outcome) } : {}),
    });
  }
}
