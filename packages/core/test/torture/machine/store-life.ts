import type { CheckReport } from '../history/check-report.js';
import { HistoryChecker } from '../history/history-checker.js';
import type { HistoryEvent, ProcessEnded } from '../history/history-event.js';
import type { CheckOptions } from '../history/ledger.js';
import { Child, type ChildEnd, type ChildOptions } from './child-process.js';
import { JournalReader } from './journal-reader.js';
import { EXIT_UNCLOSED, type LifePlan } from './life-plan.js';
import { monotonicMs } from './monotonic.js';

export interface StoreLifeOptions {
  readonly directory: string;
  /** Outside of the directory, on a disk that nothing is done to. */
  readonly journal: string;
  readonly segmentBytes: number;
  readonly liveJobsMax?: number;
  readonly diskReserveBytes?: number;
  /** Told each event of the journal, when its process has ended. */
  onEvent?(event: HistoryEvent): void;
  readonly check?: Partial<CheckOptions>;
}

export type LifeOrder = Pick<LifePlan, 'what' | 'seed'> & Partial<Pick<LifePlan, 'ownEnd'>>;

const OLD_LEASES_TRIED = 5;
/** By count alone: clocks jump. */
const ENDED = { count: 100, ageMs: null };
const RETENTION = { completed: ENDED, cancelled: ENDED, dead: { count: 10_000_000, ageMs: null } };
const LIVE_JOBS_MAX = 400;
const END_MS_MAX = 90_000;

/** A store over many processes, each ended in some way and each checked against all before it. */
export class StoreLife {
  /** What is wrong beside the checker's violations: processes that ended by themselves. */
  readonly problems: string[] = [];
  /** When the store last said that it had failed. */
  failedAtMs = 0;
  readonly #options: StoreLifeOptions;
  readonly #reader: JournalReader;
  readonly #checker: HistoryChecker;
  #round = 0;
  #lastCall = 0;
  #oldLeases: { readonly id: string; readonly token: string }[] = [];

  constructor(options: StoreLifeOptions) {
    this.#options = options;
    this.#reader = new JournalReader(options.journal);
    this.#checker = new HistoryChecker(options.check);
  }

  get report(): CheckReport {
    return this.#checker.report;
  }

  get isWell(): boolean {
    return this.problems.length === 0 && this.report.violations.length === 0;
  }

  start(order: LifeOrder, options: ChildOptions = {}): Child {
    const { directory, journal, segmentBytes, diskReserveBytes } = this.#options;
    const plan: LifePlan = {
      ...order,
      directory,
      journal,
      segmentBytes,
      ...(diskReserveBytes === undefined ? {} : { diskReserveBytes }),
      round: ++this.#round,
      retention: RETENTION,
      liveJobsMax: this.#options.liveJobsMax ?? LIVE_JOBS_MAX,
      firstCall: this.#lastCall,
      oldLeases: this.#oldLeases,
    };
    return new Child('life.mjs', [JSON.stringify(plan)], options);
  }

  /** Waits for the end of a process that is being killed, or ends by itself if it was told to close. */
  async end(child: Child, how: ProcessEnded['how'], atMs = monotonicMs()): Promise<void> {
    const { code, errors } = await this.#endOf(child);
    const expected = how === 'exit' ? [0] : ['SIGKILL', EXIT_UNCLOSED];
    if (expected.includes(code)) this.#noteEnd(how, atMs);
    else this.#noteEnd(how, atMs, `ended (${code}): ${errors}`);
  }

  /**
   * Waits for a process that may be refused the store, with an error whose code begins like this.
   * @returns whether it was
   */
  async endOrBeRefused(child: Child, code: string): Promise<boolean> {
    const end = await this.#endOf(child);
    const refused = end.code === 1 && end.errors.includes(code);
    if (end.code === 0 || refused) this.#noteEnd('exit', monotonicMs());
    else this.#noteEnd('exit', monotonicMs(), `ended (${end.code}): ${end.errors}`);
    return refused;
  }

  /** Settles every job, closes, opens once more to see that all is done, and checks the whole. */
  async finish(seed: number, options: ChildOptions = {}): Promise<CheckReport> {
    await this.end(this.start({ what: 'drain', seed }, options), 'exit');
    await this.end(this.start({ what: 'look', seed }, options), 'exit');
    return this.#checker.finish();
  }

  async #endOf(child: Child): Promise<ChildEnd> {
    const tooLong = setTimeout(() => {
      this.problems.push(`Process ${child.pid} of round ${this.#round} has not ended after ${END_MS_MAX} ms.`);
      child.kill();
    }, END_MS_MAX);
    const end = await child.ended;
    clearTimeout(tooLong);
    return end;
  }

  #noteEnd(how: ProcessEnded['how'], atMs: number, problem?: string): void {
    if (problem !== undefined) this.problems.push(`The process of round ${this.#round} ${problem}`);
    for (const event of this.#reader.noteEnd({ event: 'ended', how, atMs })) this.#take(event);
  }

  #take(event: HistoryEvent): void {
    this.#checker.take(event);
    this.#options.onEvent?.(event);
    if ('call' in event) this.#lastCall = Math.max(this.#lastCall, event.call);
    if (event.event === 'health' && event.status === 'failed') this.failedAtMs = event.atMs;
    if (event.event === 'started') this.#oldLeases = [];
    if (event.event !== 'claimed') return;
    this.#oldLeases.push(...event.jobs.map(({ id, token }) => ({ id, token })));
    this.#oldLeases = this.#oldLeases.slice(-OLD_LEASES_TRIED);
  }
}
