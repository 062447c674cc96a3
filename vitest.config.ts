/**
 * Tests run against the built `dist` (package.json, "imports"), which test/support/global-setup.ts brings up to date. Workers
 * are forks, as the service's own are threads.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** No test measures time. The limit ends one that hangs, on the slowest and busiest machine that runs the tests. */
const HANGS_AFTER_MILLISECONDS = 15 * 60_000;

/** Paths of the built files of this project, wherever it lies. */
const BUILT = new RegExp(
  `^(file://)?${fileURLToPath(new URL('dist/', import.meta.url)).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`,
);

/**
 * Tests that end processes, lose devices, measure the memory of their process or count what it holds. All others leave
 * nothing behind in their process and share one, which loads the project once and compiles each kernel once.
 */
const ALONE = [
  'test/core/gpu/{device-loss,submission-batch}.test.ts',
  'test/engine/gpu-failure.test.ts',
  'test/engine/gpu-process/{gpu-process,hang}.test.ts',
  'test/engine/threads/{thread-pool,value-at-risk-memory}.test.ts',
  'test/server/transport/{broken-requests,load}.test.ts',
  'test/server/tracing/trace-requests.test.ts',
];

const TESTS = readdirSync(new URL('test/', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.ts'))
  .map(name => {
    const file = `test/${name}`;
    return { file, text: readFileSync(new URL(file, import.meta.url), 'utf8') };
  });
/** Files all of whose tests are slow. */
const SLOW_FILES = TESTS.filter(({ text }) => text.includes('\n * @module-tag slow\n')).map(
  ({ file }) => file,
);
/** Paths of files with slow tests, of their own or by the engine (test/support/engines.ts). */
const WITH_SLOW_TESTS = new Set(
  TESTS.filter(({ text }) => /@module-tag slow|'slow'|support\/engines\.ts/.test(text)).map(({ file }) =>
    fileURLToPath(new URL(file, import.meta.url)),
  ),
);

/** Slow files that a run does not load: all of them in a quick run of the whole, which would skip every test of them. */
function leftOut(): string[] {
  const words = process.argv.slice(2);
  const isQuick = words.includes('--tags-filter=not slow');
  const isWhole = words.every(word => word === 'run' || word.startsWith('-'));
  return isQuick && isWhole ? SLOW_FILES : [];
}
const LEFT_OUT = leftOut();

/**
 * Files with slow tests first in their project. Where no run has left its durations, as in a fresh clone, vitest begins with the
 * largest files; some of the longest are small, and the last of them would run while the other processors have nothing to do.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      `${project.name} ${WITH_SLOW_TESTS.has(moduleId) ? 0 : 1}`;
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => (rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b))));
  }
}

/** What holds in every project, and for the run itself. */
const EVERYWHERE: TestProjectInlineConfiguration['test'] = {
  pool: 'forks',
  // Threads of the collector wait for each other where the tests have every processor: one saves 5 % of the processor time. V8 would optimize
  // much that a test runs once: it counts more bytes of code before it does, which saves 6 to 15 %; later versions of Node have no such option.
  execArgv: [
    '--single-threaded-gc',
    ...(process.version.startsWith('v20.') ? ['--interrupt-budget=2000000'] : []),
  ],
  setupFiles: 'test/support/typed-array-equality.ts',
  // What is built needs no transformation.
  server: { deps: { external: [BUILT] } },
  testTimeout: HANGS_AFTER_MILLISECONDS,
  hookTimeout: HANGS_AFTER_MILLISECONDS,
  tags: [{ name: 'slow', description: 'Left to `npm run test:full`.' }],
};

export default defineConfig({
  test: {
    ...EVERYWHERE,
    reporters: ['default', './test/support/unfinished-files.ts'],
    // Of the run alone: a project that had it too would import the market data again.
    globalSetup: 'test/support/global-setup.ts',
    // Tests that have not changed since the last run are not compiled again.
    experimental: { fsModuleCache: true },
    // Vitest would use one less, which is half of a small machine. One more would load the project and compile every kernel once more, which
    // takes what it gains while tests wait for servers and browsers.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: SlowFirst },
    teardownTimeout: HANGS_AFTER_MILLISECONDS,
    projects: [
      {
        test: {
          ...EVERYWHERE,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...LEFT_OUT],
          isolate: false,
        },
      },
      { test: { ...EVERYWHERE, name: 'alone', include: ALONE, exclude: LEFT_OUT } },
    ],
  },
});
