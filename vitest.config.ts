import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// One run over all unit tests. The crash tests are a run of their own: see e2e/vitest.config.ts.
// Most projects set `isolate: false`: a worker reads their modules once, not once a file. So a test has to put back what it changes in
// its process (timers, environment, globals).
export default defineConfig({
  test: {
    // Vitest would leave one core to itself, which on a machine of two is half of it.
    maxWorkers: availableParallelism(),
    // Tests that run concurrently mostly wait: those of the stores on databases, in real time.
    maxConcurrency: 10,
    projects: [
      'packages/*/vitest.config.ts',
      'apps/*/vitest.config.ts',
      'tools/*/vitest.config.ts',
      'bench/vitest.config.ts',
    ],
  },
});
