import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { MUTANTS } from './test/mutants/all-mutants.js';
import { plantedBug } from './test/mutants/planted-bug.js';

/** HOLDFAST_MUTANT=name shows all tests that one of the planted bugs fails: see docs/reliability.md. */
const mutant = MUTANTS.find(({ name }) => name === process.env.HOLDFAST_MUTANT);

export default defineConfig({
  plugins: [plantedBug(() => mutant)],
  test: {
    name: 'core',
    isolate: false,
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
