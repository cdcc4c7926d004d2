import type { BenchCase } from './bench-case.js';
import { bulkEnqueue } from './cases/bulk-enqueue.js';
import { busyPool } from './cases/busy-pool.js';
import { claimBesideSync } from './cases/claim-beside-sync.js';
import { compaction } from './cases/compaction.js';
import { concurrentEnqueue } from './cases/concurrent-enqueue.js';
import { drain, drainOnSlowDisk } from './cases/drain.js';
import { eventLoop } from './cases/event-loop.js';
import { idle } from './cases/idle.js';
import { lightLoad } from './cases/light-load.js';
import { recovery } from './cases/recovery.js';
import { sequentialEnqueue } from './cases/sequential-enqueue.js';

export const CASES: readonly BenchCase[] = [
  sequentialEnqueue,
  concurrentEnqueue,
  bulkEnqueue,
  drain,
  drainOnSlowDisk,
  lightLoad,
  claimBesideSync,
  busyPool,
  eventLoop,
  idle,
  recovery,
  compaction,
];
