/** Handle of a timer set on a clock. */
export interface TimerHandle {
  readonly brand?: 'timer';
}

/**
 * The only way to time. Wall time (`now`) may jump and is for `runAtMs` and for showing; `monotonicMs` never goes back
 * and is for leases, waits and measurements.
 */
export interface Clock {
  /** Wall-clock epoch milliseconds, whole. */
  now(): number;
  /** Milliseconds since an arbitrary start, with fractions. */
  monotonicMs(): number;
  /** Calls once after at least `ms` (monotonic); never keeps a process alive by itself when `unref` is true. */
  setTimer(ms: number, call: () => void, unref?: boolean): TimerHandle;
  clearTimer(timer: TimerHandle): void;
}

/** The only source of chance. */
export interface Random {
  /** Evenly from [0, 1). */
  fraction(): number;
  /** Unpredictable bytes: ids and salts. */
  bytes(count: number): Uint8Array;
}
