import type { LogRecord } from '../log/log-record.js';
import type { SegmentedLog } from '../log/segmented-log.js';

const RECORDS_MAX = 8;
const RECORD_BYTES_MAX = 64 * 1024;

/** Remembers the records that were read last: one that speaks of many jobs is asked for with each of them. */
export class RecentRecords {
  readonly #log: Pick<SegmentedLog, 'readRecord'>;
  readonly #records = new Map<number, LogRecord>();

  constructor(log: Pick<SegmentedLog, 'readRecord'>) {
    this.#log = log;
  }

  /** @throws LogCorruptError; or what the disk says */
  readRecord(location: number): LogRecord {
    const known = this.#records.get(location);
    if (known !== undefined) return known;
    const record = this.#log.readRecord(location);
    if (record.bodyBytes > RECORD_BYTES_MAX) return record;
    if (this.#records.size === RECORDS_MAX) this.#forgetOldest();
    this.#records.set(location, record);
    return record;
  }

  #forgetOldest(): void {
    for (const location of this.#records.keys()) {
      this.#records.delete(location);
      return;
    }
  }
}
