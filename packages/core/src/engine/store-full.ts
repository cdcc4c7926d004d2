import { StoreFullError } from '@holdfast/contract';
import type { SegmentedLog } from '../log/segmented-log.js';

/** What a caller is told whose jobs find no room. */
export function storeFullError(log: SegmentedLog): StoreFullError {
  return new StoreFullError(log.directory, log.space.freeBytes());
}

/** Why no jobs are taken at present; `undefined` while they are. */
export function fullDetail(log: SegmentedLog): string | undefined {
  return log.space.isFull ? storeFullError(log).detail : undefined;
}
