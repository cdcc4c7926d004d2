import { invariant } from './invariant.js';

/** Every bound of the log store, with its unit. Options may lower some of them; nothing raises them. */
export const LIMITS = {
  queueNameBytesMax: 100,
  jobNameBytesMax: 100,
  workerNameBytesMax: 100,
  payloadBytesMax: 1024 * 1024,
  resultBytesMax: 256 * 1024,
  errorClassBytesMax: 255,
  errorMessageBytesMax: 8 * 1024,
  errorStackBytesMax: 8 * 1024,
  enqueueJobsMax: 10_000,
  /** Payload bytes of one enqueue call. */
  enqueueBytesMax: 16 * 1024 * 1024,
  claimJobsMax: 1000,
  settleItemsMax: 10_000,
  /** Result bytes of one ack call. */
  settleBytesMax: 16 * 1024 * 1024,
  actorBytesMax: 255,
  reasonBytesMax: 8 * 1024,
  leaseMsMin: 100,
  leaseMsMax: 24 * 3_600_000,
  waitMsMax: 3_600_000,
  delayMsMax: 10 * 366 * 86_400_000,
  /** The last time that a JavaScript Date can hold. */
  runAtMsMax: 8_640_000_000_000_000,
  backoffMsMax: 4_294_967_295,
  priorityMax: 4_294_967_295,
  maxAttemptsMax: 4_294_967_294,
  /** Records of one frame, padding and header included. */
  frameBytesMax: 64 * 1024 * 1024,
  segmentBytesMin: 64 * 1024,
  segmentBytesDefault: 64 * 1024 * 1024,
  segmentBytesMax: 1024 * 1024 * 1024,
  /** An ack is on disk at the latest this long after its answer. */
  lazySyncMs: 50,
  /** An idle log proves its last commit after this long. */
  idleFrameMs: 100,
  payloadCacheBytes: 64 * 1024 * 1024,
  pageRowsMax: 200,
  completedKeptPerQueue: 1000,
  leaseExpiriesKept: 200,
  /** Epochs: 21 bits; tokens of one epoch: 32 bits. Together they stay exact in a double. */
  epochMax: 2 ** 21 - 1,
  tokensPerEpochMax: 2 ** 32 - 1,
} as const;

invariant(LIMITS.enqueueBytesMax * 2 < LIMITS.frameBytesMax, 'one enqueue call fits into one frame');
invariant(LIMITS.payloadBytesMax <= LIMITS.enqueueBytesMax, 'one payload fits into one enqueue call');
invariant(LIMITS.lazySyncMs < LIMITS.idleFrameMs, 'an idle frame follows the lazy sync');
