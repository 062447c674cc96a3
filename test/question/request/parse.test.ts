/** The processed form of a valid request, and the messages on an invalid one. */

import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { methodologiesOf } from '#src/models/methodology/methodologies.js';
import { CAPPED_LOAN_QUESTION } from '#src/question/capped-loan/capped-loan.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { LOAN_READING } from '#src/question/loan/request.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { parseCalendarDate } from '#src/text/calendar-date.js';
import {
  LOAN_ORIGINATION,
  LOAN_RISK,
  LOW_LIQUIDITY,
  PERPETUAL,
  parseRequest,
  readRequest,
  VALUE_AT_RISK,
  withMember,
} from '../../support/request-bodies.ts';

const TODAY = parseCalendarDate('06-15-2026') as number;
const SENT_DAY = parseCalendarDate('01-30-2026') as number;

describe('A processed request', () => {
  it('has upper-case symbols in alphabetical order, CASH as USD, and weights as sent', () => {
    const body = withMember(LOAN_RISK, 'params.collateral_weights', { sol: 0.2, Pepe: 0.3, cash: 0.5000003 });
    const { terms } = parseRequest(LOAN_QUESTION, TODAY, body);
    expect(Object.entries(terms.collateral_weights)).toEqual([
      ['PEPE', 0.3],
      ['SOL', 0.2],
      ['USD', 0.5000003],
    ]);
  });

  it('has its date as a day, today by default', () => {
    expect(parseRequest(LOAN_QUESTION, TODAY, LOAN_RISK).terms.analysis_date).toBe(SENT_DAY);
    const undated = withMember(LOAN_RISK, 'params.analysis_date', undefined);
    expect(parseRequest(LOAN_QUESTION, TODAY, undated).terms.analysis_date).toBe(TODAY);
    expect(parseRequest(LOAN_QUESTION, TODAY + 1, undated).terms.analysis_date).toBe(TODAY + 1);
  });

  it('has the shock if its type takes one, and only members that its type uses', () => {
    const read = (type: string) => {
      const body = withMember(withMember(LOAN_RISK, 'params.volatility_shock', 0), 'type', type);
      return Object.keys(parseRequest(LOAN_QUESTION, TODAY, body).terms);
    };
    expect(read('GBM')).toEqual(expect.arrayContaining(['volatility_shock', 'mc_iter']));
    expect(read('GBM_VIX')).toContain('mc_iter');
    expect(read('GBM_VIX')).not.toContain('volatility_shock');
    expect(read('HISTORICAL')).not.toContain('mc_iter');
    expect(read('HISTORICAL')).not.toContain('volatility_shock');
    expect(parseRequest(LOAN_QUESTION, TODAY, LOAN_RISK).terms).toHaveProperty('volatility_shock', 0);
    expect(parseRequest(CAPPED_LOAN_QUESTION, TODAY, LOW_LIQUIDITY).terms.volatility_shock).toBe(0);
  });

  it('narrows by its type', () => {
    const request = parseRequest(VALUE_AT_RISK_QUESTION, TODAY, VALUE_AT_RISK);
    // The compiler checks this test too: mc_iter exists on the Monte Carlo types only.
    expect(request.methodology === 'HISTORICAL' ? undefined : request.terms.mc_iter).toBe(1000);
    const search = parseRequest(ORIGINATION_QUESTION, TODAY, LOAN_ORIGINATION);
    expect(search.methodology === 'GBM' ? search.terms.volatility_shock : undefined).toBe(0);
  });

  it('has markets in the cases of the interface', () => {
    const body = withMember(LOW_LIQUIDITY, 'params.markets', [['btc', 'Usdt', 'BINANCE']]);
    expect(parseRequest(CAPPED_LOAN_QUESTION, TODAY, body).terms.markets).toEqual([
      ['BTC', 'USDT', 'binance'],
    ]);
  });

  it('has horizons and quantiles in the order sent', () => {
    const body = withMember(VALUE_AT_RISK, 'params.var_duration', [30, 1, 7.5]);
    expect(parseRequest(VALUE_AT_RISK_QUESTION, TODAY, body).terms.var_duration).toEqual([30, 1, 7.5]);
  });

  it('of a perpetual has its defaults, and the other contract size if it was sent', () => {
    const bare = ['mc_iter', 'analysis_date'].reduce<object>(
      (body, member) => withMember(body, member, undefined),
      PERPETUAL,
    );
    expect(parseRequest(PERPETUAL_QUESTION, TODAY, { ...bare, contract_value_usd: 100 }).terms).toMatchObject(
      {
        model: 'GBM',
        mc_iter: 1000,
        volatility_shock: 0,
        analysis_date: TODAY,
        contract_size: 1,
        contract_value_usd: 100,
      },
    );
    const { terms: historical } = parseRequest(PERPETUAL_QUESTION, TODAY, {
      ...PERPETUAL,
      model: 'HISTORICAL',
    });
    expect(historical).not.toHaveProperty('mc_iter');
    expect(historical).not.toHaveProperty('volatility_shock');
    const inverse = { ...bare, contract_type: 'inverse', contract_value_usd: 1, contract_size: undefined };
    expect(parseRequest(PERPETUAL_QUESTION, TODAY, JSON.parse(JSON.stringify(inverse))).terms).toMatchObject({
      contract_type: 'inverse',
      contract_value_usd: 1,
    });
  });

  it('never shares its schema between days', () => {
    expect(LOAN_READING.schema(TODAY)).toBe(LOAN_READING.schema(TODAY));
    const tomorrow = withMember(LOAN_RISK, 'params.analysis_date', '06-16-2026');
    expect(readRequest(LOAN_QUESTION, TODAY, tomorrow).ok).toBe(false);
    expect(readRequest(LOAN_QUESTION, TODAY + 1, tomorrow).ok).toBe(true);
    expect(readRequest(LOAN_QUESTION, TODAY, tomorrow).ok).toBe(false);
  });
});

describe('A refusal', () => {
  it('is a RiskError with every fault', () => {
    const body = withMember(withMember(LOAN_RISK, 'params.N', 1.2), 'params.mc_iter', 0.5);
    try {
      parseRequest(LOAN_QUESTION, TODAY, body);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(RiskError);
      expect(error).toMatchObject({
        reason: 'invalid-request',
        faults: [
          { path: 'params.mc_iter', message: 'mc_iter must be a whole number from 1 to 10000000; got 0.5' },
          {
            path: 'params.N',
            message: 'N must be at least M (1.3); a loan in call is sent with called_hours_ago; got 1.2',
          },
        ],
      });
    }
  });

  it('lists the known members for an unknown one', () => {
    const checked = readRequest(LOAN_QUESTION, TODAY, { ...LOAN_RISK, seed: 1 });
    expect(checked).toMatchObject({
      ok: false,
      faults: [{ path: 'seed', message: 'seed is an unknown member; known here are type, params' }],
    });
  });

  it('counts unknown members beyond those that it names', () => {
    const junk = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`m${i}`, 0]));
    const checked = readRequest(LOAN_QUESTION, TODAY, { type: 'GBM', params: junk });
    const faults = checked.ok ? [] : checked.faults;
    expect(faults).toHaveLength(101);
    const empty = readRequest(LOAN_QUESTION, TODAY, { type: 'GBM', params: {} });
    const missing = empty.ok ? 0 : empty.faults.length;
    expect(missing).toBeGreaterThan(5);
    expect(faults.at(-1)?.message).toBe(`The body has ${5000 + missing - 100} more faults`);
  });

  it('names a hundred faults, and counts what is beyond', () => {
    const junk = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, k) => [`m${k}`, 0]));
    const messagesOf = (body: object) => {
      const checked = readRequest(LOAN_QUESTION, TODAY, body);
      return checked.ok ? [] : checked.faults.map(({ message }) => message);
    };
    expect(messagesOf({ ...LOAN_RISK, ...junk(100) })).toHaveLength(100);
    const more = messagesOf({ ...LOAN_RISK, ...junk(101) });
    expect(more).toHaveLength(101);
    expect(more[100]).toBe('The body has 1 more fault');
    expect(more[99]).toMatch(/^m99 is an unknown member/);
    const wrong = { ...LOAN_RISK.params, loan_duration: -1 };
    expect(messagesOf({ ...LOAN_RISK, params: wrong, ...junk(99) })).toHaveLength(100);
    const both = messagesOf({ ...LOAN_RISK, params: wrong, ...junk(100) });
    expect([both.length, both[100]]).toMatchObject([101, 'The body has 1 more fault']);
  });

  it('shortens long values and long names', () => {
    const body = { ...LOAN_RISK, type: 'x'.repeat(100_000), ['y'.repeat(100_000)]: 1 };
    const checked = readRequest(LOAN_QUESTION, TODAY, body);
    expect(checked.ok).toBe(false);
    expect(JSON.stringify(checked).length).toBeLessThan(1000);
  });

  it('shows a text of 60 characters in full, and cuts a longer one after 60', () => {
    const shown = (length: number) => {
      const checked = readRequest(LOAN_QUESTION, TODAY, { ...LOAN_RISK, type: 'x'.repeat(length) });
      return (checked.ok ? [] : checked.faults).map(({ message }) => /got "(x+…?)"/.exec(message)?.[1]);
    };
    expect(shown(60)).toEqual(['x'.repeat(60)]);
    expect(shown(61)).toEqual([`${'x'.repeat(60)}…`]);
  });

  it('names the repeated member', () => {
    const body = withMember(VALUE_AT_RISK, 'params.quantile', [0.5, 0.9, 0.5]);
    expect(readRequest(VALUE_AT_RISK_QUESTION, TODAY, body)).toMatchObject({
      ok: false,
      faults: [
        { path: 'params.quantile.2', message: 'quantile.2 must be different from element 0; got 0.5' },
      ],
    });
  });

  it('reports a repeat of a symbol whose weight also has a fault', () => {
    const body = withMember(LOAN_RISK, 'params.loan_weights', { USD: -1, cash: 1 });
    const checked = readRequest(LOAN_QUESTION, TODAY, body);
    expect(checked.ok ? [] : checked.faults.map(({ path }) => path)).toEqual([
      'params.loan_weights.USD',
      'params.loan_weights.cash',
    ]);
  });

  it('gives the sum of weights', () => {
    const body = withMember(LOAN_RISK, 'params.loan_weights', { BTC: 0.5, ETH: 0.25 });
    expect(readRequest(LOAN_QUESTION, TODAY, body)).toMatchObject({
      faults: [{ message: 'loan_weights must be weights that sum to 1 within 1e-6; got a sum of 0.75' }],
    });
  });
});

describe('A body that is expensive to check', () => {
  const junk = (length: number, prefix: string) =>
    Object.fromEntries(Array.from({ length }, (_, i) => [`${prefix}${i}`, 'x']));

  it('is not checked beyond the first fault of a weight map with too many symbols', () => {
    const body = withMember(LOAN_RISK, 'params.collateral_weights', junk(6000, '!'));
    expect(readRequest(LOAN_QUESTION, TODAY, body)).toMatchObject({
      ok: false,
      faults: [
        {
          path: 'params.collateral_weights',
          message: 'collateral_weights must be an object of 1 to 32 symbols; got 6000 of them',
        },
      ],
    });
  });

  it('is refused for the length of a long list, not for its elements', () => {
    const body = withMember(VALUE_AT_RISK, 'params.quantile', Array(30_000).fill('x'));
    expect(readRequest(VALUE_AT_RISK_QUESTION, TODAY, body)).toMatchObject({
      ok: false,
      faults: [
        {
          path: 'params.quantile',
          message: 'quantile must be a list of 1 to 64 quantiles; got a list of 30000',
        },
      ],
    });
  });

  const badType = (params: object, members: object = {}) => {
    const checked = readRequest(LOAN_QUESTION, TODAY, { type: 'Q', params, ...members });
    return checked.ok ? [] : checked.faults.map(({ path }) => path);
  };

  it('has beside its wrong type the faults that it has under every type', () => {
    const { mc_iter: _, ...params } = LOAN_RISK.params;
    // HISTORICAL needs no mc_iter, and takes no volatility_shock but 0, which its fault says.
    const wrong = { ...params, loan_duration: -1, volatility_shock: -2, strange: null };
    expect(badType(wrong)).toEqual(['type', 'params.loan_duration', 'params.strange']);
    expect(badType({ ...LOAN_RISK.params })).toEqual(['type']);
    expect(badType({ ...params, loan_duration: -1 }, { seed: 1 })).toEqual([
      'type',
      'params.loan_duration',
      'seed',
    ]);
  });

  it('is refused for its wrong type alone from 101 members of the body, its params or its maps', () => {
    const wrong = { ...LOAN_RISK.params, loan_duration: -1 };
    const own = Object.keys(wrong).length;
    const known = (paths: readonly string[]) => paths.filter(path => !/\.m\d|^m\d|!/.test(path));
    expect(known(badType({ ...wrong, ...junk(100 - own, 'm') }))).toEqual(['type', 'params.loan_duration']);
    expect(badType({ ...wrong, ...junk(101 - own, 'm') })).toEqual(['type']);
    expect(known(badType(wrong, junk(98, 'm')))).toEqual(['type', 'params.loan_duration']);
    expect(badType(wrong, junk(99, 'm'))).toEqual(['type']);
    expect(badType({ ...wrong, collateral_weights: junk(101, 'm') })).toEqual(['type']);
    const deep = { ...wrong, collateral_weights: { BTC: junk(101, 'm') } };
    expect(badType(deep)).toEqual(['type', 'params.collateral_weights.BTC', 'params.loan_duration']);
  });

  it('is refused for its wrong type alone', () => {
    const body = { type: 'Q', params: junk(6000, 'm') };
    const names = methodologiesOf('loan').map(({ name }) => name);
    expect(readRequest(LOAN_QUESTION, TODAY, body)).toMatchObject({
      ok: false,
      faults: [
        {
          path: 'type',
          message: `type must be one of ${names.join(', ')}; got "Q"`,
        },
      ],
    });
  });
});
