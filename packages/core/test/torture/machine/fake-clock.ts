import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRunError } from '../rig.js';
import { findLibrary } from './preloads.js';

/** For programs with threads. */
export function fakeTimeLibrary(): string | undefined {
  return findLibrary('faketime/libfaketimeMT.so.1') ?? findLibrary('libfaketimeMT.so.1');
}

/** A wall clock that is set while the processes that read it run. Their monotonic clock is the real one. */
export class FakeClock {
  readonly env: Readonly<Record<string, string>>;
  readonly #file: string;

  constructor(scratch: string, name: string) {
    const library = fakeTimeLibrary();
    if (library === undefined) throw new CannotRunError('libfaketime is missing: apt-get install faketime');
    this.#file = join(scratch, `${name}.time`);
    this.env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    this.set(0);
  }

  /** From the next look at it on, the wall clock is this far from the real one. */
  set(offsetMs: number): void {
    const seconds = Math.round(offsetMs / 1000);
    writeFileSync(this.#file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }
}
