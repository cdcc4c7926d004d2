import { invariant } from '../invariant.js';
import { grownDoubles, grownWords } from './grown-columns.js';
import { IndexedHeap } from './indexed-heap.js';
import { NONE } from './job-columns.js';
import type { NoteFields } from './note-record.js';

const FIRST_CAPACITY = 256;

/** A lease as it begins. `deadlineMs` is monotonic; a replay gives Infinity. */
export interface LeaseStart {
  readonly worker: string;
  readonly atMs: number;
  readonly leaseMs: number;
  readonly deadlineMs: number;
}

/** What was noted under a lease. */
export interface LeaseNotes {
  /** Location of the job's history record before all these notes. */
  readonly previous: number;
  /** Location of the last note with lines; 0 if none has any. */
  readonly linesAt: number;
  /** Lines so far, also those that are not kept. */
  readonly told: number;
  /** JSON; empty if none was told. */
  readonly progress: string;
}

/**
 * The live leases, those that end first at the head. `deadlineMs` is monotonic time; `leasedAtMs` is wall-clock time and only for
 * showing. A lease that a replay found has no deadline (Infinity): its process has ended.
 */
export class LeaseTable extends IndexedHeap {
  /** Slot of the job. */
  job = new Uint32Array(FIRST_CAPACITY);
  token = new Float64Array(FIRST_CAPACITY);
  deadlineMs = new Float64Array(FIRST_CAPACITY);
  leasedAtMs = new Float64Array(FIRST_CAPACITY);
  leaseMs = new Uint32Array(FIRST_CAPACITY);
  extensions = new Uint32Array(FIRST_CAPACITY);
  /** 1 where an ack of the lease is being written: see `mark`. */
  #marked = new Uint8Array(FIRST_CAPACITY);
  readonly worker: string[] = [];
  /** Of the few leases that have any. */
  readonly #notes = new Map<number, LeaseNotes>();
  #position = new Uint32Array(FIRST_CAPACITY);
  #used = 0;
  #firstFree = NONE;

  /** Monotonic time at which the next lease ends; Infinity without any. */
  get nextDeadlineMs(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.deadlineMs[this.top]!;
  }

  open(job: number, token: number, worker: string, leasedAtMs: number, leaseMs: number, deadlineMs: number): number {
    const lease = this.#allocate();
    this.job[lease] = job;
    this.token[lease] = token;
    this.worker[lease] = worker;
    this.leasedAtMs[lease] = leasedAtMs;
    this.leaseMs[lease] = leaseMs;
    this.deadlineMs[lease] = deadlineMs;
    this.extensions[lease] = 0;
    this.#marked[lease] = 0;
    this.push(lease);
    return lease;
  }

  extend(lease: number, leaseMs: number, deadlineMs: number): void {
    this.leaseMs[lease] = leaseMs;
    this.extensions[lease]!++;
    this.endAt(lease, deadlineMs);
  }

  /** The lease, as it is, ends then. */
  endAt(lease: number, deadlineMs: number): void {
    this.deadlineMs[lease] = deadlineMs;
    this.reorder(this.#position[lease]!);
  }

  notes(lease: number): LeaseNotes | undefined {
    return this.#notes.size === 0 ? undefined : this.#notes.get(lease);
  }

  note(lease: number, { previous, earlier, told, progress, lines }: NoteFields, location: number): void {
    this.#notes.set(lease, { previous, linesAt: lines.length > 0 ? location : earlier, told, progress });
  }

  /** The job was written anew, with all that was noted so far: what comes stands behind that. */
  moved(lease: number, location: number): void {
    const notes = this.notes(lease);
    if (notes !== undefined) this.#notes.set(lease, { ...notes, previous: location, linesAt: 0 });
  }

  /** Marks a lease that is about to be closed. @returns false if it was marked before */
  mark(lease: number): boolean {
    if (this.#marked[lease] === 1) return false;
    this.#marked[lease] = 1;
    return true;
  }

  close(lease: number): void {
    invariant(this.at(this.#position[lease]!) === lease, 'a closed lease is live');
    this.removeAt(this.#position[lease]!);
    this.worker[lease] = '';
    if (this.#notes.size > 0) this.#notes.delete(lease);
    this.#position[lease] = this.#firstFree;
    this.#firstFree = lease;
  }

  protected override before(first: number, second: number): boolean {
    const one = this.deadlineMs[first]!;
    const other = this.deadlineMs[second]!;
    return one === other ? this.token[first]! < this.token[second]! : one < other;
  }

  protected override place(lease: number, position: number): void {
    this.#position[lease] = position;
  }

  #allocate(): number {
    if (this.#firstFree !== NONE) {
      const lease = this.#firstFree;
      this.#firstFree = this.#position[lease]!;
      return lease;
    }
    if (this.#used === this.job.length) this.#growColumns();
    return this.#used++;
  }

  #growColumns(): void {
    const capacity = this.job.length * 2;
    this.job = grownWords(this.job, capacity);
    this.token = grownDoubles(this.token, capacity);
    this.deadlineMs = grownDoubles(this.deadlineMs, capacity);
    this.leasedAtMs = grownDoubles(this.leasedAtMs, capacity);
    this.leaseMs = grownWords(this.leaseMs, capacity);
    this.extensions = grownWords(this.extensions, capacity);
    this.#position = grownWords(this.#position, capacity);
    const marked = new Uint8Array(capacity);
    marked.set(this.#marked);
    this.#marked = marked;
  }
}
