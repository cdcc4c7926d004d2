import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { run } from '../src/run.js';

/** A directory of its own for the test that runs now; removed when that has ended. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-cli-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A stream that keeps what it gets. */
export class Sink extends Writable {
  text = '';
  readonly isTTY: boolean;

  constructor(isTTY = false) {
    super();
    this.isTTY = isTTY;
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += piece.toString('utf8');
    done();
  }
}

/** Looks now and then: whoever looks all the time takes the processor from the one who is waited for. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20);
}

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Surroundings {
  readonly isTTY?: boolean;
  readonly env?: Record<string, string>;
  monotonicMs?(): number;
  now?(): number;
  stopped?(): Promise<void>;
}

/** Runs a command line as `holdfast` would. */
export async function holdfast(words: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  const { isTTY = false, env = {}, monotonicMs = () => 0, now = () => 1_790_000_000_000 } = surroundings;
  const { stopped = async () => {} } = surroundings;
  const stdout = new Sink(isTTY);
  const stderr = new Sink(isTTY);
  const code = await run(words, { stdout, stderr, env, now, monotonicMs, stopped });
  return { code, out: stdout.text, err: stderr.text };
}

/** The parsed lines of a dump. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Names, sums and times of the files of a directory: equal before and after what must not change it. */
export function stateOf(directory: string): string[] {
  return readdirSync(directory)
    .sort()
    .map((name) => {
      const path = join(directory, name);
      const { mtimeMs, size } = statSync(path);
      return `${name} ${size} ${mtimeMs} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
    });
}

export function segmentsOf(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.segment'))
    .sort()
    .map((name) => join(directory, name));
}

export function flipByte(file: string, offset: number): void {
  changeFile(file, (bytes) => {
    bytes[offset]! ^= 0x10;
    return bytes;
  });
}

/** Cuts off so many of the bytes that were written, and the zeros behind them that were written ahead. */
export function cutEnd(file: string, length: number): void {
  changeFile(file, (bytes) => bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1 - length));
}

function changeFile(file: string, change: (bytes: Buffer) => Buffer): void {
  writeFileSync(file, change(readFileSync(file)));
}
