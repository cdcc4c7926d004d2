import { STORE_LIMITS as LIMITS } from '@holdfast/contract/rules';
import { answeredJobs } from './enqueue-answer.js';
import { type Request, requestBytes } from './remembered-record.js';
import { SegmentBytes } from './segment-bytes.js';

/** A request, and where the record is that says it. */
interface Entry {
  readonly request: Request;
  location: number;
  readonly bytes: number;
}

const WORD = 2 ** 32;
/** A request that is over by this much stays so, however the clock is set. */
const CLOCK_SET_MS_MAX = 3_600_000;

export interface RequestBounds {
  readonly requests: number;
  readonly jobs: number;
}

const BOUNDS: RequestBounds = { requests: LIMITS.requestsKept, jobs: LIMITS.requestJobsKept };

/**
 * The last requests, by id, so that one that is repeated is answered as it was. Which ones are known follows from their order
 * alone: the latest ones that are within the bounds, so a replay knows the same.
 */
export class RequestTable {
  readonly #bounds: RequestBounds;
  readonly #facts: SegmentBytes;
  /** The oldest first; after a replay only once `settle` was called. */
  #entries = new Map<string, Entry>();
  #jobs = 0;

  /** @param facts counts what the table remembers where it is said */
  constructor(bounds = BOUNDS, facts = new SegmentBytes()) {
    this.#bounds = bounds;
    this.#facts = facts;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** What the id stands for at this time, if anything. */
  find(id: string, nowMs: number): Request | undefined {
    if (this.#entries.size === 0) return undefined;
    const request = this.#entries.get(id)?.request;
    return request !== undefined && nowMs < request.atMs + LIMITS.requestKeptMs ? request : undefined;
  }

  /** Applies a request that was just made. */
  remember(request: Request, location: number): void {
    this.#put(request, location);
    this.#forgetOldest(request.atMs);
  }

  /** Applies a request of a record that is read back: the same one may come again, in another place. */
  restore(request: Request, location: number): void {
    const known = this.#entries.get(request.id);
    if (known !== undefined && known.request.order > request.order) return;
    this.#put(request, location);
    if (this.#entries.size >= 2 * this.#bounds.requests || this.#jobs >= 2 * this.#bounds.jobs) this.settle();
  }

  /** A replay has ended. */
  settle(): void {
    const entries = [...this.#entries].sort(([, one], [, other]) => one.request.order - other.request.order);
    this.#entries = new Map(entries);
    this.#forgetOldest(entries.at(-1)?.[1].request.atMs ?? 0);
  }

  /**
   * Those that are said only in this segment or before it, in pieces for each of which so many were looked at. More may be made meanwhile. Those that
   * are over go.
   */
  *in(segment: number, nowMs: number, atOnce: number): Generator<readonly Request[]> {
    let found: Request[] = [];
    let looked = 0;
    for (const [id, { request, location }] of this.#entries) {
      const isSaid = Math.floor(location / WORD) <= segment;
      if (isSaid && isOver(request, nowMs)) this.#forget(id);
      else if (isSaid) found.push(request);
      if (++looked % atOnce > 0) continue;
      yield found;
      found = [];
    }
    yield found;
  }

  /** They are written again there. */
  moved(requests: readonly Request[], location: number): void {
    for (const { id } of requests) {
      const entry = this.#entries.get(id);
      if (entry === undefined) continue;
      this.#facts.remove(entry.location, entry.bytes);
      this.#facts.add(location, entry.bytes);
      entry.location = location;
    }
  }

  #put(request: Request, location: number): void {
    this.#forget(request.id);
    const bytes = requestBytes(request);
    this.#entries.set(request.id, { request, location, bytes });
    this.#facts.add(location, bytes);
    this.#jobs += jobsOf(request);
  }

  #forgetOldest(nowMs: number): void {
    for (const [id, { request }] of this.#entries) {
      const fits = this.#entries.size <= this.#bounds.requests && this.#jobs <= this.#bounds.jobs;
      if (fits && nowMs < request.atMs + LIMITS.requestKeptMs) return;
      this.#forget(id);
    }
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#jobs -= jobsOf(entry.request);
    this.#facts.remove(entry.location, entry.bytes);
    this.#entries.delete(id);
  }
}

function jobsOf({ answer }: Request): number {
  return answeredJobs(answer);
}

function isOver({ atMs }: Request, nowMs: number): boolean {
  return atMs + LIMITS.requestKeptMs + CLOCK_SET_MS_MAX <= nowMs;
}
