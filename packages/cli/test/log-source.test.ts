import { join } from 'node:path';
import { openLogStore } from '@holdfast/core';
import { expect, it } from 'vitest';
import { LogDirectory } from '../src/move/log-directory.js';
import { Output } from '../src/terminal/output.js';
import { Progress } from '../src/terminal/progress.js';
import { holdfast, Sink, scratchDirectory } from './rig.js';

function logIn(directory: string): LogDirectory {
  const progress = new Progress({ terminal: undefined, monotonicMs: () => 0 });
  const out = new Output(new Sink());
  return new LogDirectory(directory, { out, err: out, progress, now: () => Date.now(), stopped: async () => {} });
}

/** As a snapshot leaves it: no store was ever opened there, so there is no file whose lock could be held. */
async function neverOpened(): Promise<string> {
  const [live, copy] = [join(scratchDirectory(), 'live'), join(scratchDirectory(), 'copy')];
  const store = await openLogStore({ directory: live });
  await store.enqueue([{ queue: 'q', name: 'n', payload: '' }]);
  await store.close();
  expect(await holdfast(['snapshot', live, copy])).toMatchObject({ code: 0 });
  return copy;
}

it('notices that a log which nothing could lock is opened while it is read', async () => {
  const directory = await neverOpened();
  await logIn(directory).readWhole(async (contents) => {
    await contents.requireUnchanged();
    const store = await openLogStore({ directory });
    await expect(contents.requireUnchanged()).rejects.toMatchObject({ code: 'MOVE_REFUSED' });
    await store.close();
    await expect(contents.requireUnchanged()).rejects.toMatchObject({ code: 'MOVE_REFUSED' });
  });
});

it('keeps owners out of a log that was opened before', async () => {
  const directory = await neverOpened();
  await (await openLogStore({ directory })).close();
  await logIn(directory).readWhole(async (contents) => {
    await expect(openLogStore({ directory })).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    await contents.requireUnchanged();
  });
});
