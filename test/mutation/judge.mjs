/**
 * What tests say of a mutant. A test kills it that fails with it and passes without it. What is not a failed assertion
 * (another error, a file that does not start, tests that do not end) may be of the machine: it must come twice.
 *
 * @typedef {{ file?: string, test?: string, asserted?: boolean, hangs?: boolean, message?: string }} Answer
 *   of a run of tests: what failed first, nothing where all passed; without `test` a file failed as a whole
 * @typedef {{ verdict: 'killed' | 'survived' | 'undecided', by?: string, test?: string }} Verdict
 */

/** A mutant may loop for ever: tests are ended after so many times what they take without it. */
const SLOWER = 10;
const BASELINE_MILLISECONDS = 15 * 60_000;

/**
 * @param {object} place
 * @param {(files: readonly string[], milliseconds: number) => Promise<Answer>} place.run
 * @param {(mutant: object) => Promise<() => void>} place.apply puts a mutant in, and gives what takes it out
 * @param {() => number} [place.now] milliseconds
 * @param {number} [place.least] milliseconds per file after which tests are ended at the earliest
 * @param {() => number} [place.busy] how many times as long as on a quiet machine something takes
 */
export function judgeOf({ run, apply, least = 20_000, now = () => performance.now(), busy = () => 1 }) {
  /** Per file of tests: what became of it without a mutant. */
  const baselines = new Map();

  async function baselineOf(file) {
    if (!baselines.has(file)) {
      const start = now();
      const answer = await run([file], BASELINE_MILLISECONDS);
      baselines.set(file, { answer, milliseconds: now() - start });
    }
    return baselines.get(file);
  }

  async function withMutant(mutant, files) {
    const known = files.reduce((sum, file) => sum + (baselines.get(file)?.milliseconds ?? 0), 0);
    const remove = await apply(mutant);
    try {
      return await run(files, Math.max(busy() * files.length * least, SLOWER * known));
    } finally {
      remove();
    }
  }

  async function verdictOf(mutant, failed) {
    const by = `${failed.file}: ${failed.test ?? failed.message}`;
    const { answer } = await baselineOf(failed.file);
    if (answer.file !== undefined) return { verdict: 'undecided', by: `${by}; without the mutant, too` };
    if (failed.asserted) return { verdict: 'killed', by, test: failed.file };
    const again = await withMutant(mutant, [failed.file]);
    return { verdict: again.file === undefined ? 'undecided' : 'killed', by, test: failed.file };
  }

  /**
   * @param {readonly (readonly string[])[]} groups files of tests in the order in which they run; those after a kill do not
   * @returns {Promise<Verdict>}
   */
  return async function judge(mutant, groups) {
    let undecided;
    for (const group of groups) {
      for (let files = group; files.length > 0; ) {
        const failed = await withMutant(mutant, files);
        if (failed.file === undefined) break;
        if (failed.hangs && files.length > 1) {
          // One by one, which says which of them it is.
          const verdict = await judge(
            mutant,
            files.map(file => [file]),
          );
          if (verdict.verdict !== 'survived') return verdict;
          break;
        }
        const verdict = await verdictOf(mutant, failed);
        if (verdict.verdict === 'killed') return verdict;
        undecided ??= verdict;
        files = files.filter(file => file !== failed.file);
      }
    }
    return undecided ?? { verdict: 'survived' };
  };
}
