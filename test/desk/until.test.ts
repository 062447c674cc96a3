/** Bounds of a book as lines of text, and the sentences on their answers. */
import { expect, it } from 'vitest';
import { readUntil, type Until, untilScenario, untilSentence } from '#src/desk/until.js';

const read = (text: string): Until => {
  const found = readUntil(text);
  if ('message' in found) throw new Error(found.message);
  return found;
};

it.each([
  ['loss 5m', { figure: 'ExpectedLoss', bound: 5e6 }],
  ['LossCVar 0.99 20 bn', { figure: 'LossCVar', bound: 2e10, quantile: 0.99 }],
  ['ltv 80%', { figure: 'Ltv', bound: 0.8 }],
  ['ltv 0.8', { figure: 'Ltv', bound: 0.8 }],
  ['tranche A 1 loss 1%', { figure: 'ExpectedLossPct', bound: 1, tranche: 'A 1' }],
  ['tranche loss prloss 0.5%', { figure: 'PrLoss', bound: 0.005, tranche: 'loss' }],
  ['called $250000', { figure: 'CalledUsd', bound: 250_000 }],
])('A bound is a scenario: %s', (text, expected) => {
  const along = { '*': 1, EURC: 0 };
  expect(untilScenario(read(text), along)).toEqual({
    name: `until ${text}`,
    reverse: { ...expected, along },
  });
});

it('A fall of some assets alone names them', () => {
  const until = read('ltv 80% along btc, WBTC');
  expect(untilScenario(until, { '*': 1 })).toMatchObject({ reverse: { along: { BTC: 1, WBTC: 1 } } });
  const found = { Fall: 0.41, Crossings: 1, Low: null, High: null };
  expect(untilSentence(until, found)).toBe('BTC and WBTC must fall by 41.0 % before its LTV is 80 %.');
  expect(untilSentence(until, { ...found, Fall: null })).toBe(
    'No fall of BTC and WBTC up to 95 % is such that its LTV is 80 %.',
  );
  expect(untilSentence(read('tranche senior loss 1%'), found)).toBe(
    'All prices must fall by 41.0 % before the tranche senior loses 1 % of its size on average.',
  );
});

it.each([
  ['tranche senior ltv 80%', 'figures are loss, prloss'],
  ['tranche loss 1%', 'It is written'],
  ['loss 5m along', 'It is written'],
  [`loss 5m along ${'BTC '.repeat(12)}`, 'at most 58'],
  ['losses 5m', 'figures are loss, lossvar'],
  ['loss', 'It is written'],
  ['losscvar 5m', 'losscvar needs a level'],
  ['loss 0.99 5m', 'loss has no level'],
  ['loss 5%', 'loss is in USD'],
  ['ltv 5m', 'ltv is a share'],
  ['loss 0', 'above 0'],
])('A line that is no bound says what is wrong: %s', (text, words) => {
  expect(readUntil(text)).toEqual({ message: expect.stringContaining(words) });
});

it('The sentence has the fall, its interval, and what is not monotone or has no answer', () => {
  const found = { Fall: 0.41234, Crossings: 1, Low: null, High: null };
  const sentence = (more: object, text = 'loss 5m') => untilSentence(read(text), { ...found, ...more });
  expect(sentence({})).toBe('All prices must fall by 41.2 % before the book loses 5 million USD on average.');
  expect(sentence({ Low: 0.4, High: 0.42, Crossings: 3 })).toBe(
    'All prices must fall by 41.2 % (40.0 % to 42.0 % by sampling) before the book loses 5 million USD on average. It is not monotone: there are larger falls at which it is less again.',
  );
  expect(sentence({}, 'losscvar 0.99 2m')).toContain('before the mean loss beyond 99 % is 2 million USD.');
  expect(sentence({ Fall: 0 }, 'ltv 80%')).toBe(
    'Without any fall it is so already that its LTV is 80 %, or more.',
  );
  expect(sentence({ Fall: null })).toContain('No fall of all prices up to 95 %');
});
