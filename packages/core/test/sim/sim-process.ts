import type { HoldfastError, JobDetail } from '@holdfast/contract';
import type { Done } from '../../src/engine/engine-calls.js';
import type { LogEngine } from '../../src/engine/log-engine.js';
import type { Moment } from './delivery-check.js';
import type { Ledger } from './ledger.js';
import { leasesExpired } from './settle-check.js';
import type { SimFileSystem } from './sim-file-system.js';
import type { SimWorld } from './sim-world.js';

/** One process with an open store: passes calls on, and holds every answer against the ledger. */
export class SimProcess {
  readonly world: SimWorld;
  readonly ledger: Ledger;
  readonly files: SimFileSystem;
  readonly engine: LogEngine;
  /** The engine has said that its log failed. */
  fatal: HoldfastError | undefined;
  /** The disk has refused something that an engine must not go on after. */
  diskFailed = false;
  /** When the engine asked first whether the application is alive, and was not answered yet. */
  #askedMs: number | undefined;
  /** Changed by every answer: the same seed gives the same number. */
  transcript = 0;
  calls = 0;
  #unanswered = 0;
  #writtenSeq = 0;
  #closing = false;

  /** @throws what an open throws, or ProcessEnded */
  constructor(world: SimWorld, ledger: Ledger, files: SimFileSystem) {
    this.world = world;
    this.ledger = ledger;
    this.files = files;
    ledger.readsFail = files.readFailures > 0;
    this.engine = world.open(files, {
      onFatal: (error) => {
        this.fatal = error;
      },
      onLeasesDue: () => {
        this.#askedMs ??= world.clock.monotonicMs();
      },
    });
  }

  get epoch(): number {
    return this.engine.storage().recovery.epoch;
  }

  get leasesDue(): boolean {
    return this.#askedMs !== undefined;
  }

  get isClosing(): boolean {
    return this.#closing;
  }

  get moment(): Moment {
    const { clock } = this.world;
    return { wallMs: clock.now(), monotonicMs: clock.monotonicMs(), seq: this.writtenSeq };
  }

  /** The last commit that was written; once the engine has ended, the last that was known. */
  get writtenSeq(): number {
    if (!this.#closing && this.fatal === undefined && !this.diskFailed) {
      this.#writtenSeq = Number(this.engine.storage().segments.at(-1)!.lastSeq);
    }
    return this.#writtenSeq;
  }

  /** What a call is given to answer to. @param heard is told of answers that are no errors; `failed` of the others */
  answer<Answer>(heard: (answer: Answer) => void, failed: (error: HoldfastError) => void = () => {}): Done<Answer> {
    let answers = 0;
    const { checks } = this.ledger;
    this.calls++;
    this.#unanswered++;
    return (error, answer) => {
      this.#unanswered--;
      checks.that(23, ++answers === 1, () => `a call is answered ${answers} times`);
      this.note(error?.code ?? JSON.stringify(answer));
      if (error !== undefined) {
        failed(error);
        return;
      }
      checks.that(22, !this.diskFailed, () => 'a call is answered as well after the disk had failed');
      this.#noteDurable();
      heard(answer as Answer);
    };
  }

  /** The disk is healthy while somebody only looks. */
  readJob(id: number): JobDetail | undefined {
    const { readFailures } = this.files;
    this.files.readFailures = 0;
    try {
      return this.engine.job(`${this.engine.storeTag}-${id.toString(36)}`);
    } finally {
      this.files.readFailures = readFailures;
    }
  }

  endTurn(): void {
    this.engine.endTurn();
    this.#noteDurable();
  }

  finishSyncs(): void {
    this.files.finishSyncs();
    this.#noteDurable();
  }

  /** Time passes, and the engine's timers with it. */
  advance(ms: number): void {
    this.world.clock.advanceNow(ms);
    this.world.noteWall();
    this.#noteDurable();
    if (this.fatal === undefined && !this.diskFailed) this.#checkAsked();
  }

  /** Whoever speaks for the application is asked as soon as a lease is over, though nobody claims. */
  #checkAsked(): void {
    const { monotonicMs } = this.moment;
    const over = this.ledger.leased.find(
      ({ deadlineMs, openCalls }) => deadlineMs < monotonicMs && openCalls.length === 0,
    );
    this.ledger.checks.that(
      16,
      over === undefined || this.leasesDue,
      () => `the lease of job ${over?.id} is over, and nobody asks`,
    );
  }

  /** The application is alive: leases that nobody had extended when it was asked end. A turn of its own. */
  expireLeases(): number {
    const askedMs = this.#askedMs ?? Number.NEGATIVE_INFINITY;
    this.#askedMs = undefined;
    this.engine.expireLeases();
    this.endTurn();
    return this.fatal === undefined ? leasesExpired(this.ledger, askedMs, this.moment) : 0;
  }

  /** Closes in order. @returns whether that came to its end without an error */
  close(): boolean {
    let closed = 0;
    this.#closing = true;
    this.engine.close(() => closed++);
    for (let turn = 0; turn < 1000 && closed === 0; turn++) {
      this.endTurn();
      this.finishSyncs();
      if (closed === 0) this.advance(1);
    }
    this.ledger.checks.that(23, closed === 1, () => `close was answered ${closed} times`);
    this.checkAllAnswered();
    return this.fatal === undefined;
  }

  /** After an end that the engine knows of. */
  checkAllAnswered(): void {
    this.ledger.checks.that(23, this.#unanswered === 0, () => `${this.#unanswered} calls have no answer`);
  }

  note(text: string): void {
    let mixed = this.transcript;
    for (let index = 0; index < text.length; index++) mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01000193);
    this.transcript = mixed >>> 0;
  }

  #noteDurable(): void {
    if (this.fatal !== undefined || this.#closing || this.diskFailed) return;
    this.ledger.becameDurable(Number(this.engine.storage().durableSeq));
  }
}
