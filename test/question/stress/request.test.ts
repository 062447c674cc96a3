/** Members of scenarios that do not fit the book or the methodology. */
import { expect, it } from 'vitest';
import { scenarioLibrary } from '#src/question/scenario/scenario.js';
import { readStress } from '#src/question/stress/request.js';
import { dayOf } from '#src/text/calendar-date.js';
import { booksOf, loanOf } from '../../support/book-bodies.ts';

const TODAY = dayOf(new Date('2024-07-10T00:00:00Z'));

function faultsOf(type: string, ...scenarios: object[]) {
  const body = { ...booksOf(100)([loanOf('a')], { scenarios }), type };
  const read = readStress(body, TODAY, scenarioLibrary());
  return read.ok ? [] : read.faults.map(({ path, message }) => `${path}: ${message}`);
}

const fall = { name: 'fall', price_shock: { ETH: -0.3 } };

it('A price shock is of assets of the book, or of all others', () => {
  expect(faultsOf('GBM', fall)).toEqual([]);
  expect(faultsOf('GBM', fall, { name: 'rest', price_shock: { ETH: -0.1, '*': -0.2 } })).toEqual([]);
  expect(faultsOf('GBM', fall, { name: 'other', price_shock: { ETH: -0.1, SOL: -0.2 } })).toEqual([
    'params.scenarios.1.price_shock: scenarios.1.price_shock must be a change of assets of the book (ETH, USD), or of *; got SOL',
  ]);
});

it('A volatility shock is 0 or absent under a methodology without one', () => {
  const shocked = { name: 'wild', volatility_shock: 0.5 };
  expect(faultsOf('GBM', shocked)).toEqual([]);
  expect(faultsOf('HISTORICAL', { ...shocked, volatility_shock: 0, price_shock: { ETH: -0.1 } })).toEqual([]);
  expect(faultsOf('HISTORICAL', fall, shocked)).toEqual([
    'params.scenarios.1.volatility_shock: scenarios.1.volatility_shock must be 0 or absent, because HISTORICAL takes no shock; got 0.5',
  ]);
});
