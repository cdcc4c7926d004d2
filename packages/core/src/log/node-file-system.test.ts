import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NodeFileSystem } from './node-file-system.js';

let directory: string;
let fileSystem: NodeFileSystem;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-files-'));
  fileSystem = new NodeFileSystem();
});

afterEach(() => rmSync(directory, { recursive: true }));

it('writes and reads at positions', () => {
  const file = fileSystem.open(join(directory, 'file'), 'create');
  expect(file.write(new Uint8Array([1, 2, 3]), 5)).toBe(3);
  file.syncData();
  file.sync();
  const into = new Uint8Array(8);
  expect(file.read(into, 4)).toBe(4);
  expect([...into]).toEqual([0, 1, 2, 3, 0, 0, 0, 0]);
  expect(file.read(into, 8)).toBe(0);
  expect(file.size()).toBe(8);
  file.close();
});

it('keeps its files from other users', () => {
  fileSystem.createDirectory(join(directory, 'a', 'b'));
  fileSystem.open(join(directory, 'a', 'b', 'file'), 'create').close();
  expect(statSync(join(directory, 'a', 'b', 'file')).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, 'a')).mode & 0o777).toBe(0o700);
});

it('makes the name of each new directory durable', () => {
  const synced: string[] = [];
  fileSystem.syncDirectory = (path) => synced.push(path);
  fileSystem.createDirectory(join(directory, 'a', 'b', 'c'));
  expect(synced).toEqual([join(directory, 'a', 'b'), join(directory, 'a'), directory]);
  fileSystem.createDirectory(join(directory, 'a', 'b', 'c'));
  expect(synced).toHaveLength(3);
});

it('makes nothing behind a link that leads nowhere, and nothing in a file', () => {
  symlinkSync(join(directory, 'absent'), join(directory, 'link'));
  writeFileSync(join(directory, 'file'), '');
  expect(() => fileSystem.createDirectory(join(directory, 'link'))).toThrow(/ENOENT/);
  expect(() => fileSystem.createDirectory(join(directory, 'link', 'a', 'b'))).toThrow(/ENOENT/);
  expect(() => fileSystem.createDirectory(join(directory, 'file'))).toThrow(/EEXIST/);
  expect(() => fileSystem.createDirectory(join(directory, 'file', 'a'))).toThrow(/ENOTDIR/);
  expect(readdirSync(directory).sort()).toEqual(['file', 'link']);
});

it('creates a file only where there is none, and a directory also where there is one', () => {
  const path = join(directory, 'file');
  fileSystem.open(path, 'create').close();
  expect(() => fileSystem.open(path, 'create')).toThrow(/EEXIST/);
  expect(() => fileSystem.open(join(directory, 'absent'), 'write')).toThrow(/ENOENT/);
  expect(() => fileSystem.createDirectory(directory)).not.toThrow();
});

it('follows no link and opens no folder or pipe', () => {
  writeFileSync(join(directory, 'target'), 'x');
  symlinkSync(join(directory, 'target'), join(directory, 'link'));
  mkdirSync(join(directory, 'folder'));
  execFileSync('mkfifo', [join(directory, 'pipe')]);
  for (const mode of ['read', 'write'] as const) {
    expect(() => fileSystem.open(join(directory, 'link'), mode)).toThrow(/ELOOP/);
    expect(() => fileSystem.open(join(directory, 'folder'), mode)).toThrow();
    expect(() => fileSystem.open(join(directory, 'pipe'), mode)).toThrow(/not a regular file/);
  }
  const files = fileSystem.list(directory).filter(({ isFile }) => isFile);
  expect(files.map(({ name }) => name)).toEqual(['target']);
});

it('replaces and removes files, and syncs their names', () => {
  writeFileSync(join(directory, 'old'), 'old');
  writeFileSync(join(directory, 'new'), 'new');
  fileSystem.rename(join(directory, 'new'), join(directory, 'old'));
  fileSystem.syncDirectory(directory);
  expect(readFileSync(join(directory, 'old'), 'utf8')).toBe('new');
  fileSystem.remove(join(directory, 'old'));
  expect(fileSystem.list(directory)).toEqual([]);
  expect(fileSystem.freeBytes(directory)).toBeGreaterThan(0);
});

it('removes beside this thread, and asks nothing of a file that is gone', async () => {
  writeFileSync(join(directory, 'old'), 'old');
  fileSystem.removeInBackground(join(directory, 'gone'));
  fileSystem.removeInBackground(join(directory, 'old'));
  await expect.poll(() => fileSystem.list(directory)).toEqual([]);
});

it('syncs beside this thread, one file or several, also when they are closed meanwhile', async () => {
  const files = ['a', 'b'].map((name) => fileSystem.open(join(directory, name), 'create'));
  for (let round = 0; round < 30; round++) {
    const syncs = files.map((file) => {
      file.write(new Uint8Array(100), round * 100);
      return new Promise((resolve) => file.syncDataInBackground(resolve));
    });
    expect(await Promise.all(syncs)).toEqual([undefined, undefined]);
  }
  const last = files.map((file) => new Promise((resolve) => file.syncDataInBackground(resolve)));
  for (const file of files) file.close();
  // The first may have been done before it was closed; both answer.
  expect(await Promise.all(last)).toHaveLength(2);
});

it('locks once, notes its process, and lets go', () => {
  const path = join(directory, 'lock');
  const lock = fileSystem.lock(path);
  expect(new NodeFileSystem().lock(path)).toEqual({ holderPid: process.pid });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  if ('unlock' in lock) lock.unlock();
  const next = fileSystem.lock(path);
  expect(next).toHaveProperty('unlock');
  if ('unlock' in next) next.unlock();
});

it('says nothing about a holder whose note cannot be read', () => {
  const path = join(directory, 'lock');
  const lock = fileSystem.lock(path);
  for (const note of ['', '{', 'null', '{"pid":"1"}']) {
    writeFileSync(path, note);
    expect(fileSystem.lock(path)).toEqual({ holderPid: undefined });
  }
  if ('unlock' in lock) lock.unlock();
});

it('takes no holder for this process that held it before this process began: the first process of another container', () => {
  const path = join(directory, 'lock');
  const lock = fileSystem.lock(path);
  const beganMs = Date.now() - process.uptime() * 1000;
  writeFileSync(path, JSON.stringify({ pid: process.pid, sinceMs: beganMs - 60_000 }));
  expect(fileSystem.lock(path)).toEqual({ holderPid: undefined });
  writeFileSync(path, JSON.stringify({ pid: process.pid + 1, sinceMs: beganMs - 60_000 }));
  expect(fileSystem.lock(path)).toEqual({ holderPid: process.pid + 1 });
  if ('unlock' in lock) lock.unlock();
});
