/**
 * What tests say of a mutant. It is killed by a test that fails with it and passes without it; where no test fails and
 * something else does (a file that does not start, a device that does not open, memory that is short), it is undecided.
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
  /** Per tests: how long they may take with a mutant, or why they say nothing of one. */
  const baselines = new Map();

  async function runBaseline(spec) {
    const start = now();
    const answer = await run(spec, Number.POSITIVE_INFINITY);
    if (answer.outcome === 'passed')
      return { limit: Math.max(LEAST_LIMIT_MILLISECONDS, SLOWER * (now() - start)) };
    return { fault: `${spec} without a mutant: ${answer.test ?? ''} ${answer.message ?? answer.outcome}` };
  }

  async function baselineOf(spec) {
    if (!baselines.has(spec)) baselines.set(spec, await runBaseline(spec));
    return baselines.get(spec);
  }

  async function withMutant(mutant, use) {
    const applied = apply(mutant);
    if (applied.remove === undefined)
      return applied.refused
        ? { killer: { by: 'compiler' } }
        : { undecided: 'the compiler fails without the mutant, too' };
    try {
      return await use();
    } finally {
      applied.remove();
    }
  }

  /** An error that is no assertion may be of the machine: the file runs once more without the mutant and once more with it. */
  async function confirmed(mutant, spec, first) {
    const [, name] = spec.split(' -t ');
    const again = name === undefined ? first.file : `${first.file} -t ${name}`;
    const { limit, fault } = await runBaseline(again);
    if (fault !== undefined) {
      baselines.delete(spec);
      return { undecided: fault };
    }
    return withMutant(mutant, async () => {
      const second = await run(again, limit);
      if (second.outcome === 'failed') return { killer: { by: second.test, tests: spec } };
      return { undecided: `${first.test} failed once (${first.message}), then: ${second.outcome}` };
    });
  }

  /** @returns {Promise<Verdict>} what these tests say */
  async function verdictOf(mutant, spec) {
    const { limit, fault } = await baselineOf(spec);
    if (fault !== undefined) return { undecided: fault };
    let unconfirmed;
    const verdict = await withMutant(mutant, async () => {
      const answer = await run(spec, limit);
      if (answer.outcome === 'passed') return {};
      if (answer.outcome === 'hangs') return { killer: { by: `does not end: ${spec}`, tests: spec } };
      if (answer.outcome === 'unclear') return { undecided: `${spec}: ${answer.message}` };
      if (!answer.asserted) unconfirmed = answer;
      return { killer: { by: answer.test, tests: spec } };
    });
    return unconfirmed === undefined ? verdict : confirmed(mutant, spec, unconfirmed);
  }

  /**
   * @param {readonly string[]} specs in the order in which they run; those after a kill do not
   * @returns {Promise<Verdict>}
   */
  return async function judge(mutant, specs) {
    let undecided;
    for (const spec of specs) {
      const verdict = await verdictOf(mutant, spec);
      if (verdict.killer !== undefined) return verdict;
      undecided ??= verdict.undecided;
    }
    return undecided === undefined ? {} : { undecided };
  };
}
