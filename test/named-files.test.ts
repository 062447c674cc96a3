/** Files that comments name exist: a twin that was renamed leaves no dead name behind. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const all = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');
const sources = all.filter(file =>
  /^(src|shaders|kernel|bench|scripts|docs|test)\/.*\.(ts|mjs|wgsl)$/.test(file),
);

/** Names of files that the project makes or serves, and does not keep. */
const MADE = ['openapi.json', 'kernel.wasm', 'mutation.json', 'sbom.cdx.json', 'licences.md'];

/** Lines of a text that are comments, or end with one. */
function comments(text: string): string[] {
  return text.split('\n').filter(line => /^\s*(\*|\/\/|\/\*\*)|\s\/\/ /.test(line));
}

/** File names in a text that no file of the project has: a path must match from some folder on, a bare name anywhere. */
function missingNames(text: string): string[] {
  const named = comments(text).flatMap(
    line => line.match(/[\w./-]+\.(?:ts|mjs|wgsl|md|py|json|wasm)\b/g) ?? [],
  );
  const exists = (name: string) =>
    MADE.includes(basename(name)) ||
    all.some(file => file === name || file.endsWith(`/${name.replace(/^\.*\//, '')}`));
  return named.filter(name => !exists(name));
}

describe('the files that comments name', () => {
  it('are looked for', () => {
    expect(sources.length).toBeGreaterThan(200);
    expect(missingNames('// Twin: src/engine/cpu/gbm.ts.\n * See kernels.ts and nowhere.wgsl.')).toEqual([
      'src/engine/cpu/gbm.ts',
      'nowhere.wgsl',
    ]);
  });

  it('exist', () => {
    const dead = sources
      .filter(file => file !== 'test/named-files.test.ts')
      .flatMap(file => missingNames(readFileSync(join(root, file), 'utf8')).map(name => `${file}: ${name}`));
    expect(dead).toEqual([]);
  });
});
