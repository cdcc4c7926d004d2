export { type EnqueuedJob, EnqueuedJobs, type ExpectedJob } from './enqueued-jobs.js';
export { type AdvanceOptions, type DrainOptions, HeldWorkers } from './held-workers.js';
export { MemoryStore, type MemoryStoreOptions, memoryStore } from './memory/memory-store.js';
export { chooseSeed, SeededRandom } from './seeded-random.js';
export { StillWorkingError } from './still-working-error.js';
export { settled, VirtualClock, type VirtualClockOptions } from './virtual-clock.js';
