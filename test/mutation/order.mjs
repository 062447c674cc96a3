/** The order in which tests are asked of a mutant: the likeliest to notice it first, since those after a kill do not run. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The tests of a path, one entry a file; what has no name of tests in it is a file or a folder. */
function filesOf(root, spec) {
  const [path, name] = spec.split(' -t ');
  if (!statSync(join(root, path)).isDirectory()) return [spec];
  return readdirSync(join(root, path), { recursive: true })
    .filter(file => file.endsWith('.test.ts'))
    .sort()
    .map(file => (name === undefined ? join(path, file) : `${join(path, file)} -t ${name}`));
}

/**
 * The listed tests file by file: first what noticed this mutant earlier, then as listed; of a folder first those that
 * noticed other mutants of the file, then those of its name.
 *
 * @param {string | undefined} earlier tests that noticed an earlier form of the mutant
 * @param {readonly string[]} others tests that noticed other mutants of its file, with repeats
 * @returns {string[]}
 */
export function orderOf(root, mutant, earlier, others) {
  const own = basename(mutant.file).replace(/\.\w+$/, '');
  const kills = spec => others.filter(other => other === spec).length;
  const isOwn = spec => Number(basename(spec).startsWith(`${own}.`));
  const listed = mutant.tests.flatMap(spec =>
    filesOf(root, spec).sort((a, b) => kills(b) - kills(a) || isOwn(b) - isOwn(a)),
  );
  return [...new Set(listed.includes(earlier) ? [earlier, ...listed] : listed)];
}
