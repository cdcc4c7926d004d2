import process from 'node:process';

/** CLOCK_MONOTONIC: the same in all processes of this machine. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
