import type { Standing } from './store-view.js';

/** What was asked for. */
export interface JobSpec {
  readonly queue: string;
  readonly name: string;
  readonly priority: number;
  readonly maxAttempts: number | null;
  readonly payload: string;
  /** Wall clock, epoch milliseconds. */
  readonly runAtMs: number;
  readonly expiresAtMs: number | undefined;
  readonly isDelayed: boolean;
  /** Made of another job by an operator. */
  readonly isClone?: boolean;
}

export type KnownStanding = Standing | 'removed';

/** How a job stood after a commit: as an open would show it, if nothing later were left. */
export interface Stand {
  /** The commit that carries it, or a later one that came with it. */
  readonly seq: number;
  readonly state: KnownStanding;
  readonly attempts: number;
}

/** Why a job that was delivered may be delivered again. */
export type RepeatReason = 'expired' | 'failed' | 'released' | 'process ended' | 'redriven' | 'taken back';

/** A call about a job that has no answer yet. */
export type OpenCall =
  | 'ack'
  | 'fail'
  | 'release'
  | 'cancel'
  | 'remove'
  | 'runNow'
  | 'reprioritise'
  | 'transfer'
  | 'redrive';

/** What the outside knows of one job. */
export class KnownJob {
  readonly id: number;
  readonly spec: JobSpec;
  /** Its stands since the last one that is surely on the disk. */
  stands: Stand[];
  priority: number;
  queue: string;
  token = 0;
  deadlineMs = 0;
  runAtMs: number;
  expiresAtMs: number | undefined;
  repeat: RepeatReason | undefined;
  /** The job was answered, not only seen. */
  answered = true;
  /** Nothing has moved it in the order of its queue. */
  ordered: boolean;
  openCalls: OpenCall[] = [];
  /** Its time had come before somebody set the clock back. */
  wasDue: boolean;
  /** A claim that was cancelled may have had it: it need not expire any more. */
  wasOffered = false;
  /** Acts were under way up to this commit, and which ones carried them is not known. */
  vagueUpToSeq = 0;

  constructor(id: number, spec: JobSpec, seq: number) {
    this.id = id;
    this.spec = spec;
    this.stands = [{ seq, state: 'waiting', attempts: 0 }];
    this.priority = spec.priority;
    this.queue = spec.queue;
    this.runAtMs = spec.runAtMs;
    this.expiresAtMs = spec.expiresAtMs;
    this.wasDue = !spec.isDelayed;
    this.ordered = !spec.isDelayed && spec.isClone !== true && spec.expiresAtMs === undefined;
  }

  get now(): Stand {
    return this.stands.at(-1)!;
  }

  change(seq: number, state: KnownStanding, attempts: number): void {
    this.stands.push({ seq, state, attempts });
    this.wasDue = false;
  }

  /** How it stood after that commit. */
  at(seq: number): Stand {
    let found = this.stands[0]!;
    for (const stand of this.stands) if (stand.seq <= seq) found = stand;
    return found;
  }

  /** All up to this commit is on the disk. */
  settleUpTo(durableSeq: number): void {
    if (this.stands.length === 1) return;
    const last = this.stands.findLastIndex(({ seq }) => seq <= durableSeq);
    if (last > 0) this.stands.splice(0, last);
  }

  copy(): KnownJob {
    const copy = new KnownJob(this.id, this.spec, 0);
    return Object.assign(copy, this, { stands: [...this.stands], openCalls: [...this.openCalls] });
  }
}
