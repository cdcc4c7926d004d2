import type { Bench } from './bench.js';

/** The tests of one group by name. */
export type Rules = Readonly<Record<string, (bench: Bench) => Promise<void>>>;
