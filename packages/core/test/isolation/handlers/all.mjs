import { parentPort } from 'node:worker_threads';
import { CancelJob, RetryAfter, Snooze, UnrecoverableError } from '@holdfast/contract';

/** Blocks the thread for ever. */
function spin() {
  for (;;);
}

/** @satisfies {Record<string, import('@holdfast/core').Handler<never>>} */
export default {
  where: () => ({ pid: process.pid }),

  double: ({ payload }) => payload * 2,

  async tell(_, { progress, log, extend, token, attempt, worker }) {
    progress({ step: 1 });
    log('first');
    await extend(60_000);
    log('second');
    progress(1);
    return { token, attempt, worker };
  },

  badProgress: (_, { progress }) => progress(10n),

  typeError() {
    throw new TypeError('no such thing', { cause: new RangeError('too far') });
  },

  unrecoverable() {
    throw new UnrecoverableError('never');
  },
  retryAfter() {
    throw new RetryAfter(3_600_000, 'later');
  },
  snooze() {
    throw new Snooze(3_600_000);
  },
  cancel() {
    throw new CancelJob('not needed');
  },

  exit: ({ payload }) => process.exit(payload),

  signal: ({ payload }) => new Promise(() => process.kill(process.pid, payload)),

  uncaught: () =>
    new Promise(() => {
      setTimeout(() => {
        throw new RangeError('nobody caught this');
      });
    }),

  spin,

  tellAndSpin(_, { log }) {
    log(`about to spin in ${process.pid}`);
    setTimeout(spin, 10);
    return new Promise(() => {});
  },

  listen: (_, { signal, log }) =>
    new Promise((_resolve, reject) => {
      log('listening');
      signal.addEventListener('abort', () => reject(signal.reason));
    }),

  function: () => () => {},

  /** A list in a list in a list: a thread has a larger stack than the one that it answers to. */
  deep({ payload }) {
    /** @type {unknown[]} */
    let list = [];
    for (let level = 0; level < payload; level++) list = [list];
    return list;
  },

  /** As when a message that came to a thread cannot be read there. */
  unreadable: () => new Promise(() => parentPort?.emit('messageerror', new RangeError('it cannot be read'))),

  /** As a library does that tidies up what it takes for its own. */
  takeOffListeners({ payload: event }) {
    const others = parentPort ?? process;
    if (event === null) others.removeAllListeners();
    else others.removeAllListeners(event);
  },

  postJunk() {
    for (const junk of [null, 0, 'ready', [], {}, { kind: 'returned' }]) {
      if (parentPort === null) process.send?.(junk);
      else parentPort.postMessage(junk);
    }
    return 'done';
  },
};
