import { STORE_LIMITS } from '@holdfast/contract/rules';
import { invariant } from './invariant.js';

/** Every bound of the log store, with its unit. Options may lower some of them; nothing raises them. */
export const LIMITS = {
  ...STORE_LIMITS,
  /** Records of one frame, padding and header included. */
  frameBytesMax: 64 * 1024 * 1024,
  segmentBytesMin: 64 * 1024,
  segmentBytesDefault: 64 * 1024 * 1024,
  segmentBytesMax: 1024 * 1024 * 1024,
  diskReserveBytesDefault: 8 * 1024 * 1024,
  diskReserveBytesMin: 64 * 1024,
  diskReserveBytesMax: 1024 * 1024 * 1024,
  /** An ack is on disk at the latest this long after its answer. */
  lazySyncMs: 50,
  /** An idle log proves its last commit after this long. */
  idleFrameMs: 100,
  payloadCacheBytes: 16 * 1024 * 1024,
  /** Epochs: 21 bits; tokens of one epoch: 32 bits. Together they stay exact in a double. */
  epochMax: 2 ** 21 - 1,
  tokensPerEpochMax: 2 ** 32 - 1,
} as const;

invariant(LIMITS.enqueueBytesMax * 2 < LIMITS.frameBytesMax, 'one enqueue call fits into one frame');
invariant(LIMITS.payloadBytesMax <= LIMITS.enqueueBytesMax, 'one payload fits into one enqueue call');
invariant(LIMITS.lazySyncMs < LIMITS.idleFrameMs, 'an idle frame follows the lazy sync');
