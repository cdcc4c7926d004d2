import { setTimeout as pause } from 'node:timers/promises';
import { type JobStore, StoreLockedError } from '@holdfast/contract';
import { type Logger } from '@nestjs/common';

const LOOK_EVERY_MS = 100;

/**
 * Opens a store that another process may still hold, and waits for `lockWaitMs` until it is free. Those who restart an application (a
 * watcher, a deployment) often start the new process while handlers of the old one finish their work; without the wait it would end and nobody start it again.
 * @throws StoreLockedError when it is held longer, or by this very process, which would wait for itself; and whatever `open` throws.
 */
export async function openWhenFree(
  open: () => Promise<JobStore>,
  lockWaitMs: number,
  logger: Logger,
): Promise<JobStore> {
  const giveUpAtMs = performance.now() + lockWaitMs;
  for (let told = false; ; told = true) {
    try {
      return await open();
    } catch (error) {
      const mayEnd = error instanceof StoreLockedError && error.holderPid !== process.pid;
      if (!mayEnd || performance.now() >= giveUpAtMs) throw error;
      if (!told) logger.warn(describeWait(error, lockWaitMs));
      await pause(LOOK_EVERY_MS);
    }
  }
}

function describeWait({ directory, holderPid }: StoreLockedError, lockWaitMs: number): string {
  const holder = holderPid === undefined ? 'another process' : `process ${holderPid}`;
  return `${directory} is in use by ${holder}. Waiting up to ${lockWaitMs} ms for it to end.`;
}
