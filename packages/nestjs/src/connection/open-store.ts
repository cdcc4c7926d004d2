import { InvalidArgumentError, type JobStore, StoreOpenError } from '@holdfast/contract';
import { type Logger } from '@nestjs/common';
import { CHECKED_ELSEWHERE, checkOptions, FLAG, FUNCTION, type OptionRule } from '../checked-options.js';
import { type HoldfastOptions } from '../holdfast-options.js';
import { openWhenFree } from './open-when-free.js';
import { type StorePlace } from './store-place.js';
import { type StoreSource } from './store-source.js';

const OPTIONS: Record<keyof HoldfastOptions, OptionRule> = {
  store: CHECKED_ELSEWHERE,
  graceMs: CHECKED_ELSEWHERE,
  openTimeoutMs: CHECKED_ELSEWHERE,
  lockWaitMs: CHECKED_ELSEWHERE,
  globalEnhancers: FLAG,
  around: FUNCTION,
  tracing: FLAG,
};

const OPEN_TIMEOUT_MS = 300_000;
/** As a worker has it. */
const GRACE_MS = 10_000;
/** What an end takes beyond `graceMs`: the workers' last two and a half seconds, the hooks of the application, the last commit. */
const END_MS = 5_000;
/** A day: the longest grace of a worker, and less than timers can count to. */
const MS_MAX = 24 * 3_600_000;

/**
 * Opens the store that the options name, or says within `openTimeoutMs` why it is not open. Nothing stays open then: a
 * store that opens later all the same is closed again. Where another process or application holds it, it waits up to `lockWaitMs` for the end of that one.
 * @throws InvalidArgumentError, StoreOpenError, and what the store throws.
 */
export async function openStore(
  options: Partial<HoldfastOptions> | undefined,
  place: StorePlace,
  logger: Logger,
): Promise<JobStore> {
  const source = options?.store;
  if (typeof source?.open !== 'function') {
    throw new InvalidArgumentError(
      'store of HoldfastModule',
      source,
      "what opens a store, such as logStore({ directory: 'data/queue' })",
    );
  }
  const { openTimeoutMs = OPEN_TIMEOUT_MS, graceMs = GRACE_MS } = options ?? {};
  const timeoutMs = checkedMs('openTimeoutMs', openTimeoutMs, 1);
  const endMs = checkedMs('graceMs', graceMs, 0) + END_MS;
  const { lockWaitMs = Math.min(endMs, MS_MAX) } = options ?? {};
  checkedMs('lockWaitMs', lockWaitMs, 0);
  checkOptions('the options of HoldfastModule', options ?? {}, OPTIONS);
  return openWhenFree(() => openWithin(source, timeoutMs), place, lockWaitMs, logger);
}

function checkedMs(option: string, given: number, min: number): number {
  if (Number.isInteger(given) && given >= min && given <= MS_MAX) return given;
  throw new InvalidArgumentError(option, given, `a whole number from ${min} to ${MS_MAX}`);
}

/** Not what a plain object, or `open` without a `return`, gives. */
function checkedStore(opened: JobStore): JobStore {
  if (typeof opened?.enqueue === 'function' && typeof opened.close === 'function') return opened;
  throw new InvalidArgumentError(
    'what the store of HoldfastModule opens',
    opened,
    'an open JobStore',
    'Does open() return it?',
  );
}

async function openWithin(source: StoreSource, timeoutMs: number): Promise<JobStore> {
  const opening = source.open({ timeoutMs });
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<'too long'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'too long');
  });
  try {
    const opened = await Promise.race([opening, tooLong]);
    if (opened !== 'too long') return checkedStore(opened);
  } finally {
    clearTimeout(timer);
  }
  void opening.then((store) => store.close()).catch(() => undefined);
  throw new StoreOpenError(
    source.location ?? 'The store of HoldfastModule',
    `it did not answer within ${timeoutMs} ms. Look whether it can be reached from this machine and is not busy with ` +
      'a recovery; a store that needs longer to open wants a larger openTimeoutMs in HoldfastModule.forRoot.',
  );
}
