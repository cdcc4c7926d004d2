export { type EnqueuedJob, EnqueuedJobs, type ExpectedJob } from './enqueued-jobs.js';
export { type AdvanceOptions, type DrainOptions, HeldWorkers } from './held-workers.js';
export { MemoryStore, memoryStore } from './memory/memory-store.js';
export type { MemoryStoreOptions } from './memory/memory-store-options.js';
export { chooseSeed, SeededRandom } from './seeded-random.js';
export { StillWorkingError } from './still-working-error.js';
export { settled, VirtualClock, type VirtualClockOptions } from './virtual-clock.js';
