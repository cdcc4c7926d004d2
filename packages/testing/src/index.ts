export { MemoryStore, type MemoryStoreOptions, memoryStore } from './memory/memory-store.js';
export { chooseSeed, SeededRandom } from './seeded-random.js';
export { settled, VirtualClock, type VirtualClockOptions } from './virtual-clock.js';
