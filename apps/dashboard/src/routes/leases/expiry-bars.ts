export interface ExpiryBar {
  readonly fromMs: number;
  readonly count: number;
}

const STEP_MS = 120_000;
const BARS = 30;

/** Expiries of the last hour in steps that begin at whole multiples of it, the oldest first, empty ones too. */
export function expiryBars(expiries: readonly { readonly atMs: number }[], nowMs: number): readonly ExpiryBar[] {
  const last = Math.floor(nowMs / STEP_MS);
  const counts = new Map<number, number>();
  for (const { atMs } of expiries) {
    const step = Math.floor(atMs / STEP_MS);
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  return Array.from({ length: BARS }, (_, index) => {
    const step = last - BARS + 1 + index;
    return { fromMs: step * STEP_MS, count: counts.get(step) ?? 0 };
  });
}
