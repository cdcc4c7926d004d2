import { defineConfig } from 'vitest/config';

// Each of these tests starts, kills and restarts real processes: one file at a time, so that none starves another.
export default defineConfig({
  test: {
    name: 'crash',
    include: ['crash/**/*.test.ts', 'examples/**/*.test.ts', 'packages/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
