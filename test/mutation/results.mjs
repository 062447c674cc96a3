/**
 * Results of mutants, kept in a file as they come. A result stands for the text of the mutant's file and its row of the
 * list; that a mutant survived, for the text of its tests, too.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const hashOf = text => createHash('sha256').update(text).digest('hex').slice(0, 16);

function commitOf(root) {
  try {
    return execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

/** Everything at the paths of tests. */
function textOf(root, tests) {
  const paths = new Set(tests.map(spec => join(root, spec.split(' -t ')[0])));
  const files = [...paths].flatMap(path =>
    statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true })
          .map(file => join(path, file))
          .filter(file => statSync(file).isFile())
          .sort()
      : [path],
  );
  return files.map(file => readFileSync(file, 'utf8')).join('\n');
}

/**
 * @typedef {import('./judge.mjs').Verdict & { readonly commit: string, readonly date: string }} Result
 */
/**
 * @param {string} root folder of the project
 * @param {string} place file of the results
 * @param {boolean} keepKills whether what was noticed counts as noticed though its file has changed since
 */
export function openResults(root, place, keepKills) {
  const kept = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : {};
  const commit = commitOf(root);
  const nameOf = ({ file, from, to }) => `${file}: ${from} -> ${to}`;
  const keyOf = ({ file, tests }) => hashOf(`${tests.join('\n')}\n${readFileSync(join(root, file), 'utf8')}`);
  const testsKeyOf = ({ tests }) => hashOf(textOf(root, tests));
  return {
    /** @returns {Result | undefined} */
    of(mutant) {
      const result = kept[nameOf(mutant)];
      if (result === undefined || (keepKills && result.killer !== undefined)) return result;
      if (result.key !== keyOf(mutant)) return undefined;
      const stands =
        result.killer !== undefined || mutant.argued !== undefined || result.testsKey === testsKeyOf(mutant);
      return stands ? result : undefined;
    },
    /** The tests that noticed an earlier form of the mutant. @returns {string | undefined} */
    earlier: mutant => kept[nameOf(mutant)]?.killer?.tests,
    /** @param {import('./judge.mjs').Verdict} verdict */
    keep(mutant, verdict) {
      const date = new Date().toISOString().slice(0, 10);
      kept[nameOf(mutant)] = {
        key: keyOf(mutant),
        testsKey: testsKeyOf(mutant),
        commit,
        date,
        ...verdict,
      };
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(`${place}.new`, `${JSON.stringify(kept, undefined, 1)}\n`);
      renameSync(`${place}.new`, place);
    },
  };
}
