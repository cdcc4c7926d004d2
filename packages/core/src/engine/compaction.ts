import { type Clock, type CompactionReport, LogCorruptError } from '@holdfast/contract';
import type { SealedSegment } from '../log/recovery.js';
import type { SegmentedLog } from '../log/segmented-log.js';
import { STATE } from '../state/job-state.js';
import type { JobTable } from '../state/job-table.js';
import type { MoveContents } from '../state/move-record.js';
import type { Commits } from './commits.js';
import { CompactionOutlook } from './compaction-outlook.js';
import { CompactionPace, type StepBudget } from './compaction-pace.js';
import { JobMover } from './job-mover.js';
import { writeStandingFacts } from './standing-facts.js';

export interface CompactionParts {
  readonly table: JobTable;
  readonly log: SegmentedLog;
  readonly commits: Commits;
  readonly clock: Clock;
  readonly segmentBytes: number;
  /** Jobs that one step writes at most; 0 turns compaction off. */
  readonly stepJobs: number;
}

export const STEP_JOBS = 512;
/** An emptied segment may wait so long for the next one to be started by what is written anyway. */
const ROTATE_AFTER_MS = 250;
/** With this much debt it does not wait. */
const HURRY_SEGMENTS = 0.5;
/** Jobs of a segment that was just sealed become visible when its last commit is durable. */
const HIDDEN_MS = 20;
/** Segments that may be small, and wait, without anything being done for it. */
const SMALL_SEGMENTS = 16;
/** Where the disk had no room for what must be written before anything can go, it is looked at again after this. */
const LOOK_FOR_ROOM_MS = 5000;
/** Where the disk could not read. What it read and does not match its checksum is not read again. */
const READ_AGAIN_MS = 60_000;
const WORD = 2 ** 32;

type Task = 'remove' | 'rotate' | 'letGo' | 'empty' | 'move';

/** The oldest segment cannot be emptied as long as it holds just these homes, or not before a time. */
interface Stop {
  readonly untilMs: number;
  readonly segmentNumber: number;
  readonly homeBytes: number;
  readonly file: string;
  readonly problem: string;
}

/**
 * Keeps the log in proportion to the jobs in it (docs/recovery.md, "Compaction"), a small step at a time. Steps are made by the
 * engine's timer: `nextMs` says when, and is asked after each turn, so it costs no more than a few comparisons.
 */
export class Compaction {
  readonly #parts: CompactionParts;
  readonly #mover: JobMover;
  readonly #pace: CompactionPace;
  readonly #outlook: CompactionOutlook;
  #notBeforeMs = 0;
  /** The segment that is being emptied, and how far. */
  #moving = 0;
  #cursor = 0;
  /** The oldest segments that hold no home any more, and the commit up to which all must be durable before each can go. */
  readonly #emptied: { readonly segmentNumber: number; readonly seq: number }[] = [];
  /** Since when segments wait for the next one to be started. */
  #waitingSinceMs = Number.POSITIVE_INFINITY;
  /** What the oldest segment says beside its jobs is being written again. */
  #facts: Generator<void, void> | undefined;
  #stop: Stop | undefined;
  /** Retired files that could not be removed; tried again when there are more. */
  #stuckFiles = 0;
  #movedJobs = 0;
  #movedBytes = 0;
  #freedBytes = 0;
  #lastAtMs: number | undefined;

  constructor(parts: CompactionParts) {
    this.#parts = parts;
    this.#mover = new JobMover(parts.table, parts.log, parts.commits);
    this.#pace = new CompactionPace(parts.clock, parts.stepJobs);
    this.#outlook = new CompactionOutlook(parts, () => this.#emptied.length);
  }

  /** Monotonic time of the next step; Infinity when there is nothing to do. */
  nextMs(): number {
    if (this.#task() !== undefined) return this.#notBeforeMs;
    return Math.min(this.#activeStop()?.untilMs ?? Number.POSITIVE_INFINITY, this.#rotateAtMs());
  }

  /** Makes one step if one is due. Errors of writing pass through. */
  step(): void {
    const { clock, log } = this.#parts;
    const startMs = clock.monotonicMs();
    if (startMs < this.#notBeforeMs) return;
    this.#notBeforeMs = 0;
    if (this.#stop !== undefined && startMs >= this.#stop.untilMs) this.#stop = undefined;
    const budget = this.#pace.begin(startMs, log.appendedBytes, this.#outlook.haste());
    for (let task = this.#task(); task !== undefined && this.#do(task, budget); ) {
      task = budget.isOver ? undefined : this.#task();
    }
    this.#notBeforeMs = Math.max(this.#notBeforeMs, this.#pace.end(log.appendedBytes));
  }

  /** @returns whether there may be more to do in this step */
  #do(task: Task, budget: StepBudget): boolean {
    switch (task) {
      case 'remove':
        this.#remove();
        return false;
      case 'rotate':
        this.#rotate();
        return true;
      case 'letGo':
        this.#letGo();
        return true;
      case 'empty':
        this.#empty(budget);
        return true;
      case 'move':
        this.#move(budget);
        return false;
    }
  }

  report(): CompactionReport {
    const stop = this.#activeStop();
    return {
      running: this.#task() !== undefined || this.#emptied.length > 0,
      movedJobs: this.#movedJobs,
      movedBytes: this.#movedBytes,
      freedBytes: this.#freedBytes,
      ...(this.#lastAtMs === undefined ? {} : { lastAtMs: this.#lastAtMs }),
      ...(stop === undefined ? {} : { stoppedBy: { file: stop.file, problem: stop.problem } }),
    };
  }

  #task(): Task | undefined {
    const { log, table, stepJobs } = this.#parts;
    const { sealed } = log;
    if (stepJobs === 0) return undefined;
    if (sealed.retired > this.#stuckFiles && !sealed.isHeld) return 'remove';
    if (sealed.waiting.count > 0 && !log.rotationWanted && this.#mustRotate()) return 'rotate';
    const first = this.#emptied[0];
    if (first !== undefined && log.durableSeq >= first.seq) return 'letGo';
    const oldest = this.#oldestFull();
    if (oldest === undefined || this.#activeStop() !== undefined) return undefined;
    const isFree = table.homes.of(oldest.segmentNumber) === 0;
    if (!(isFree && this.#isMostlyOver(oldest)) && !this.#isBegun(oldest) && !this.#isWorthIt()) return undefined;
    return isFree ? 'empty' : 'move';
  }

  /** Little is said in the segment that would have to be said again: it frees more than that takes, however often that is done. */
  #isMostlyOver({ segmentNumber, bytes }: SealedSegment): boolean {
    return this.#parts.table.kept.facts.of(segmentNumber) < bytes / 2;
  }

  #isBegun({ segmentNumber }: SealedSegment): boolean {
    return this.#moving === segmentNumber || this.#facts !== undefined;
  }

  /** The oldest segment that is not emptied yet. */
  #oldestFull(): SealedSegment | undefined {
    return this.#parts.log.sealed.needed(this.#emptied.length);
  }

  #activeStop(): Stop | undefined {
    const stop = this.#stop;
    if (stop === undefined || this.#oldestFull()?.segmentNumber !== stop.segmentNumber) return undefined;
    return this.#parts.table.homes.of(stop.segmentNumber) === stop.homeBytes ? stop : undefined;
  }

  /** Dead bytes exceed the live ones, or will before what is live among them has been moved; or segments are many and small. */
  #isWorthIt(): boolean {
    const { log, table, segmentBytes } = this.#parts;
    const { kept } = table;
    const { sealed } = log;
    let { bytes, count } = sealed.neededInAll;
    for (let index = 0; index < this.#emptied.length; index++) {
      bytes -= sealed.needed(index)?.bytes ?? 0;
      count--;
    }
    const deadBytes = bytes - (kept.total - kept.of(log.activeSegment));
    // A full disk is worth more work.
    const bearable = log.space.isFull ? kept.total / 4 : kept.total;
    if (deadBytes > bearable + segmentBytes / 2) return true;
    if (deadBytes > Math.max(bearable, segmentBytes) / 2 && this.#outlook.mustStart) return true;
    return count > SMALL_SEGMENTS + 2 * Math.ceil(bytes / segmentBytes);
  }

  /** By how many segments the log is larger than twice its live bytes and one segment. */
  #debtSegments(): number {
    const { log, table, segmentBytes } = this.#parts;
    return (log.bytes - 2 * table.kept.total) / segmentBytes - 1;
  }

  #mustRotate(): boolean {
    const { log, segmentBytes, clock } = this.#parts;
    const { count, bytes } = log.sealed.waiting;
    if (count >= SMALL_SEGMENTS || bytes >= 1.5 * segmentBytes) return true;
    return clock.monotonicMs() >= this.#rotateAtMs();
  }

  /** When the next segment is started for nothing else than to retire those that wait: if the log is too large. */
  #rotateAtMs(): number {
    const { log, segmentBytes } = this.#parts;
    const { bytes } = log.sealed.waiting;
    const debt = this.#debtSegments();
    if (bytes < segmentBytes / 2 || debt <= 0 || log.rotationWanted) return Number.POSITIVE_INFINITY;
    return debt > HURRY_SEGMENTS ? this.#waitingSinceMs : this.#waitingSinceMs + ROTATE_AFTER_MS;
  }

  #rotate(): void {
    this.#parts.log.rotateSoon();
    this.#parts.commits.syncSoon();
  }

  #remove(): void {
    const { log } = this.#parts;
    const before = log.sealed.bytes;
    try {
      log.removeRetired();
    } catch (error) {
      // Somebody else has it open. What else may be wrong with the disk is told by the next write.
      if (log.failed) throw error;
      this.#stuckFiles = log.sealed.retired;
      return;
    }
    this.#stuckFiles = 0;
    this.#freedBytes += before - log.sealed.bytes;
    this.#lastAtMs = this.#parts.clock.now();
  }

  /** No job is in the oldest full segment. When all else that it says was written, it can go as soon as what led to this is durable. */
  #empty(budget: StepBudget): void {
    const { log, commits } = this.#parts;
    const { segmentNumber } = this.#oldestFull()!;
    if ((this.#facts === undefined || log.space.isFull) && !this.#hasRoom(segmentNumber)) return;
    const before = log.appendedBytes;
    const isAll = this.#writeFacts(segmentNumber);
    budget.wroteFacts(log.appendedBytes - before);
    if (!isAll) return;
    commits.write();
    this.#emptied.push({ segmentNumber, seq: log.writtenSeq });
    commits.syncSoon();
  }

  #letGo(): void {
    const { clock, log } = this.#parts;
    if (log.sealed.waiting.count === 0) this.#waitingSinceMs = clock.monotonicMs();
    this.#emptied.shift();
    log.sealed.letGo();
  }

  /** A piece of them. @returns false when there are more of them, and when one cannot be read: then its segment stays */
  #writeFacts(segmentNumber: number): boolean {
    this.#facts ??= writeStandingFacts(this.#parts, segmentNumber);
    try {
      if (this.#facts.next().done !== true) return false;
      this.#facts = undefined;
      return true;
    } catch (error) {
      if (this.#parts.log.failed) throw error;
      this.#facts = undefined;
      this.#stopUnread(segmentNumber, error);
      return false;
    }
  }

  #move(budget: StepBudget): void {
    const { log, table, clock } = this.#parts;
    const { columns } = table;
    const { segmentNumber } = this.#oldestFull()!;
    if (this.#moving !== segmentNumber && !this.#begin(segmentNumber)) return;
    // Others may have filled the disk since, and the reserve is for the ends of jobs.
    if (log.space.isFull && !this.#hasRoom(segmentNumber)) return;
    while (this.#cursor < columns.slotsEnd && !budget.isOver) {
      const slot = this.#nextHome(segmentNumber, budget);
      if (slot === undefined) continue;
      const contents = this.#read(slot, segmentNumber);
      if (contents === undefined) return;
      const bytes = this.#mover.write(slot, contents);
      budget.moved(bytes);
      this.#movedJobs++;
      this.#movedBytes += bytes;
      this.#lastAtMs = clock.now();
    }
    if (this.#cursor < columns.slotsEnd) return;
    this.#cursor = 0;
    if (table.homes.of(segmentNumber) > 0) this.#notBeforeMs = clock.monotonicMs() + HIDDEN_MS;
  }

  /** Looks through the table from the cursor on for a job whose home is in the segment, as far as the budget allows. */
  #nextHome(segmentNumber: number, budget: StepBudget): number | undefined {
    const { columns } = this.#parts.table;
    const from = this.#cursor;
    const end = Math.min(columns.slotsEnd, from + budget.slots);
    let slot = from;
    while (slot < end && !this.#isHome(slot, segmentNumber)) slot++;
    budget.lookedAt(slot - from);
    this.#cursor = slot < end ? slot + 1 : slot;
    return slot < end ? slot : undefined;
  }

  #isHome(slot: number, segmentNumber: number): boolean {
    const { columns } = this.#parts.table;
    if (columns.state[slot]! >= STATE.hidden) return false;
    return Math.floor(columns.enqueueLocation[slot]! / WORD) === segmentNumber;
  }

  /** @returns whether there is room on the disk */
  #begin(segmentNumber: number): boolean {
    if (!this.#hasRoom(segmentNumber)) return false;
    this.#moving = segmentNumber;
    this.#cursor = 0;
    return true;
  }

  /** @returns whether there is room on the disk for what has to be written before anything can be removed */
  #hasRoom(segmentNumber: number): boolean {
    const { log, table, clock } = this.#parts;
    const wanted = 2 * table.kept.of(segmentNumber);
    const room = wanted === 0 ? 0 : log.space.available();
    if (room >= wanted) return true;
    const problem = `what it holds has to be written again, and there is room for ${Math.max(0, room)} bytes on the disk`;
    this.#stopAt(segmentNumber, problem, clock.monotonicMs() + LOOK_FOR_ROOM_MS);
    return false;
  }

  /** `undefined` when a record of the job cannot be read: then its segment stays. */
  #read(slot: number, segmentNumber: number): MoveContents | undefined {
    try {
      return this.#mover.read(slot);
    } catch (error) {
      this.#stopUnread(segmentNumber, error);
      return undefined;
    }
  }

  #stopUnread(segmentNumber: number, error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    const againMs = this.#parts.clock.monotonicMs() + READ_AGAIN_MS;
    this.#stopAt(segmentNumber, problem, error instanceof LogCorruptError ? Number.POSITIVE_INFINITY : againMs);
  }

  #stopAt(segmentNumber: number, problem: string, untilMs: number): void {
    const { table } = this.#parts;
    this.#moving = 0;
    const { file } = this.#oldestFull()!;
    this.#stop = { segmentNumber, homeBytes: table.homes.of(segmentNumber), file, problem, untilMs };
  }
}
