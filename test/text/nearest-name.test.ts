/** The known name nearest to an unknown member. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { nearestName, simpleName } from '#src/text/nearest-name.js';
import { LOAN_RISK, readRequest } from '../support/request-bodies.ts';

const KNOWN = ['collateral_weights', 'mc_top_up', 'mc_iter', 'N', 'M', 'loan_value', 'initial_ltv'];

it.each([
  ['mc_topup', 'mc_top_up'],
  ['mcTopUp', 'mc_top_up'],
  ['mc_itre', 'mc_iter'],
  ['colateral_weights', 'collateral_weights'],
  ['loanvalue', 'loan_value'],
  ['inital_ltv', 'initial_ltv'],
  ['leverage', undefined],
  ['X', undefined],
  ['n', 'N'],
  ['x'.repeat(1000), undefined],
  ['', undefined],
])('The nearest name to %s is %s', (sent, meant) => {
  expect(nearestName(sent, KNOWN)).toBe(meant);
});

it('A name with one changed, missing or additional letter is recognised', () => {
  const long = KNOWN.filter(name => name.length > 6);
  fc.assert(
    fc.property(
      fc.constantFrom(...long),
      fc.nat(),
      fc.constantFrom('change', 'drop', 'add'),
      (name, place, how) => {
        const at = place % name.length;
        const rest = name.slice(how === 'add' ? at : at + 1);
        const sent = `${name.slice(0, at)}${how === 'drop' ? '' : 'z'}${rest}`;
        expect(nearestName(sent, KNOWN)).toBe(name);
      },
    ),
  );
});

it('Exchanged neighbours count as one letter, and a third of the letters may differ', () => {
  const names = ['rate', 'weights'];
  for (const sent of ['arte', 'rtae', 'raet']) expect(nearestName(sent, names), sent).toBe('rate');
  for (const sent of ['etar', 'artx', 'xrtae', 'reat'])
    expect(nearestName(sent, names), sent).toBeUndefined();
  for (const sent of ['ewihgts', 'wieghst']) expect(nearestName(sent, names), sent).toBe('weights');
  expect(nearestName('ewihgst', names)).toBeUndefined();
});

/** Changes that turn one text into the other, each place of which is changed once: by recursion on their ends. */
function changes(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(0, -1), b.slice(0, -1)];
  const isExchanged = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(
    changes(restA, b) + 1,
    changes(a, restB) + 1,
    changes(restA, restB) + (a.at(-1) === b.at(-1) ? 0 : 1),
    isExchanged ? changes(a.slice(0, -2), b.slice(0, -2)) + 1 : Number.POSITIVE_INFINITY,
  );
}

it('The nearest name is the first of those with the fewest changes, at most a third of its letters', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_', 'A'), maxLength: 7 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 3 }), (sent, known) => {
      const far = known.map(name => changes(simpleName(sent), simpleName(name)));
      const near = far.map((each, k) => (each <= simpleName(known[k]).length / 3 ? each : Number.NaN));
      const least = Math.min(...near.filter(each => !Number.isNaN(each)));
      expect(nearestName(sent, known), JSON.stringify([sent, known])).toBe(known[near.indexOf(least)]);
    }),
    { seed: 20_261_125, numRuns: 1000 },
  );
});

it('Names of up to 40 letters are compared', () => {
  for (const [length, isNear] of [
    [40, true],
    [41, false],
  ] as const) {
    const name = 'x'.repeat(length);
    expect(nearestName(name, [name]), `${length} letters`).toBe(isNear ? name : undefined);
    expect(nearestName('x'.repeat(40), [name]), `${length} letters are known`).toBe(
      isNear ? name : undefined,
    );
  }
});

it('A refusal of an unknown member names it', () => {
  const checked = readRequest(LOAN_QUESTION, 20_600, {
    ...LOAN_RISK,
    params: { ...LOAN_RISK.params, mc_topup: 5, leverage: 2 },
  });
  const messages = checked.ok ? [] : checked.faults.map(({ message }) => message);
  expect(messages[0]).toMatch(
    /^params\.mc_topup is an unknown member; did you mean mc_top_up\? known here are /,
  );
  expect(messages[1]).toMatch(/^params\.leverage is an unknown member; known here are /);
});
