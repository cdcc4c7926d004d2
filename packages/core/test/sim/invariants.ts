/** What always holds: the numbers and names are those of docs/reliability.md. */
export const INVARIANTS = {
  1: 'no loss',
  2: 'no phantom',
  3: 'durable before visible',
  4: 'ack is final',
  5: 'fencing',
  6: 'token order',
  7: 'ids',
  8: 'attempts',
  9: 'dead only at max',
  10: 'repeats have a reason',
  11: 'only a power cut takes back',
  12: 'one job a key',
  13: 'conservation',
  14: 'order',
  15: 'delay',
  16: 'lease time',
  17: 'whole prefix',
  18: 'verdict',
  19: 'compaction changes nothing',
  20: 'bounded',
  21: 'error truth',
  22: 'poison',
  23: 'liveness',
  24: 'acts stay',
} as const;

export type Invariant = keyof typeof INVARIANTS;

export class InvariantViolation extends Error {
  readonly invariant: Invariant;

  constructor(invariant: Invariant, what: string) {
    super(`invariant ${invariant}, ${INVARIANTS[invariant]}: ${what}`);
    this.name = 'InvariantViolation';
    this.invariant = invariant;
  }
}

/** Checks invariants and counts how often each was looked at. */
export class Checks {
  readonly counts = new Map<Invariant, number>();

  /** @throws InvariantViolation if it does not hold */
  that(invariant: Invariant, holds: boolean, say: () => string): void {
    this.counts.set(invariant, (this.counts.get(invariant) ?? 0) + 1);
    if (!holds) throw new InvariantViolation(invariant, say());
  }
}
