import type { BenchCase } from './bench-case.js';
import { bulkEnqueue } from './cases/bulk-enqueue.js';
import { concurrentEnqueue } from './cases/concurrent-enqueue.js';
import { drain } from './cases/drain.js';
import { sequentialEnqueue } from './cases/sequential-enqueue.js';

export const CASES: readonly BenchCase[] = [sequentialEnqueue, concurrentEnqueue, bulkEnqueue, drain];
