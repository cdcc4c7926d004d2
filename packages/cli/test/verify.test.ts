import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLogStore } from '@holdfast/core';
import { crc32c } from '@holdfast/core/log';
import { describe, expect, it } from 'vitest';
import { linesOf, start } from './child.js';
import { makeJobLog } from './job-log.js';
import { cutEnd, flipByte, holdfast, scratchDirectory, segmentsOf, stateOf } from './rig.js';

const SEGMENT_HEADER_BYTES = 256;
const GOLDEN = fileURLToPath(new URL('golden/jobs-v1', import.meta.url));

describe('a sound log', () => {
  it('is clean when it was closed in order, with its jobs counted by state and queue', async () => {
    const { directory } = await makeJobLog('closed');
    const before = stateOf(directory);
    const { code, out, err } = await holdfast(['verify', directory]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Clean: all of it is valid, and it was closed in order.');
    // The leases ended with the store: they were handed back.
    expect(out).toMatch(/Jobs: 387 ready, 10 completed, 5 dead\n {2}mail: 387 ready/);
    expect(stateOf(directory)).toEqual(before);
  });

  it('is sound when its process was killed, and says how many jobs were leased then', async () => {
    const { directory } = await makeJobLog('killed');
    const { code, out } = await holdfast(['verify', directory, '--json']);
    const report = JSON.parse(out) as Record<string, unknown>;
    expect(code).toBe(0);
    expect(report).toMatchObject({
      owner: null,
      verdict: { kind: 'unclosed' },
      jobs: { ready: 372, leased: 15, completed: 10, dead: 5 },
    });
  });
});

describe('a torn end', () => {
  it('is told with what an open would cut, and is sound', async () => {
    const { directory } = await makeJobLog('killed');
    const last = segmentsOf(directory).at(-1) ?? '';
    cutEnd(last, 20);
    const { code, out } = await holdfast(['verify', directory]);
    expect(code).toBe(0);
    expect(out).toContain(`Torn end: ${basename(last)} from byte `);
    expect(out).toContain('a frame is cut off');
    expect(out).toContain('An open cuts these bytes off and keeps them in quarantine/.');
  });
});

describe('a damaged log', () => {
  it('is named with segment and offset, and exit code 1', async () => {
    const { directory } = await makeJobLog('closed');
    const [first = ''] = segmentsOf(directory);
    flipByte(first, 20_000);
    const before = stateOf(directory);
    const { code, out } = await holdfast(['verify', directory]);
    expect(code).toBe(1);
    const [, offset] =
      /Damaged: 0000000001\.segment, byte (\d+): records do not match their checksum\./.exec(out) ?? [];
    expect(Number(offset)).toBeLessThanOrEqual(20_000);
    expect(Number(offset)).toBeGreaterThan(15_000);
    expect(out).toContain('holdfast repair ');
    expect(stateOf(directory)).toEqual(before);
  });

  it('is seen where a segment is missing', async () => {
    const { directory } = await makeJobLog('closed');
    const kept = scratchDirectory();
    for (const path of segmentsOf(directory).slice(1)) copyFileSync(path, join(kept, basename(path)));
    const { code, out } = await holdfast(['verify', kept]);
    expect(code).toBe(1);
    expect(out).toContain('Damaged: 0000000001.segment, byte 0: this segment is missing.');
  });

  it('is seen where a record does not match its own checksum, although its frame does', async () => {
    const directory = scratchDirectory();
    const path = join(directory, '0000000003.segment');
    const bytes = readFileSync(join(GOLDEN, '0000000003.segment'));
    const frame = bytes.subarray(SEGMENT_HEADER_BYTES);
    frame[68]! ^= 1;
    frame.writeUInt32LE(crc32c(frame, 64, 64 + frame.readUInt32LE(8)), 48);
    frame.writeUInt32LE(crc32c(frame, 0, 60), 60);
    writeFileSync(path, asOnlySegment(bytes));
    const { code, out } = await holdfast(['verify', directory]);
    expect(code).toBe(1);
    expect(out).toContain('0000000003.segment, byte 320: a record does not match its own checksum.');
  });
});

describe('something else than a log', () => {
  it.each([
    ['an empty directory', (directory: string) => directory, 'holds no log'],
    ['a missing directory', (directory: string) => join(directory, 'none'), 'does not exist'],
    ['a file', fileIn, 'is not a directory'],
    ['a link that leads to itself', linkToItselfIn, 'ELOOP'],
    ['a directory with other files', (directory: string) => join(fileIn(directory), '..'), 'holds no log'],
  ])('%s cannot be read', async (_, make, problem) => {
    const path = make(scratchDirectory());
    for (const command of ['verify', 'dump']) {
      const { code, out, err } = await holdfast([command, path]);
      expect({ code, out }).toEqual({ code: 3, out: '' });
      expect(err).toMatch(new RegExp(`^holdfast: .*${problem}.*\\n.+\\n$`));
    }
  });

  it.each(['a folder', 'a link'])('%s under the name of a segment cannot be read', async (what) => {
    const directory = scratchDirectory();
    const path = join(directory, '0000000001.segment');
    if (what === 'a folder') mkdirSync(path);
    else symlinkSync(join(GOLDEN, '0000000001.segment'), path);
    const { code, err } = await holdfast(['verify', directory]);
    expect(code).toBe(3);
    expect(err).toContain('a segment must be a regular file');
  });

  it('a file of other contents under the name of a segment is damaged', async () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, '0000000001.segment'), 'notes '.repeat(100));
    const { code, out } = await holdfast(['verify', directory]);
    expect(code).toBe(1);
    expect(out).toContain('its header does not match its checksum');
  });

  it.each(['verify', 'dump', 'repair'])('a log of a future version is refused by %s', async (command) => {
    const directory = scratchDirectory();
    const bytes = readFileSync(join(GOLDEN, '0000000001.segment'));
    bytes.writeUInt16LE(2, 8);
    writeFileSync(join(directory, '0000000001.segment'), withHeaderSum(bytes));
    const target = command === 'repair' ? ['--to', join(scratchDirectory(), 'new')] : [];
    const { code, out, err } = await holdfast([command, directory, ...target]);
    expect(code).toBe(4);
    expect(out + err).toContain('it has format version 2, and this Holdfast reads 1');
    expect(out + err).toContain('Use the version of holdfast that wrote');
  });
});

describe('a log in use', () => {
  it('is verified, and its owner named', async () => {
    const directory = scratchDirectory();
    const store = await openLogStore({ directory });
    const { code, out } = await holdfast(['verify', directory]);
    expect(code).toBe(0);
    expect(out).toContain(`Open: process ${process.pid} has it open.`);
    // A look takes no lock: the store can be closed and opened again.
    await store.close();
    expect((await holdfast(['verify', directory])).out).not.toContain('has it open');
  });

  it('is sound however often it is verified while its process writes and starts segments', async () => {
    const directory = join(scratchDirectory(), 'log');
    const writer = start('keep-writing', [directory]);
    await linesOf(writer, 3);
    const segments = new Set<number>();
    for (let round = 0; round < 25; round++) {
      const { code, out } = await holdfast(['verify', directory, '--json']);
      const report = JSON.parse(out) as { verdict: unknown; segments: unknown[]; owner: unknown };
      expect({ code, verdict: report.verdict }).toMatchObject({ code: 0 });
      expect(report.owner).toEqual({ certainty: 'sure', pid: writer.pid });
      segments.add(report.segments.length);
      await new Promise(setImmediate);
    }
    expect(writer.exitCode).toBe(null);
    expect(segments.size).toBeGreaterThan(1);
  });
});

function fileIn(directory: string): string {
  const path = join(directory, 'notes.txt');
  writeFileSync(path, 'notes');
  return path;
}

function linkToItselfIn(directory: string): string {
  const path = join(directory, 'circle');
  symlinkSync(path, path);
  return path;
}

/** As if compaction had retired all before it. */
function asOnlySegment(bytes: Buffer): Buffer {
  bytes.writeBigUInt64LE(bytes.readBigUInt64LE(40), 88);
  return withHeaderSum(bytes);
}

function withHeaderSum(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(crc32c(bytes, 0, 252), 252);
  return bytes;
}
