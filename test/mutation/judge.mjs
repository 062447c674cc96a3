/**
 * What tests say of a mutant. It is killed by a test that fails with it and passes without it; where no test fails and
 * something else does (a file that does not start, a device that does not open, memory that is short), it is undecided.
 *
 * Without the mutant only the test runs that has failed with it: what passes with it needs no comparison, and whole files
 * take long.
 */

/** A mutant may loop for ever. Its tests are ended after so many times what they take without it, and never before a time that is long anywhere. */
const SLOWER = 20;
const LEAST_LIMIT_MILLISECONDS = 5 * 60_000;

/**
 * @typedef {{ readonly by: string, readonly tests?: string }} Killer what noticed a mutant
 * @typedef {{ readonly killer?: Killer, readonly undecided?: string }} Verdict it survived where neither is there
 */
/**
 * A mutant in place: how to take it out again, or what became of the compiler. `refused`: it compiles without the mutant.
 * @typedef {{ readonly remove: () => void } | { readonly refused: boolean }} Applied
 */
/**
 * @param {object} place
 * @param {(spec: string, limit: number) => Promise<import('./tests.mjs').Answer>} place.run
 * @param {(mutant: object) => Applied} place.apply
 * @param {() => number} [place.now] milliseconds
 */
export function judgeOf({ run, apply, now = () => performance.now() }) {
  /** Per tests that have passed without a mutant: milliseconds that they took. */
  const passed = new Map();

  /** Whether tests pass without a mutant; `fault` says why they tell nothing of one. */
  async function baselineOf(spec) {
    if (!passed.has(spec)) {
      const start = now();
      const answer = await run(spec, Number.POSITIVE_INFINITY);
      if (answer.outcome !== 'passed')
        return {
          fault: `${spec} without a mutant: ${answer.test ?? ''} ${answer.message ?? answer.outcome}`,
        };
      passed.set(spec, now() - start);
    }
    return { milliseconds: passed.get(spec) };
  }

  async function withMutant(mutant, use) {
    const applied = apply(mutant);
    if (applied.remove === undefined)
      return applied.refused
        ? { verdict: { killer: { by: 'compiler' } } }
        : { verdict: { undecided: 'the compiler fails without the mutant, too' } };
    try {
      return { answer: await use() };
    } finally {
      applied.remove();
    }
  }

  /** A test alone may fail for want of those before it: then its file runs. */
  async function baselineOfFailed(spec, failed) {
    const [, name] = spec.split(' -t ');
    const alone = `${failed.file} -t ${failed.pattern}`;
    if ((await baselineOf(alone)).fault === undefined) return { again: alone };
    const again = name === undefined ? failed.file : `${failed.file} -t ${name}`;
    return { again, ...(await baselineOf(again)) };
  }

  async function verdictOfFailed(mutant, spec, failed) {
    const { again, fault } = await baselineOfFailed(spec, failed);
    if (fault !== undefined) return { undecided: fault };
    const kill = { killer: { by: failed.test, tests: spec } };
    if (failed.asserted) return kill;
    // An error that is no assertion may be of the machine: it must come again.
    const second = await withMutant(mutant, () => run(again, LEAST_LIMIT_MILLISECONDS));
    if (second.verdict !== undefined || second.answer.outcome === 'failed') return second.verdict ?? kill;
    return { undecided: `${failed.test} failed once (${failed.message}), then: ${second.answer.outcome}` };
  }

  async function verdictOfHanging(mutant, spec) {
    const { milliseconds, fault } = await baselineOf(spec);
    if (fault !== undefined) return { undecided: fault };
    const kill = { killer: { by: `does not end: ${spec}`, tests: spec } };
    const limit = SLOWER * milliseconds;
    return limit <= LEAST_LIMIT_MILLISECONDS ? kill : verdictOf(mutant, spec, limit, () => kill);
  }

  /** @returns {Promise<Verdict>} what these tests say */
  async function verdictOf(mutant, spec, limit, hangs) {
    const { answer, verdict } = await withMutant(mutant, () => run(spec, limit));
    if (verdict !== undefined) return verdict;
    if (answer.outcome === 'passed') return {};
    if (answer.outcome === 'failed') return verdictOfFailed(mutant, spec, answer);
    if (answer.outcome === 'hangs') return hangs();
    return { undecided: `${spec}: ${answer.message}` };
  }

  /**
   * @param {readonly string[]} specs in the order in which they run; those after a kill do not
   * @returns {Promise<Verdict>}
   */
  return async function judge(mutant, specs) {
    let undecided;
    for (const spec of specs) {
      const hangs = () => verdictOfHanging(mutant, spec);
      const verdict = await verdictOf(mutant, spec, LEAST_LIMIT_MILLISECONDS, hangs);
      if (verdict.killer !== undefined) return verdict;
      undecided ??= verdict.undecided;
    }
    return undecided === undefined ? {} : { undecided };
  };
}
