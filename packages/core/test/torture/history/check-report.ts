/** The invariants, by their names in docs/reliability.md. */
export type Invariant =
  | 'no loss'
  | 'no phantom'
  | 'durable before visible'
  | 'ack is final'
  | 'fencing'
  | 'token order'
  | 'ids'
  | 'attempts'
  | 'dead only at max'
  | 'acts stay'
  | 'conservation'
  | 'delay'
  | 'lease time'
  | 'whole commits'
  | 'error truth'
  | 'poison'
  | 'liveness';

export interface Violation {
  readonly invariant: Invariant;
  readonly problem: string;
  /** Of the history, from 1. */
  readonly line: number;
}

/** Why a job was delivered once more. */
export type RedeliveryCause = 'restart' | 'leaseExpired' | 'failed' | 'released' | 'redriven';

export class CheckReport {
  readonly violations: Violation[] = [];
  readonly redeliveries: Record<RedeliveryCause, number> = {
    restart: 0,
    leaseExpired: 0,
    failed: 0,
    released: 0,
    redriven: 0,
  };
  opens = 0;
  uncleanOpens = 0;
  tornTails = 0;
  segmentsRetired = 0;
  bytesMost = 0;
  /** Jobs whose enqueue was answered. */
  enqueued = 0;
  /** Jobs whose enqueue was not answered, or answered as unknown, and that were there. */
  unknownFound = 0;
  unknownAbsent = 0;
  rejected = 0;
  deliveries = 0;
  acked = 0;
  /** Acks that were answered and that a power cut or a failed disk took back, and how old the oldest of them was. */
  acksTakenBack = 0;
  oldestTakenBackMs = 0;
  longestSyncMs = 0;
  staleRefused = 0;
  dead = 0;
  redriven = 0;
  cancelled = 0;
  removed = 0;
  /** Longest time from when a job could start to its delivery, of those that somebody waited for. */
  latestStartMs = 0;

  violated(invariant: Invariant, line: number, problem: string): void {
    this.violations.push({ invariant, problem, line });
  }

  get lost(): number {
    return this.violations.filter(({ invariant }) => invariant === 'no loss').length;
  }
}
