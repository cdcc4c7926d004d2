import { openLogStore } from '@holdfast/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Child } from './child-process.js';
import { scratchDirectory } from './scratch-directory.js';

describe('a store and its process', () => {
  it('is refused to a second process, which is told the pid of the first', async () => {
    const directory = scratchDirectory();
    const holder = new Child('hold-store.mjs', directory);
    await holder.until('open');
    await expect(openLogStore({ directory })).rejects.toMatchObject({ code: 'STORE_LOCKED', holderPid: holder.pid });
    holder.kill();
    await holder.ended;
    const store = await openLogStore({ directory });
    await store.close();
  });

  it('has every answered job after a kill, and counts what was started', async () => {
    const directory = scratchDirectory();
    const child = new Child('enqueue-until-killed.mjs', directory);
    await child.until(2000);
    child.kill();
    expect(await child.ended).toBe('SIGKILL');
    const store = await openLogStore({ directory });
    onTestFinished(() => store.close());
    expect((await store.storage()).recovery).toMatchObject({ kind: 'unclean', leasesEnded: { retried: 1, dead: 0 } });
    const [poisonId, ...ids] = child.lines;
    expect(await store.job(poisonId!)).toMatchObject({ attempts: 1, attemptLog: [{ outcome: 'processEnded' }] });
    const jobs = await Promise.all(ids.map((id) => store.job(id)));
    expect(jobs.filter((job) => job?.state !== 'ready')).toEqual([]);
  });

  it('lets the process end after close', async () => {
    const child = new Child('close-and-end.mjs', scratchDirectory());
    expect(await child.ended).toBe(0);
    expect(child.lines).toEqual(['closed, 0 claimed']);
  });

  it('lets the process end also when nobody closed it, and has lost nothing', async () => {
    const directory = scratchDirectory();
    const child = new Child('forget-to-close.mjs', directory);
    expect(await child.ended).toBe(0);
    const store = await openLogStore({ directory });
    onTestFinished(() => store.close());
    expect(await store.job(child.lines[0]!)).toMatchObject({ state: 'ready' });
  });

  it('keeps the process alive while a claim waits', async () => {
    const child = new Child('wait-for-job.mjs', scratchDirectory());
    expect(await child.ended).toBe(0);
    expect(child.lines).toEqual(['claimed 1']);
  });

  it('keeps the process alive while a call waits for a lost engine', async () => {
    const child = new Child('lose-thread.mjs', scratchDirectory());
    expect(await child.ended).toBe(0);
    expect(child.lines).toEqual(['enqueued ready, open']);
  });
});
