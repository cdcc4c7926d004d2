import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'sql-store',
    isolate: false,
    include: ['src/**/*.test.ts'],
  },
});
