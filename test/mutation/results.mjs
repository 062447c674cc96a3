/** Results of mutants, kept in the build folder as they come. A result stands for the text of its file and its row of the list. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const hashOf = text => createHash('sha256').update(text).digest('hex').slice(0, 16);

function commitOf(root) {
  try {
    return execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

/**
 * @typedef {{ readonly by: string, readonly tests?: string }} Killer what noticed a mutant
 * @typedef {{ readonly killer?: Killer }} Result
 */
/**
 * @param {string} root folder of the project
 * @param {boolean} keepKills whether what was noticed counts as noticed though its file has changed since
 */
export function openResults(root, keepKills) {
  const place = join(root, 'build/mutation.json');
  const kept = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : {};
  const commit = commitOf(root);
  const nameOf = ({ file, from, to }) => `${file}: ${from} -> ${to}`;
  const keyOf = ({ file, tests }) => hashOf(`${tests.join('\n')}\n${readFileSync(join(root, file), 'utf8')}`);
  return {
    /** @returns {Result | undefined} */
    of(mutant) {
      const result = kept[nameOf(mutant)];
      if (keepKills && result?.killer !== undefined) return result;
      // What survived for want of a test is run again: a test may have come since.
      if (result?.killer === undefined && mutant.argued === undefined) return undefined;
      return result?.key === keyOf(mutant) ? result : undefined;
    },
    /** What came out for an earlier text of its file. @returns {Result | undefined} */
    earlier: mutant => kept[nameOf(mutant)],
    /** @param {Result} result */
    keep(mutant, result) {
      const date = new Date().toISOString().slice(0, 10);
      kept[nameOf(mutant)] = { key: keyOf(mutant), commit, date, ...result };
      mkdirSync(join(root, 'build'), { recursive: true });
      writeFileSync(`${place}.new`, `${JSON.stringify(kept, undefined, 1)}\n`);
      renameSync(`${place}.new`, place);
    },
  };
}
