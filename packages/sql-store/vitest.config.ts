import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'sql-store',
    include: ['src/**/*.test.ts'],
  },
});
