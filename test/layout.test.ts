/** The folders of tests are those of `src`, but for suites over several of them; helper files lie in test/support. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Folders without a namesake in `src`: what they test lies beside `src`, or in all of it. */
const SUITES = ['bench', 'client', 'console', 'docs', 'mutation', 'shader', 'support'];
/** Folders with files that are no tests. */
const BESIDE_TESTS = ['fixtures', 'mutation', 'support', 'console/snapshots'];

const files = readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => join(entry.parentPath, entry.name).slice(join(root, 'test/').length));
const isIn = (folders: readonly string[]) => (file: string) =>
  folders.some(folder => file.startsWith(`${folder}/`));

describe('test/', () => {
  const tests = files.filter(file => file.endsWith('.test.ts'));

  it('has the folders of src and the named suites alone', () => {
    expect(tests.length).toBeGreaterThan(200);
    const strays = tests.filter(file => !isIn(SUITES)(file) && !existsSync(join(root, 'src', dirname(file))));
    expect(strays).toEqual([]);
  });

  it('has helper files in test/support alone', () => {
    expect(
      files.filter(
        file => !file.endsWith('.test.ts') && file !== 'tsconfig.json' && !isIn(BESIDE_TESTS)(file),
      ),
    ).toEqual([]);
  });

  it('imports from src by #src, which is the build that threads and servers run', () => {
    const textOf = (file: string) => readFileSync(join(root, 'test', file), 'utf8');
    const scripts = files.filter(file => /\.[mt]s$/.test(file) && !file.startsWith('mutation/'));
    expect(scripts.filter(file => textOf(file).includes('#src/')).length).toBeGreaterThan(200);
    expect(scripts.filter(file => /(from|import\() ?['"](\.\.\/)+src\//.test(textOf(file)))).toEqual([]);
  });
});
