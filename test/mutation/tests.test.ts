/**
 * What the mutation run tells of tests that pass, fail, or do not start: a project of small files.
 *
 * @module-tag slow
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testsOf } from './tests.mjs';

const IMPORT = "import { beforeAll, describe, expect, it } from 'vitest';\n";
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'vitest.config.ts':
    "import { defineConfig } from 'vitest/config';\nexport default defineConfig({ test: { include: ['test/*.test.ts'], pool: 'forks' } });\n",
  'test/fails.test.ts': `${IMPORT}it('holds', () => expect(1).toBe(1));\ndescribe('sums (of two)', () => {\n  it('adds', () => expect(1 + 1).toBe(3));\n  it('adds more', () => expect(1).toBe(2));\n});\n`,
  'test/throws.test.ts': `${IMPORT}it('opens', () => { throw new Error('no device'); });\n`,
  'test/import.test.ts': `${IMPORT}import '../nowhere.js';\nit('adds', () => expect(1).toBe(1));\n`,
  'test/hook.test.ts': `${IMPORT}beforeAll(() => { throw new Error('no device'); });\nit('adds', () => expect(1).toBe(1));\n`,
  'test/ends.test.ts': `${IMPORT}it('adds', () => process.kill(process.pid, 'SIGKILL'));\n`,
  'test/loops.test.ts': `${IMPORT}it('adds', () => { for (;;); });\n`,
};

let folder: string;
let tests: ReturnType<typeof testsOf>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mutation-test-'));
  mkdirSync(join(folder, 'test'));
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(folder, path), text);
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  tests = testsOf(folder);
});
afterAll(() => {
  tests.end();
  rmSync(folder, { recursive: true, force: true });
});

const run = (spec: string, limit = Number.POSITIVE_INFINITY) => tests.run(spec, limit);

it('Tests fail by an assertion or by an error, under their name', async () => {
  expect(await run('test/fails.test.ts')).toMatchObject({
    outcome: 'failed',
    file: 'test/fails.test.ts',
    test: 'test/fails.test.ts: sums (of two) > adds',
    pattern: '^sums \\(of two\\) adds$',
    asserted: true,
  });
  expect(await run('test/throws.test.ts')).toMatchObject({
    outcome: 'failed',
    asserted: false,
    message: 'no device',
  });
});

it('Tests pass by a part of their names, and it is unclear what none says', async () => {
  expect(await run('test/fails.test.ts -t holds')).toEqual({ outcome: 'passed' });
  expect(await run('test/fails.test.ts -t nothing')).toMatchObject({ outcome: 'unclear' });
  expect(await run('test/nowhere.test.ts')).toMatchObject({ outcome: 'unclear' });
});

it('A file that cannot be imported, a hook that fails and a process that is ended say nothing of what is tested', async () => {
  expect(await run('test/import.test.ts')).toMatchObject({
    outcome: 'unclear',
    message: expect.stringContaining('nowhere.js'),
  });
  expect(await run('test/hook.test.ts')).toEqual({ outcome: 'unclear', message: 'no device' });
  expect(await run('test/ends.test.ts')).toMatchObject({ outcome: 'unclear' });
});

it('A change of a file counts in the next run', async () => {
  const path = join(folder, 'test/fails.test.ts');
  writeFileSync(path, FILES['test/fails.test.ts'].replace('toBe(3)', 'toBe(2)'));
  tests.changed(path);
  expect(await run('test/fails.test.ts -t ^sums \\(of two\\) adds$')).toEqual({ outcome: 'passed' });
});

it('Tests that do not end are ended at the limit, and others run after them', {
  tags: ['slow'],
}, async () => {
  expect(await run('test/loops.test.ts', 5000)).toEqual({ outcome: 'hangs' });
  expect(await run('test/fails.test.ts -t holds')).toEqual({ outcome: 'passed' });
});
