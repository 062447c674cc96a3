/** What counts as a kill in a mutation run, on tests whose ends are given. */
import { expect, it } from 'vitest';
import { type Answer, judgeOf } from './judge.mjs';

const A = 'test/a.test.ts';
const B = 'test/b.test.ts';
const PASSED: Answer = {};
const ASSERTED: Answer = { file: A, test: 'adds', asserted: true, message: 'expected' };
const THROWN: Answer = { ...ASSERTED, asserted: false, message: 'No WebGPU adapter' };
const FILE: Answer = { file: A, message: 'Cannot find module' };
const HANGS: Answer = { file: A, hangs: true, message: 'does not end in 60 s' };
const KILLED = { verdict: 'killed', by: `${A}: adds`, test: A };

/** Judges one mutant by tests that end as listed, in turn; also what ran, `+` with the mutant in place. */
async function judged(answers: readonly Answer[], groups = [[A]]) {
  const left = [...answers];
  const ran: string[] = [];
  let mutated = false;
  const judge = judgeOf({
    run: async files => {
      ran.push(`${mutated ? '+' : '-'}${files}`);
      return left.shift() ?? { file: A, message: 'nothing was expected to run' };
    },
    apply: async () => {
      mutated = true;
      return () => {
        mutated = false;
      };
    },
  });
  const verdict = await judge({}, groups);
  expect(left, 'answers that no run took').toEqual([]);
  expect(mutated, 'whether the mutant is still in place').toBe(false);
  return { verdict, ran };
}

it('A failed assertion kills where the test passes without the mutant, and no test runs after it', async () => {
  const { verdict, ran } = await judged([ASSERTED, PASSED], [[A], [B]]);
  expect(verdict).toEqual(KILLED);
  expect(ran).toEqual([`+${A}`, `-${A}`]);
});

it('A mutant survives where all tests pass', async () => {
  expect((await judged([PASSED, PASSED], [[A], [B]])).verdict).toEqual({ verdict: 'survived' });
});

it('A test that fails without the mutant, too, does not kill, and the tests beside it run without it', async () => {
  const { verdict, ran } = await judged([ASSERTED, ASSERTED, PASSED], [[A, B]]);
  expect(verdict.verdict).toBe('undecided');
  expect(ran).toEqual([`+${A},${B}`, `-${A}`, `+${B}`]);
});

it.each([
  ['an error that is no assertion', THROWN],
  ['a file that does not start', FILE],
  ['tests that do not end', HANGS],
])('Of %s, two kill and one does not', async (_, answer) => {
  expect((await judged([answer, PASSED, answer])).verdict).toMatchObject({ verdict: 'killed', test: A });
  expect((await judged([answer, PASSED, PASSED])).verdict.verdict).toBe('undecided');
});

it('Tests that do not end run one by one', async () => {
  const ends: Answer = { ...HANGS, file: B };
  const { verdict, ran } = await judged([HANGS, PASSED, ends, PASSED, ends], [[A, B]]);
  expect(verdict).toMatchObject({ verdict: 'killed', test: B });
  expect(ran).toEqual([`+${A},${B}`, `+${A}`, `+${B}`, `-${B}`, `+${B}`]);
});

it('A file of tests runs once without a mutant, for all mutants', async () => {
  const ran: string[] = [];
  let mutated = false;
  const judge = judgeOf({
    run: async () => {
      ran.push(mutated ? '+' : '-');
      return mutated ? ASSERTED : PASSED;
    },
    apply: async () => {
      mutated = true;
      return () => {
        mutated = false;
      };
    },
  });
  for (let i = 0; i < 2; i++) expect(await judge({}, [[A]])).toEqual(KILLED);
  expect(ran).toEqual(['+', '-', '+']);
});
