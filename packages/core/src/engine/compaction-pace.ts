import type { Clock } from '@holdfast/contract';

/** What one step writes at least: an enqueue of the same moment waits for it. Its frame is small enough for the room that is written ahead. */
const STEP_BYTES_MIN = 14 * 1024;
/** And at most, where others write faster than it moves. */
const STEP_BYTES_MAX = 256 * 1024;
/** When nobody else has written for this long, steps are longer: nobody waits for them. */
const QUIET_MS = 250;
const QUIET_STEP_BYTES = 128 * 1024;
/** A step ends after a time too, whatever it has written by then. */
const STEP_MS_MIN = 0.25;
const BYTES_A_MS = 128 * 1024;
const SLOTS_A_MS = 32 * 1024;
/** What a piece of the standing facts counts as. */
const PIECE_SLOTS = 512;
/** What the frame of a step takes beside its records. */
const OWN_FRAME_BYTES = 72;
/** The pause after each step: no timer is shorter. */
const PAUSE_MS_MIN = 1;
/** Where nothing is urgent it is so many times what the step took: more where the machine has no processor to spare. */
const PAUSE_STEPS = 4;
const PAUSE_MS_MAX = 50;

/** What is left of one step. */
export class StepBudget {
  readonly #clock: Clock;
  readonly #endMs: number;
  #jobs: number;
  #bytes: number;
  #slots: number;

  constructor(clock: Clock, startMs: number, bytes: number, jobs: number) {
    const ms = Math.max(STEP_MS_MIN, bytes / BYTES_A_MS);
    this.#clock = clock;
    this.#endMs = startMs + ms;
    this.#jobs = jobs;
    this.#bytes = bytes;
    this.#slots = Math.floor(SLOTS_A_MS * ms);
  }

  /** How many slots may be looked at. */
  get slots(): number {
    return this.#slots;
  }

  lookedAt(slots: number): void {
    this.#slots -= slots;
  }

  moved(bytes: number): void {
    this.#jobs--;
    this.#bytes -= bytes;
  }

  /** A piece of what stands beside the jobs. */
  wroteFacts(bytes: number): void {
    this.#bytes -= bytes;
    this.#slots -= PIECE_SLOTS;
  }

  /** The next job or fact is for the next step. */
  get isOver(): boolean {
    return this.#jobs <= 0 || this.#bytes <= 0 || this.#slots <= 0 || this.#clock.monotonicMs() >= this.#endMs;
  }
}

/**
 * How much compaction does at once. A step is short, whatever there is to do, so that those who wait for the disk hardly notice it. It
 * becomes longer with what others write, if they would outrun it.
 */
export class CompactionPace {
  readonly #clock: Clock;
  readonly #stepJobs: number;
  /** What had been appended to the log when the last step ended. */
  #appendedBytes = 0;
  #othersAtMs = 0;
  #startMs = 0;
  #isUrgent = false;

  constructor(clock: Clock, stepJobs: number) {
    this.#clock = clock;
    this.#stepJobs = stepJobs;
  }

  /** @param haste how many times as fast as others write it should move */
  begin(startMs: number, appendedBytes: number, haste: number): StepBudget {
    const others = appendedBytes - this.#appendedBytes - OWN_FRAME_BYTES;
    if (others > 0) this.#othersAtMs = startMs;
    const isQuiet = startMs - this.#othersAtMs >= QUIET_MS;
    const wanted = others * Math.max(1, haste);
    const bytes = isQuiet ? QUIET_STEP_BYTES : Math.min(Math.max(STEP_BYTES_MIN, wanted), STEP_BYTES_MAX);
    this.#startMs = startMs;
    this.#isUrgent = bytes > STEP_BYTES_MIN;
    return new StepBudget(this.#clock, startMs, bytes, this.#stepJobs);
  }

  /** @returns monotonic time of the next step */
  end(appendedBytes: number): number {
    this.#appendedBytes = appendedBytes;
    const nowMs = this.#clock.monotonicMs();
    const pauseMs = this.#isUrgent ? 0 : (nowMs - this.#startMs) * PAUSE_STEPS;
    return nowMs + Math.min(Math.max(PAUSE_MS_MIN, pauseMs), PAUSE_MS_MAX);
  }
}
