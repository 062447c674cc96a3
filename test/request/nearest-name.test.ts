/** The known name nearest to an unknown member. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loanRiskRequest } from '#src/question/loan/request.js';
import { nearestName } from '#src/request/nearest-name.js';
import { checkRequest } from '#src/request/parse.js';
import { LOAN_RISK } from '../support/request-bodies.ts';

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

it('A refusal of an unknown member names it', () => {
  const checked = checkRequest(loanRiskRequest(20_600), {
    ...LOAN_RISK,
    params: { ...LOAN_RISK.params, mc_topup: 5, leverage: 2 },
  });
  const messages = checked.ok ? [] : checked.faults.map(({ message }) => message);
  expect(messages[0]).toMatch(
    /^params\.mc_topup is an unknown member; did you mean mc_top_up\? known here are /,
  );
  expect(messages[1]).toMatch(/^params\.leverage is an unknown member; known here are /);
});
