import type { SegmentedLog } from '../log/segmented-log.js';
import type { JobTable } from '../state/job-table.js';
import type { MoveContents } from '../state/move-record.js';
import { JobMover } from './job-mover.js';

const NOWHERE = {
  room: () => {},
  reserve: () => {
    throw new Error('Jobs that are only read are not written.');
  },
};

/**
 * Reads jobs of a replayed table as a MOVE would hold them, by their slots; writes nothing.
 * @returns what throws LogCorruptError if a record of the job is damaged; or what the disk says
 */
export function wholeJobReader(table: JobTable, log: Pick<SegmentedLog, 'readRecord'>): (slot: number) => MoveContents {
  const mover = new JobMover(table, log, NOWHERE);
  return (slot) => mover.read(slot);
}
