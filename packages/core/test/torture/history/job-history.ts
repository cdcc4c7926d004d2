import type { JobAsked } from './history-event.js';

/** A lease as its holder knows it. */
export interface HeldLease {
  readonly token: string;
  readonly attempt: number;
  /** Which engine gave it: leases end with their engine. */
  readonly run: number;
  /** It cannot end before this unless its holder ends it. */
  endsAtMs: number;
  /** What its holder asked for to end it; answered or not. */
  asked?: 'ack' | 'fail' | 'release';
  settled: boolean;
}

/** All that is known from outside of one job. What may have happened without an answer widens the bounds. */
export class JobHistory {
  id: string | undefined;
  /** `unknown` also until the answer comes. */
  enqueue: 'ok' | 'unknown' | 'rejected' = 'unknown';
  /** It was delivered or shown: it may never vanish any more. */
  visible = false;
  /** An open showed that it is not there. */
  absent = false;
  /** Attempts that are counted: at least, at most. */
  low = 0;
  high = 0;
  /** Number of its queue's unanswered claims when the bounds were set; each later one may have counted an attempt. */
  blindClaims = 0;
  lease: HeldLease | undefined;
  /** How many acks were asked for and not refused, by token. */
  readonly acksAsked = new Map<string, number>();
  acked: { readonly token: string; readonly atMs: number } | undefined;
  /** The ack was answered this long before a power cut: it may be there or not. */
  doubtedAckMs: number | undefined;
  dead: 'no' | 'maybe' | 'yes' = 'no';
  /** Its handler asked for it to be dead at once. */
  deadAsked = false;
  redriveAsked = false;
  /** The most attempts it had before a redrive that is not answered: what was seen of it may be taken back with all that came after. */
  highBeforeRedrive: number | undefined;
  cancelAsked = false;
  removeAsked = false;
  /** It was cancelled or removed, and that was answered then. */
  ended: { readonly how: 'cancel' | 'remove'; readonly atMs: number } | undefined;
  /** As the last open showed it. */
  state: string | undefined;
  /** Last time that an answer changed it. */
  changedAtMs = 0;
  /** Deliveries since it was last seen after an open, by time of their answers. */
  deliveredAtMs: number[] = [];
  dueWallMs: number;

  constructor(
    readonly asked: JobAsked,
    readonly call: number,
    calledWallMs: number,
  ) {
    this.dueWallMs = calledWallMs + asked.delayMs;
  }

  /** It has to be somewhere: its enqueue was answered, or somebody has seen it. */
  get mustExist(): boolean {
    return this.enqueue === 'ok' || this.visible;
  }

  /** Nobody has to see it any more. */
  get mayBeForgotten(): boolean {
    return this.mayBeCompleted || this.removeAsked || this.ended?.how === 'remove';
  }

  get mayBeCompleted(): boolean {
    return this.acked !== undefined || this.acksAsked.size > 0;
  }

  askAck(token: string): void {
    this.acksAsked.set(token, (this.acksAsked.get(token) ?? 0) + 1);
  }

  refuseAck(token: string): void {
    const left = (this.acksAsked.get(token) ?? 0) - 1;
    if (left > 0) this.acksAsked.set(token, left);
    else this.acksAsked.delete(token);
  }

  setAttempts(attempts: number, blindClaims: number): void {
    this.low = attempts;
    this.high = attempts;
    this.blindClaims = blindClaims;
  }

  toString(): string {
    return `job ${this.id ?? '(no id yet)'} "${this.asked.key}"`;
  }
}
