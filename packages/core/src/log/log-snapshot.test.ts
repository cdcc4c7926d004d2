import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileSystem, LogFile } from './file-system.js';
import { LogSnapshot } from './log-snapshot.js';
import { NodeFileSystem } from './node-file-system.js';
import { readUpTo } from './read-window.js';
import { segmentName } from './segment-name.js';

let directory: string;
const path = (number: number) => join(directory, segmentName(number));
const write = (number: number, text: string) => writeFileSync(path(number), text);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-snapshot-'));
  write(1, 'one');
  write(2, 'two');
});

afterEach(() => rmSync(directory, { recursive: true }));

/** A file system that lets something happen once, right after the first call of this kind, or a later one. */
function interrupted(method: 'list' | 'open', happen: () => void, call = 1): Pick<FileSystem, 'list' | 'open'> {
  const system = new NodeFileSystem();
  let calls = 0;
  const after = <Result>(called: string, result: Result): Result => {
    if (called === method && ++calls === call) happen();
    return result;
  };
  return {
    list: (of) => after('list', system.list(of)),
    open: (file, mode) => after('open', system.open(file, mode)),
  };
}

function textsOf(snapshot: LogSnapshot): string[] {
  return snapshot.segmentNames.map((name) => {
    const file = snapshot.open(join(directory, name), 'read');
    return Buffer.from(readUpTo(file, 0, 100)).toString();
  });
}

describe('what happens while it is taken', () => {
  it.each(['list', 'open'] as const)('a next segment, and a last frame before it (after %s)', (method) => {
    const rotate = () => {
      write(3, 'three');
      writeFileSync(path(2), 'SEAL', { flag: 'a' });
    };
    const snapshot = LogSnapshot.take(interrupted(method, rotate), directory);
    // Never the last frame of a segment without the segment that follows.
    expect(textsOf(snapshot)).toEqual(['one', 'twoSEAL', 'three']);
    snapshot.close();
  });

  it('a first segment that is removed', () => {
    const snapshot = LogSnapshot.take(
      interrupted('list', () => rmSync(path(1))),
      directory,
    );
    expect(textsOf(snapshot)).toEqual(['two']);
    snapshot.close();
  });

  it('a segment that is replaced by its copy before the next one has a frame', () => {
    write(3, '');
    const replace = () => {
      write(9, 'two copied');
      renameSync(path(9), path(2));
      write(3, 'three');
    };
    const snapshot = LogSnapshot.take(interrupted('open', replace, 2), directory);
    // Never the old one together with what was written after its copy.
    expect(textsOf(snapshot)).toEqual(['one', 'two', '']);
    snapshot.close();
  });
});

describe('what happens after it was taken', () => {
  it('is not seen: appended bytes, new and removed files', () => {
    const snapshot = LogSnapshot.take(new NodeFileSystem(), directory);
    writeFileSync(path(2), ' and more', { flag: 'a' });
    write(3, 'three');
    rmSync(path(1));
    expect(textsOf(snapshot)).toEqual(['one', 'two']);
    expect(snapshot.bytes).toBe(6);
    expect(snapshot.open(path(2), 'read').size()).toBe(3);
    snapshot.close();
  });

  it('never ends before data that it tells of: what is appended while a file is looked at', () => {
    const system = new NodeFileSystem();
    const appending: Pick<FileSystem, 'list' | 'open'> = {
      list: (of) => system.list(of),
      open: (file, mode) => {
        const opened = system.open(file, mode);
        const after = <Result>(looked: Result): Result => {
          writeFileSync(file, ' more', { flag: 'a' });
          return looked;
        };
        return Object.assign(Object.create(opened) as LogFile, {
          size: () => after(opened.size()),
          dataEnd: () => after(opened.dataEnd()),
          read: (into: Uint8Array, position: number) => opened.read(into, position),
          close: () => opened.close(),
        });
      },
    };
    const snapshot = LogSnapshot.take(appending, directory);
    const file = snapshot.open(path(2), 'read');
    expect(file.dataEnd()).toBeLessThanOrEqual(file.size());
    snapshot.close();
  });

  it('is not taken for data that was there: what is written over zeros', () => {
    writeFileSync(path(2), `two${'\0'.repeat(5000)}`);
    const snapshot = LogSnapshot.take(new NodeFileSystem(), directory);
    writeFileSync(path(2), `two and more${'\0'.repeat(4991)}`);
    expect(snapshot.open(path(2), 'read').dataEnd()).toBe(3);
    snapshot.close();
  });
});

it('refuses everything but reading', () => {
  const snapshot = LogSnapshot.take(new NodeFileSystem(), directory);
  const file = snapshot.open(path(1), 'read');
  const refusals = [
    () => snapshot.open(path(1), 'write'),
    () => snapshot.remove(),
    () => snapshot.lock(),
    () => file.write(new Uint8Array(1), 0),
    () => file.sync(),
  ];
  for (const refused of refusals) expect(refused).toThrow('only read');
  snapshot.close();
});

it('leaves folders under the name of a segment to whoever reads it', () => {
  mkdirSync(path(3));
  const snapshot = LogSnapshot.take(new NodeFileSystem(), directory);
  expect(snapshot.segmentNames).toHaveLength(3);
  expect(() => snapshot.open(path(3), 'read')).toThrow('must be a regular file');
  snapshot.close();
});

describe('its fingerprint', () => {
  const fingerprint = () => {
    const snapshot = LogSnapshot.take(new NodeFileSystem(), directory);
    snapshot.close();
    return snapshot.fingerprint;
  };

  it('is the same while nothing is written, and another one after that', () => {
    const before = fingerprint();
    expect(fingerprint()).toBe(before);
    writeFileSync(path(2), '!', { flag: 'a' });
    const longer = fingerprint();
    expect(longer).not.toBe(before);
    renameSync(path(2), path(3));
    expect(fingerprint()).not.toBe(longer);
  });

  it('is another one where zeros were written over', () => {
    writeFileSync(path(2), `two${'\0'.repeat(5000)}`);
    const before = fingerprint();
    writeFileSync(path(2), `two!${'\0'.repeat(4999)}`);
    expect(fingerprint()).not.toBe(before);
  });
});
