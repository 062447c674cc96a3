/** What counts as a kill in a mutation run, on tests whose ends are given. */
import { expect, it } from 'vitest';
import { judgeOf } from './judge.mjs';
import type { Answer } from './tests.mjs';

const SPEC = 'test/a.test.ts';
const PASSED: Answer = { outcome: 'passed' };
const ASSERTED: Answer = {
  outcome: 'failed',
  file: SPEC,
  test: `${SPEC}: adds`,
  asserted: true,
  message: 'expected',
};
const THROWN: Answer = { ...ASSERTED, asserted: false, message: 'No WebGPU adapter' };
const UNCLEAR: Answer = { outcome: 'unclear', message: 'Cannot find module' };
const HANGS: Answer = { outcome: 'hangs' };

/** Judges one mutant by tests that end as listed, in turn; also what ran, `+` with the mutant in place. */
async function judged(answers: readonly Answer[], specs = [SPEC]) {
  const left = [...answers];
  const ran: string[] = [];
  const limits: number[] = [];
  let mutated = false;
  let time = 0;
  const judge = judgeOf({
    run: async (spec, limit) => {
      ran.push(`${mutated ? '+' : '-'}${spec}`);
      limits.push(limit);
      time += 60_000;
      return left.shift() ?? { outcome: 'unclear', message: 'nothing was expected to run' };
    },
    apply: () => {
      mutated = true;
      return {
        remove: () => {
          mutated = false;
        },
      };
    },
    now: () => time,
  });
  const verdict = await judge({}, specs);
  expect(left, 'all of them ran').toEqual([]);
  expect(mutated, 'the mutant is out again').toBe(false);
  return { verdict, ran, limits };
}

it('A failed assertion kills, and ends the run', async () => {
  const { verdict, ran } = await judged([PASSED, ASSERTED], [SPEC, 'test/b.test.ts']);
  expect(verdict).toEqual({ killer: { by: `${SPEC}: adds`, tests: SPEC } });
  expect(ran).toEqual([`-${SPEC}`, `+${SPEC}`]);
});

it('What no test notices survives', async () => {
  const { verdict, ran } = await judged([PASSED, PASSED, PASSED, PASSED], [SPEC, 'test/b.test.ts']);
  expect(verdict).toEqual({});
  expect(ran).toEqual([`-${SPEC}`, `+${SPEC}`, '-test/b.test.ts', '+test/b.test.ts']);
});

it('Tests that do not end kill: after five minutes, or 20 times what they take without the mutant', async () => {
  const { verdict, limits } = await judged([PASSED, HANGS]);
  expect(verdict).toEqual({ killer: { by: `does not end: ${SPEC}`, tests: SPEC } });
  expect(limits).toEqual([Number.POSITIVE_INFINITY, 20 * 60_000]);
});

it('A file that does not start leaves its mutant undecided, unless other tests notice it', async () => {
  const { verdict } = await judged([PASSED, UNCLEAR]);
  expect(verdict).toEqual({ undecided: `${SPEC}: Cannot find module` });
  const other = await judged([PASSED, UNCLEAR, PASSED, ASSERTED], [SPEC, 'test/b.test.ts']);
  expect(other.verdict.killer?.tests).toBe('test/b.test.ts');
  const silent = await judged([PASSED, UNCLEAR, PASSED, PASSED], [SPEC, 'test/b.test.ts']);
  expect(silent.verdict).toEqual(verdict);
});

it('Tests that fail without the mutant do not run with it', async () => {
  for (const answer of [ASSERTED, UNCLEAR]) {
    const { verdict, ran } = await judged([answer]);
    expect(verdict.undecided).toContain(`${SPEC} without a mutant`);
    expect(ran).toEqual([`-${SPEC}`]);
  }
});

it('An error that is no assertion kills when it comes again, and not without the mutant', async () => {
  const { verdict, ran } = await judged([PASSED, THROWN, PASSED, THROWN]);
  expect(verdict).toEqual({ killer: { by: `${SPEC}: adds`, tests: SPEC } });
  expect(ran).toEqual([`-${SPEC}`, `+${SPEC}`, `-${SPEC}`, `+${SPEC}`]);
});

it('An error that is no assertion leaves undecided when it goes away, or comes without the mutant', async () => {
  const gone = await judged([PASSED, THROWN, PASSED, PASSED]);
  expect(gone.verdict.undecided).toContain('failed once (No WebGPU adapter), then: passed');
  const stays = await judged([PASSED, THROWN, THROWN]);
  expect(stays.verdict.undecided).toContain('without a mutant');
});

it('A kernel that does not compile kills where it compiles without the mutant', async () => {
  const verdictOf = (refused: boolean) =>
    judgeOf({ run: async () => PASSED, apply: () => ({ refused }) })({}, [SPEC]);
  expect(await verdictOf(true)).toEqual({ killer: { by: 'compiler' } });
  expect((await verdictOf(false)).undecided).toContain('without the mutant');
});
