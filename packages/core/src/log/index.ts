export { crc32c } from './crc32c.js';
export { LOCK_NAME, lockDirectory } from './directory-lock.js';
export type { DirectoryEntry, FileLock, FileSystem, LockHolder, LogFile } from './file-system.js';
export {
  decodeFrameHeader,
  FRAME_HEADER_BYTES,
  FRAME_TYPE,
  type FrameHeader,
  type FrameType,
  frameBytes,
} from './frame-codec.js';
export { type Frame, FrameReader, findEvidence } from './frame-reader.js';
export { inspectLock, keepOwnersOut, type LockState } from './lock-inspection.js';
export { type BackupPlan, headerApart, LogBackup } from './log-backup.js';
export { examineLog, type LogExamination, type LogVisitor } from './log-examination.js';
export type { LogOptions } from './log-options.js';
export {
  type LogRecord,
  type LogRecovery,
  type LogReplay,
  type SegmentFloors,
  SKIPPABLE,
  type TornTail,
} from './log-record.js';
export { LogSnapshot } from './log-snapshot.js';
export { NodeFileSystem } from './node-file-system.js';
export { ReadAhead } from './read-ahead.js';
export { ReadWindow, readUpTo } from './read-window.js';
export { RECORD_HEADER_BYTES, RecordCursor, recordMatches, walkRecords } from './record-codec.js';
export { readRecord } from './record-reader.js';
export type { FoundSegment, ReadSegment } from './segment-chain.js';
export {
  decodeSegmentHeader,
  LOG_FORMAT_VERSION,
  SEGMENT_HEADER_BYTES,
  type SegmentHeader,
} from './segment-header.js';
export { locationOffset, locationSegment, makeLocation, parseSegmentName, segmentName } from './segment-name.js';
export { createSegment } from './segment-writer.js';
export { SegmentedLog } from './segmented-log.js';
