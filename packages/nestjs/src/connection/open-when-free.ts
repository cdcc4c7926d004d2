import { setTimeout as pause } from 'node:timers/promises';
import { type JobStore, StoreLockedError } from '@holdfast/contract';
import { type Logger } from '@nestjs/common';
import { StoreTakenOverError } from '../holdfast.errors.js';
import { type StorePlace } from './store-place.js';

const LOOK_EVERY_MS = 100;

/**
 * Opens a store that another process, or another application of this one, may still hold, and waits for `lockWaitMs` until it is free. Those who
 * restart an application (a watcher, a deployment, hot reload) often start the new one while handlers of the old one finish their work; without the
 * wait it would end and nobody start it again. An application of this process that never came up gives way at once.
 * @throws StoreLockedError when it is held longer, or by this very application, which would wait for itself; and whatever `open` throws.
 */
export async function openWhenFree(
  open: () => Promise<JobStore>,
  place: StorePlace,
  lockWaitMs: number,
  logger: Logger,
): Promise<JobStore> {
  const giveUpAtMs = performance.now() + lockWaitMs;
  for (let told = false; ; ) {
    // Who holds it now may have let go of it before it is asked for below.
    const before = place.holder;
    place.take(false);
    try {
      const store = await open();
      place.take(true);
      return store;
    } catch (error) {
      if (!(error instanceof StoreLockedError)) throw error;
      const isOurs = error.holderPid === process.pid;
      const holder = isOurs ? (before ?? place.holder) : undefined;
      if (isOurs && holder === undefined) throw error;
      if (await holder?.giveWay(new StoreTakenOverError(error.directory))) {
        logger.warn(
          `${error.directory} was still open in an application of this process that never came up. It was closed.`,
        );
        continue;
      }
      if (performance.now() >= giveUpAtMs) throw error;
      if (!told) logger.warn(describeWait(error, isOurs, lockWaitMs));
      told = true;
      await pause(LOOK_EVERY_MS);
    }
  }
}

function describeWait({ directory, holderPid }: StoreLockedError, isOurs: boolean, lockWaitMs: number): string {
  const other = holderPid === undefined ? 'another process' : `process ${holderPid}`;
  const holder = isOurs ? 'another application of this process' : other;
  return `${directory} is in use by ${holder}. Waiting up to ${lockWaitMs} ms for it to end.`;
}
