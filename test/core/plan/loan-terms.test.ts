/** The terms of a loan in a plan: the least and the largest accepted values, and those just beyond them. */
import { expect, it } from 'vitest';
import { Faults, object } from '#src/core/plan/fields.js';
import { MAX_STEPS } from '#src/core/plan/grid.js';
import { LOAN_FIELDS } from '#src/core/plan/loan-terms.js';

const LOAN = {
  nominalRatio: 1.5,
  marginCallRatio: 1.3,
  liquidationRatio: 1.1,
  recoveryRatio: 1.5,
  topUpSteps: 24,
  start: { status: 'called', deadlineStep: 24 },
  answers: { share: 0.5, delaySteps: 6, startStep: 6, toRatio: 1.6, nameHigh: 1, nameLow: 2 },
};

const faultsOf = (changes: object): string[] => {
  const faults = new Faults();
  object(LOAN_FIELDS).read({ ...LOAN, ...changes }, 'loan', faults);
  return faults.list.map(({ path }) => path);
};

it.each([
  ['topUpSteps', 0, MAX_STEPS],
  ['start.deadlineStep', 1, MAX_STEPS],
  ['answers.share', 0, 1],
  ['answers.delaySteps', 1, MAX_STEPS],
  ['answers.startStep', 0, MAX_STEPS],
  ['answers.nameHigh', 0, 2 ** 32 - 1],
] as const)('%s is from %d to %d', (name, least, most) => {
  const [member, inner] = name.split('.') as [keyof typeof LOAN, string | undefined];
  const at = (value: number) =>
    faultsOf({ [member]: inner === undefined ? value : { ...(LOAN[member] as object), [inner]: value } });
  expect([at(least), at(most)]).toEqual([[], []]);
  expect([at(least - 1), at(most + 1)]).toEqual([[`loan.${name}`], [`loan.${name}`]]);
});
