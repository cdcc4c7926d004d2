import { CLIENT_MUTANTS } from './client-mutants.js';
import { DISK_MUTANTS } from './disk-mutants.js';
import { ENGINE_MUTANTS } from './engine-mutants.js';
import { KEEPING_MUTANTS } from './keeping-mutants.js';
import { LOG_MUTANTS } from './log-mutants.js';
import type { Mutant } from './mutant.js';
import { QUEUE_MUTANTS } from './queue-mutants.js';

export const MUTANTS: readonly Mutant[] = [
  ...LOG_MUTANTS,
  ...DISK_MUTANTS,
  ...ENGINE_MUTANTS,
  ...KEEPING_MUTANTS,
  ...CLIENT_MUTANTS,
  ...QUEUE_MUTANTS,
];
