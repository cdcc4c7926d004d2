import { JobTable } from '@holdfast/core/records';
import { processorTime } from '../processor-time.js';

/** What very many jobs cost in the index alone, without a log. Prints one line of JSON. */
export interface TableFigures {
  /** Resident, of ready jobs: columns, ids and heaps. */
  readonly bytesPerJob: number;
  /** Processor time, in which waiting for a busy machine does not count. */
  readonly scheduleMicros: number;
  readonly fireMicros: number;
}

const NOW_MS = 1_700_000_000_000;
const KEPT = { count: 1000, ageMs: null, bytes: null };
const DUE_BATCH = 1000;
/** Few jobs are measured several times over. */
const JOBS_MEASURED_MIN = 200_000;

const [, , jobsText, mode] = process.argv;
const jobs = Number(jobsText);
const bytesPerJob = residentBytes(mode === 'expiring' ? NOW_MS + 1e9 : 0) / jobs;
let scheduleMs = 0;
let fireMs = 0;
let measured = 0;
for (; measured < JOBS_MEASURED_MIN && mode === undefined; measured += jobs) {
  const startMs = processorMs();
  // Times in no order at all.
  const table = filled((id) => NOW_MS + 1 + ((id * 7_919) % 86_400_000), 0);
  const filledMs = processorMs();
  scheduleMs += filledMs - startMs;
  while (table.due(NOW_MS + 1e9, DUE_BATCH) > 0);
  fireMs += processorMs() - filledMs;
}
const figures: TableFigures = {
  bytesPerJob,
  scheduleMicros: (scheduleMs * 1000) / measured,
  fireMicros: (fireMs * 1000) / measured,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);

function residentBytes(expiresAtMs: number): number {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const table = filled(() => NOW_MS, expiresAtMs);
  globalThis.gc?.();
  return table.columns.live > 0 ? process.memoryUsage().rss - before : 0;
}

function filled(runAtMs: (id: number) => number, expiresAtMs: number): JobTable {
  const table = new JobTable({ completed: KEPT, cancelled: KEPT, dead: KEPT, queues: {} });
  const backoff = { kind: 'fixed' as const, baseMs: 1000, maxMs: 1000, jitter: 'none' as const };
  const shape = table.shapes.intern({ queue: 'orders', name: 'place', maxAttempts: 3, backoff });
  const fields = { id: 0, enqueuedAtMs: NOW_MS, runAtMs: 0, priority: 0, payloadBytes: 100, expiresAtMs };
  for (let id = 1; id <= jobs; id++) {
    fields.id = id;
    fields.runAtMs = runAtMs(id);
    table.publish(table.enqueue(fields, shape, 2 ** 32 + id * 180, 180));
  }
  return table;
}

function processorMs(): number {
  return processorTime().process / 1000;
}
