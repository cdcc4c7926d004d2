/** Counted since the store was made or restarted. */
export interface Totals {
  enqueued: number;
  claimed: number;
  completed: number;
  failed: number;
  dead: number;
  leaseExpiries: number;
}

export const NO_TOTALS: Totals = { enqueued: 0, claimed: 0, completed: 0, failed: 0, dead: 0, leaseExpiries: 0 };
