import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRunError } from '../rig.js';
import { cleanUpLater } from './cleanup.js';
import { findProgram, runProgram } from './command.js';
import { compileNative } from './preloads.js';

const MAKERS: Readonly<
  Record<string, { readonly program: string; readonly options: readonly string[]; readonly from: string }>
> = {
  ext4: { program: 'mkfs.ext4', options: ['-q', '-F'], from: 'e2fsprogs' },
  xfs: { program: 'mkfs.xfs', options: ['-q', '-f'], from: 'xfsprogs' },
};

/** Whether a disk with this file system can be made here. */
export function canMakeDisk(fileSystem: string): boolean {
  return findProgram(MAKERS[fileSystem]?.program ?? '') !== undefined;
}

/** A file system of its own: on a loop device in a file, or in memory (tmpfs). Needs root. */
export class Disk {
  readonly directory: string;
  readonly #source: string;
  readonly #mountOptions: readonly string[];
  readonly #scratch: string;
  #unmountLater: (() => void) | undefined;
  #shutDownProgram: string | undefined;

  /** @throws CannotRunError */
  static make(scratch: string, name: string, fileSystem: string, bytes: number): Disk {
    if (process.getuid?.() !== 0) throw new CannotRunError('mounting a file system needs root');
    if (fileSystem === 'tmpfs') {
      return new Disk(scratch, name, 'holdfast-torture', ['-t', 'tmpfs', '-o', `size=${bytes}`]);
    }
    const maker = MAKERS[fileSystem];
    if (maker === undefined) throw new CannotRunError(`${fileSystem} is no file system that a disk can be made with`);
    if (findProgram(maker.program) === undefined) {
      throw new CannotRunError(`${maker.program} is missing: apt-get install ${maker.from}`);
    }
    const image = join(scratch, `${name}.image`);
    writeFileSync(image, '');
    truncateSync(image, bytes);
    runProgram(maker.program, ...maker.options, image);
    return new Disk(scratch, name, image, ['-t', fileSystem, '-o', 'loop']);
  }

  private constructor(scratch: string, name: string, source: string, mountOptions: readonly string[]) {
    this.directory = join(scratch, name);
    this.#scratch = scratch;
    this.#source = source;
    this.#mountOptions = mountOptions;
    mkdirSync(this.directory);
    this.mount();
  }

  mount(): void {
    try {
      runProgram('mount', ...this.#mountOptions, this.#source, this.directory);
    } catch (error) {
      throw new CannotRunError(`mount failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#unmountLater = cleanUpLater(() => unmountSoon(this.directory));
  }

  unmount(): void {
    this.#unmountLater?.();
    this.#unmountLater = undefined;
  }

  /** Cuts the power: nothing that was not synced will be there after the next mount. Until then nothing works. */
  cutPower(): void {
    this.#shutDownProgram ??= compileNative('shut-down', this.#scratch, 'program');
    runProgram(this.#shutDownProgram, this.directory);
  }

  /** After a power cut: what a machine finds when it starts again. */
  restart(): void {
    this.unmount();
    this.mount();
  }

  remove(): void {
    this.unmount();
    if (this.#source.startsWith('/')) rmSync(this.#source);
    rmSync(this.directory, { recursive: true });
  }
}

/** A process that was killed a moment ago may still hold its files. */
function unmountSoon(directory: string): void {
  for (let tries = 0; ; tries++) {
    try {
      runProgram('umount', directory);
      return;
    } catch (error) {
      if (tries === 40) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}
