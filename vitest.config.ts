/**
 * Tests run against the built `dist` (package.json, "imports"): build first. Workers are forks, as the service's own are
 * threads.
 */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** No test measures time. The limit ends one that hangs, on the slowest and busiest machine that runs the tests. */
const HANGS_AFTER_MILLISECONDS = 15 * 60_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    pool: 'forks',
    // One for each processor; vitest would leave one of them idle, which is half of a small machine.
    maxWorkers: availableParallelism(),
    testTimeout: HANGS_AFTER_MILLISECONDS,
    hookTimeout: HANGS_AFTER_MILLISECONDS,
    teardownTimeout: HANGS_AFTER_MILLISECONDS,
    tags: [{ name: 'slow', description: 'Left to `npm run test:full`.' }],
  },
});
