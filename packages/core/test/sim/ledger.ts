import type { Checks } from './invariants.js';
import { type JobSpec, KnownJob, type OpenCall } from './known-job.js';

/** An enqueue that was not answered: its jobs appear together, once, or never. */
export interface OpenEnqueue {
  readonly specs: readonly JobSpec[];
  /** Calls for it that may still be carried out: a request can be repeated. */
  calls: number;
  /** It was answered as unknown, or its process ended. */
  isOver: boolean;
}

/** An enqueue that may be repeated under its id, and is carried out once. */
export interface KnownRequest {
  readonly id: string;
  readonly specs: readonly JobSpec[];
  /** The earliest wall clock time at which it was called. */
  firstWallMs: number;
  /** What it was answered, or what an open showed. */
  firstId: number | undefined;
}

/** All that was asked of a store and answered by it, over all its processes: what the promises are measured by. */
export class Ledger {
  readonly checks: Checks;
  readonly jobs = new Map<number, KnownJob>();
  readonly openEnqueues = new Set<OpenEnqueue>();
  /** The latest ones. */
  requests: KnownRequest[] = [];
  /** Payloads that must never be seen: their enqueue was rejected, or an open found that it had not been carried out. */
  readonly never = new Set<string>();
  /** Claims without an answer: each may have leased jobs. */
  openClaims = 0;
  /** Who is paused for certain; `undefined` while an answer is missing. */
  readonly paused = new Map<string, { readonly untilMs: number | undefined } | 'open'>();
  /** The disk does not give every payload: a job that comes first may be passed over, and is dead. */
  readsFail = false;
  lastToken = 0;
  lastEpoch = 0;
  /** Every id that was answered or seen is at most this. */
  highestId = 0;
  /** All up to this commit is on the disk, as far as was told. */
  durableSeq = 0;

  constructor(checks: Checks) {
    this.checks = checks;
  }

  copy(): Ledger {
    const copy = new Ledger(this.checks);
    for (const [id, job] of this.jobs) copy.jobs.set(id, job.copy());
    for (const open of this.openEnqueues) copy.openEnqueues.add({ ...open });
    copy.requests = this.requests.map((request) => ({ ...request }));
    for (const payload of this.never) copy.never.add(payload);
    for (const [queue, pause] of this.paused) copy.paused.set(queue, pause);
    const { openClaims, lastToken, lastEpoch, highestId, durableSeq } = this;
    return Object.assign(copy, { openClaims, lastToken, lastEpoch, highestId, durableSeq });
  }

  /** @returns what it is known as until it is answered; the same for a request that is called again meanwhile */
  enqueueBegins(specs: readonly JobSpec[]): OpenEnqueue {
    const known = [...this.openEnqueues].find((open) => open.specs === specs);
    const open = known ?? { specs, calls: 0, isOver: false };
    open.calls++;
    for (const { payload } of specs) this.never.delete(payload);
    this.openEnqueues.add(open);
    return open;
  }

  /** @param seq everything up to this commit is durable */
  enqueueAnswered(open: OpenEnqueue, firstId: number, seq: number): void {
    const { specs } = open;
    this.openEnqueues.delete(open);
    this.checks.that(7, firstId > this.highestId, () => `id ${firstId} follows ${this.highestId}`);
    for (const [index, spec] of specs.entries()) {
      this.jobs.set(firstId + index, new KnownJob(firstId + index, spec, seq));
    }
    this.highestId = firstId + specs.length - 1;
    this.#noteRequest(specs, firstId);
  }

  /** A request was made again after its first answer. */
  requestRepeated({ id, firstId }: KnownRequest, answered: number): void {
    this.checks.that(
      12,
      answered === firstId,
      () => `${id} was answered with job ${firstId}, and now with ${answered}`,
    );
  }

  /** A job that an open showed, whose enqueue had no answer. */
  knowSeen(id: number, spec: JobSpec, { specs }: OpenEnqueue, seq: number): KnownJob {
    const job = new KnownJob(id, spec, seq);
    this.jobs.set(id, job);
    this.highestId = Math.max(this.highestId, id);
    if (spec === specs[0]) this.#noteRequest(specs, id);
    return job;
  }

  enqueueFailed(open: OpenEnqueue, outcome: 'rejected' | 'unknown'): void {
    open.calls--;
    if (outcome === 'unknown') open.isOver = true;
    else if (open.calls === 0 && !open.isOver) this.#forbid(open);
  }

  #noteRequest(specs: readonly JobSpec[], firstId: number): void {
    const request = this.requests.find((one) => one.specs === specs);
    if (request !== undefined) request.firstId = firstId;
  }

  #forbid(open: OpenEnqueue): void {
    this.openEnqueues.delete(open);
    for (const { payload } of open.specs) this.never.add(payload);
  }

  /** An open showed which of the calls without an answer were carried out. */
  closeOpenEnqueues(): void {
    for (const open of [...this.openEnqueues]) this.#forbid(open);
  }

  becameDurable(seq: number): void {
    if (seq <= this.durableSeq) return;
    this.durableSeq = seq;
    for (const job of this.jobs.values()) job.settleUpTo(seq);
  }

  /** What came after this commit never was, but for what is surely on the disk. */
  takeBackAfter(seq: number): void {
    const lastSeq = Math.max(seq, this.durableSeq);
    for (const job of this.jobs.values()) {
      const kept = job.stands.filter((stand, index) => index === 0 || stand.seq <= lastSeq);
      if (kept.length < job.stands.length) job.repeat = 'taken back';
      job.stands = kept;
      // The numbers of the commits that are gone are given out again, and mean nothing any more.
      if (job.vagueUpToSeq > lastSeq) job.vagueUpToSeq = Number.POSITIVE_INFINITY;
    }
  }

  /** The wall clock is set: jobs that were due may have been seen to be. */
  clockIsSet(wallMs: number): void {
    for (const job of this.jobs.values()) if (job.runAtMs <= wallMs) job.wasDue = true;
    for (const [queue, pause] of this.paused)
      if (pause !== 'open' && (pause.untilMs ?? wallMs + 1) <= wallMs) this.paused.set(queue, 'open');
  }

  begin(job: KnownJob, call: OpenCall): void {
    job.openCalls.push(call);
  }

  end(job: KnownJob, call: OpenCall): void {
    const at = job.openCalls.indexOf(call);
    if (at !== -1) job.openCalls.splice(at, 1);
  }

  isPaused(queue: string, wallMs: number): boolean {
    const pause = this.paused.get(queue);
    return pause !== undefined && pause !== 'open' && (pause.untilMs ?? wallMs + 1) > wallMs;
  }

  get leased(): KnownJob[] {
    return [...this.jobs.values()].filter(({ now }) => now.state === 'leased');
  }
}
