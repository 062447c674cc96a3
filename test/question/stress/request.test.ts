/** Members of scenarios that do not fit the book or the methodology. */
import { expect, it } from 'vitest';
import { STRESS_READING } from '#src/question/stress/request.js';
import { dayOf } from '#src/text/calendar-date.js';
import { booksOf, loanOf } from '../../support/book-bodies.ts';
import { readRequest } from '../../support/request-bodies.ts';

const TODAY = dayOf(new Date('2024-07-10T00:00:00Z'));

function faultsOf(type: string, ...scenarios: object[]) {
  const body = { ...booksOf(100)([loanOf('a')], { scenarios }), type };
  const read = readRequest(STRESS_READING, TODAY, body);
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

/** Faults under other terms. */
const comparedFaults = (compare: object, ...loans: object[]) => {
  const body = booksOf(100)(
    loans.map((loan, k) => loanOf(`l${k}`, loan)),
    { scenarios: [fall], compare },
  );
  const read = readRequest(STRESS_READING, TODAY, { ...body, type: 'GBM' });
  return read.ok ? [] : read.faults.map(({ path, message }) => `${path}: ${message}`);
};

it('Terms to compare replace those of every loan, in either form, and the delay of sales', () => {
  const compared = (compare: object) => {
    const body = booksOf(100)([loanOf('a'), loanOf('b', { M: undefined, margin_call_ltv: 0.7 })], {
      ...{ scenarios: [fall], sale_delay: 2, compare },
    });
    const read = readRequest(STRESS_READING, TODAY, { ...body, type: 'GBM' });
    if (!read.ok) throw new Error(JSON.stringify(read.faults));
    const { terms, saleDelay, loans } = read.value.terms.compare ?? {};
    return [terms, saleDelay, Array.from(loans?.marginCallRatio ?? [])];
  };
  expect(compared({ M: 1.2 })).toEqual([{ M: 1.2 }, 2, [1.2, 1.2]]);
  expect(compared({ margin_call_ltv: 0.8, sale_delay: 5 })).toEqual([
    { margin_call_ltv: 0.8, sale_delay: 5 },
    5,
    [1 / 0.8, 1 / 0.8],
  ]);
});

it('Terms to compare have their faults at the member, each once, with its loans', () => {
  expect(comparedFaults({ M: 1.05 }, {}, {})).toEqual([
    'params.compare.M: compare.M must be at least L (1.1); the two look exchanged; got 1.05 (in 2 loans: l0, l1)',
  ]);
  expect(comparedFaults({ mc_top_up: 5 }, {}, { top_up: { share: 0.5, delay_hours: 6 } })).toEqual([
    'params.compare: loans.1.top_up.delay_hours must be at most mc_top_up (5 hours), the deadline of a call; got 6 (in 1 loan: l1)',
  ]);
});
