/** The bounds that every store keeps, with their units, so that what one store takes, all take. A store has further ones of its own. */
export const STORE_LIMITS = {
  queueNameBytesMax: 100,
  jobNameBytesMax: 100,
  workerNameBytesMax: 100,
  payloadBytesMax: 1024 * 1024,
  resultBytesMax: 256 * 1024,
  errorClassBytesMax: 255,
  errorMessageBytesMax: 8 * 1024,
  errorStackBytesMax: 8 * 1024,
  progressBytesMax: 1024,
  logLineBytesMax: 1024,
  /** Lines of one job, and their bytes, that are kept: the last ones. */
  logLinesMax: 100,
  logBytesMax: 16 * 1024,
  dedupeKeyBytesMax: 255,
  headerNameBytesMax: 255,
  /** Names and values of one job's headers together. */
  headersBytesMax: 8 * 1024,
  enqueueJobsMax: 10_000,
  /** Payload bytes of one enqueue call. */
  enqueueBytesMax: 16 * 1024 * 1024,
  requestIdBytesMax: 200,
  /** For how long a request id stands for its jobs, by the wall clock. */
  requestKeptMs: 24 * 3_600_000,
  /** The oldest requests beyond these are forgotten before their time. */
  requestsKept: 100_000,
  requestJobsKept: 1_000_000,
  claimJobsMax: 1000,
  settleItemsMax: 10_000,
  /** Result bytes of one ack call. */
  settleBytesMax: 16 * 1024 * 1024,
  actorBytesMax: 255,
  reasonBytesMax: 8 * 1024,
  leaseMsMin: 100,
  leaseMsMax: 24 * 3_600_000,
  waitMsMax: 3_600_000,
  /** An attempt that may take longer needs no limit. */
  timeoutMsMax: 4_294_967_295,
  delayMsMax: 10 * 366 * 86_400_000,
  /** The last time that a JavaScript Date can hold. */
  runAtMsMax: 8_640_000_000_000_000,
  backoffMsMax: 4_294_967_295,
  backoffNameBytesMax: 100,
  priorityMax: 4_294_967_295,
  maxAttemptsMax: 4_294_967_294,
  pageRowsMax: 200,
  /** Jobs that one page may look at where counters do not answer. */
  pageScanMax: 1_000_000,
  pageScanDefault: 20_000,
  /** Jobs of one piece of a planned act. */
  pieceJobsMax: 1000,
  searchTextBytesMax: 500,
  /** Errors of dead jobs that are told apart; the others are one group. */
  deadGroupsMax: 10_000,
  deadGroupSamples: 5,
  /** Ready jobs that are counted before one, at most. */
  aheadMax: 1000,
  planQueuesMax: 100,
  /** Who has not claimed or extended for so long, and holds no lease, is not listed any more. */
  workerSeenMs: 600_000,
  workersMax: 1000,
  leaseExpiriesKept: 200,
  /** Events that a store remembers for those who fall behind or come back. */
  eventsKept: 4096,
  retentionCountMax: 10_000_000,
  retentionAgeMsMax: 100 * 366 * 86_400_000,
} as const;
