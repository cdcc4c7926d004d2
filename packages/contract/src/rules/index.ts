/** For authors of stores: what every store checks, bounds and computes in the same way. Pure; no I/O. */
export {
  type CheckedClone,
  type CheckedPause,
  checkedClone,
  checkedPause,
  checkedPriority,
  checkedTarget,
} from './act-checks.js';
export { backoffMs } from './backoff.js';
export {
  type CheckedClaim,
  checkedActor,
  checkedClaim,
  checkedMs,
  checkedQueueNames,
  checkItems,
  checkKeys,
  checkText,
  checkWhole,
} from './call-checks.js';
export { cutBytes, cutText } from './cut-text.js';
export { type ErrorKind, errorKind, OTHER_ERRORS } from './error-fingerprint.js';
export { type CheckedEvents, checkedEvents, EventBuffer, type EventsPage } from './event-buffer.js';
export { holdsText, isInternalQueue, isSearch, payloadHas } from './filter-rules.js';
export {
  checkedHistograms,
  HISTOGRAM_BUCKETS,
  HISTOGRAM_NAMES,
  histogramBucket,
  histogramBucketRange,
  histogramPercentile,
  mergedHistogram,
} from './histogram-rules.js';
export { formatId, formatToken, makeToken, parseId, parseToken, storeTag } from './identity.js';
export {
  type CheckedDedupe,
  checkEnqueue,
  checkExpiry,
  checkedDedupe,
  checkedExtras,
  checkedShape,
  checkPayload,
  checkStart,
  DEFAULT_BACKOFF,
  DEFAULT_MAX_ATTEMPTS,
  DEFAULT_PRIORITY,
  type JobExtras,
  type JobShape,
} from './job-checks.js';
export { leaseExpiredError, processEndedError } from './lease-errors.js';
export { STORE_LIMITS } from './limits.js';
export { Listeners } from './listeners.js';
export { Listening } from './listening.js';
export { type CheckedNote, checkedNote, LineAllowance } from './note-rules.js';
export { checkedRequestId, refuseTransaction, requestFingerprint } from './request-rules.js';
export { boundsOf, checkedRetention, DEFAULT_RETENTION, keptUntilMs, retentionOf } from './retention.js';
export {
  checkedDeadGroupFilter,
  checkedFilter,
  checkedPage,
  checkedPlanned,
  checkedSelection,
} from './selection-checks.js';
export { checkAck, checkedThen, checkLease, checkResult, shortened } from './settle-checks.js';
export { payloadBytes, payloadProblem, textProblem } from './text-problem.js';
