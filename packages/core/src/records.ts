/**
 * The records of the job queue in a log, and the jobs that follow from them, for tools that read a log without an engine. Unstable:
 * it changes with the inside of this package, also in a patch release.
 */
export { HistoryWalk } from './engine/history.js';
export { ENTRIES_BYTES_MAX, ENTRIES_MAX } from './engine/history-entry.js';
export { Replay } from './engine/replay.js';
export { wholeJobReader } from './engine/whole-jobs.js';
export { formatId, formatToken, parseId, storeTag } from './identity.js';
export { LIMITS } from './limits.js';
export {
  ACT_PARTS,
  type ActHead,
  type ActItem,
  type ActParts,
  actBodyBytes,
  actBytes,
  decodeAct,
  encodeActHead,
  encodeActItem,
  queueBytes,
} from './state/act-records.js';
export { type EnqueueAnswer, OUTCOMES } from './state/enqueue-answer.js';
export { encodeCloneOrigin, encodeDedupe, encodeExpiry, encodeExtras, joined } from './state/enqueue-options.js';
export {
  decodeCloneOrigin,
  decodeDedupe,
  decodeEnqueue,
  decodeExtras,
  decodePayload,
  ENCODING_AT,
  type EnqueueFields,
  encodeEnqueue,
  enqueueBodyBytes,
  namesEnd,
  PAYLOAD_TEXT,
  payloadLength,
  SHAPE_AT,
} from './state/enqueue-record.js';
export {
  decodeForgotten,
  decodeForgottenDead,
  encodeForgotten,
  type Forgotten,
  type ForgottenDead,
  forgottenBodyBytes,
} from './state/forgotten-record.js';
export { JobColumns, NONE } from './state/job-columns.js';
export { ScheduleHeap } from './state/job-heaps.js';
export { EVENT, refuses, STATE, stateName, stateNumber } from './state/job-state.js';
export { JobTable } from './state/job-table.js';
export {
  ACK_HEAD_BYTES,
  type AckItem,
  ATTEMPT_ITEM_BYTES,
  type AttemptHead,
  type AttemptItem,
  ackItemBytes,
  attemptBodyBytes,
  decodeAckItem,
  decodeAttemptHead,
  decodeAttemptItem,
  encodeAckHead,
  encodeAckItem,
  encodeAttemptHead,
  encodeAttemptItem,
} from './state/lease-records.js';
export type { LeaseStart } from './state/lease-table.js';
export {
  type DecodedMove,
  decodeMove,
  encodeMove,
  type HistoryEntry,
  type MoveContents,
  type MoveFields,
  moveBodyBytes,
  moveHistory,
} from './state/move-record.js';
export { decodeNote, encodeNote, type NoteFields, noteBodyBytes, noteContents } from './state/note-record.js';
export {
  decodePause,
  decodeResume,
  encodePause,
  encodeResume,
  pauseBodyBytes,
  resumeBodyBytes,
} from './state/pause-records.js';
export { BodyReader, type RecordBody, RecordError } from './state/record-body.js';
export { CAUSE, RECORD } from './state/record-kinds.js';
export {
  decodeRemembered,
  encodeRequests,
  encodeWindows,
  type Remembered,
  type Request,
  requestsBodyBytes,
  windowsBodyBytes,
} from './state/remembered-record.js';
export { ScheduleWheel } from './state/schedule-wheel.js';
export {
  type DeadFields,
  deadBodyBytes,
  decodeDead,
  decodeRedrive,
  decodeRelease,
  decodeRetry,
  encodeDead,
  encodeRedrive,
  encodeRelease,
  encodeRetry,
  errorBytes,
  RELEASE_BODY_BYTES,
  type RedriveFields,
  type ReleaseFields,
  type RetryFields,
  redriveBodyBytes,
  retryBodyBytes,
} from './state/settle-records.js';
export { decodeTemplate, type Shape } from './state/shape-table.js';
