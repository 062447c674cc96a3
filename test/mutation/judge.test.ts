/** What counts as a kill in a mutation run, on tests whose ends are given. */
import { expect, it } from 'vitest';
import { judgeOf } from './judge.mjs';
import type { Answer } from './tests.mjs';

const SPEC = 'test/a.test.ts';
const OTHER = 'test/b.test.ts';
const ALONE = `${SPEC} -t ^adds$`;
const PASSED: Answer = { outcome: 'passed' };
const ASSERTED: Answer = {
  outcome: 'failed',
  file: SPEC,
  test: `${SPEC}: adds`,
  pattern: '^adds$',
  asserted: true,
  message: 'expected',
};
const THROWN: Answer = { ...ASSERTED, asserted: false, message: 'No WebGPU adapter' };
const UNCLEAR: Answer = { outcome: 'unclear', message: 'Cannot find module' };
const HANGS: Answer = { outcome: 'hangs' };
const KILLED = { killer: { by: `${SPEC}: adds`, tests: SPEC } };

/** Judges one mutant by tests that end as listed, in turn; also what ran, `+` with the mutant in place. */
async function judged(answers: readonly Answer[], specs = [SPEC], milliseconds = 0) {
  const left = [...answers];
  const ran: string[] = [];
  const limits: number[] = [];
  let mutated = false;
  let time = 0;
  const judge = judgeOf({
    run: async (spec, limit) => {
      ran.push(`${mutated ? '+' : '-'}${spec}`);
      limits.push(limit);
      time += milliseconds;
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

it('A failed assertion kills where the test passes without the mutant, and ends the run', async () => {
  const { verdict, ran } = await judged([ASSERTED, PASSED], [SPEC, OTHER]);
  expect(verdict).toEqual(KILLED);
  expect(ran).toEqual([`+${SPEC}`, `-${ALONE}`]);
});

it('A test that fails alone is compared with its file', async () => {
  const { verdict, ran } = await judged([ASSERTED, ASSERTED, PASSED], [`${SPEC} -t adds`]);
  expect(verdict.killer?.by).toBe(`${SPEC}: adds`);
  expect(ran).toEqual([`+${SPEC} -t adds`, `-${ALONE}`, `-${SPEC} -t adds`]);
});

it('What no test notices survives', async () => {
  const { verdict, ran } = await judged([PASSED, PASSED], [SPEC, OTHER]);
  expect(verdict).toEqual({});
  expect(ran).toEqual([`+${SPEC}`, `+${OTHER}`]);
});

it('Tests that do not end kill: after five minutes, or 20 times what they take without the mutant', async () => {
  const killer = { by: `does not end: ${SPEC}`, tests: SPEC };
  const slow = await judged([HANGS, PASSED, HANGS], [SPEC], 60_000);
  expect(slow.verdict).toEqual({ killer });
  expect(slow.limits).toEqual([5 * 60_000, Number.POSITIVE_INFINITY, 20 * 60_000]);
  const quick = await judged([HANGS, PASSED], [SPEC], 10_000);
  expect(quick.verdict).toEqual({ killer });
  expect((await judged([HANGS, PASSED, PASSED], [SPEC], 60_000)).verdict).toEqual({});
  expect((await judged([HANGS, UNCLEAR])).verdict.undecided).toContain('without a mutant');
});

it('A file that does not start leaves its mutant undecided, unless other tests notice it', async () => {
  const { verdict } = await judged([UNCLEAR]);
  expect(verdict).toEqual({ undecided: `${SPEC}: Cannot find module` });
  const other = await judged([UNCLEAR, ASSERTED, PASSED], [OTHER, SPEC]);
  expect(other.verdict).toEqual(KILLED);
  const silent = await judged([UNCLEAR, PASSED], [SPEC, OTHER]);
  expect(silent.verdict).toEqual(verdict);
});

it('Tests that fail without the mutant say nothing of it', async () => {
  for (const answer of [ASSERTED, UNCLEAR]) {
    const { verdict, ran } = await judged([ASSERTED, answer, answer]);
    expect(verdict.undecided).toContain(`${SPEC} without a mutant`);
    expect(ran).toEqual([`+${SPEC}`, `-${ALONE}`, `-${SPEC}`]);
  }
});

it('An error that is no assertion kills when it comes again, and not without the mutant', async () => {
  const { verdict, ran } = await judged([THROWN, PASSED, THROWN]);
  expect(verdict).toEqual(KILLED);
  expect(ran).toEqual([`+${SPEC}`, `-${ALONE}`, `+${ALONE}`]);
});

it('An error that is no assertion leaves undecided when it goes away, or comes without the mutant', async () => {
  const gone = await judged([THROWN, PASSED, PASSED]);
  expect(gone.verdict.undecided).toContain('failed once (No WebGPU adapter), then: passed');
  const stays = await judged([THROWN, THROWN, THROWN]);
  expect(stays.verdict.undecided).toContain('without a mutant');
});

it('What has passed without a mutant does not run again for the next one', async () => {
  const ran: string[] = [];
  let mutated = false;
  const judge = judgeOf({
    run: async spec => {
      ran.push(`${mutated ? '+' : '-'}${spec}`);
      return mutated ? ASSERTED : PASSED;
    },
    apply: () => {
      mutated = true;
      return {
        remove: () => {
          mutated = false;
        },
      };
    },
  });
  expect(await judge({}, [SPEC])).toEqual(KILLED);
  expect(await judge({}, [SPEC])).toEqual(KILLED);
  expect(ran).toEqual([`+${SPEC}`, `-${ALONE}`, `+${SPEC}`]);
});

it('A kernel that does not compile kills where it compiles without the mutant', async () => {
  const verdictOf = (refused: boolean) =>
    judgeOf({ run: async () => PASSED, apply: () => ({ refused }) })({}, [SPEC]);
  expect(await verdictOf(true)).toEqual({ killer: { by: 'compiler' } });
  expect((await verdictOf(false)).undecided).toContain('without the mutant');
});
