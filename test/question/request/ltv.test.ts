/** LTVs in place of N, M, L and R. */

import { describe, expect, it } from 'vitest';
import { BOOK_READING } from '#src/question/book/request.js';
import { loanProduct } from '#src/question/loan/loan.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import { LOAN_RISK, readRequest } from '../../support/request-bodies.ts';

const TODAY = 20_600;
const { N: _n, M: _m, L: _l, R: _r, ...TERMS } = LOAN_RISK.params;
const LTVS = { initial_ltv: 0.65, margin_call_ltv: 0.75, liquidation_ltv: 0.85, recovery_ltv: 0.7 };

const read = (members: object) =>
  readRequest(LOAN_QUESTION, TODAY, { type: 'GBM', params: { ...TERMS, ...members } });
const faultsOf = (members: object) => {
  const checked = read(members);
  return checked.ok ? [] : checked.faults.map(({ message }) => message);
};

describe('LTVs', () => {
  it('are the inverse of ratios, and are shown as sent beside them', () => {
    const checked = read(LTVS);
    expect(checked).toMatchObject({
      ok: true,
      value: { terms: { N: 1 / 0.65, M: 1 / 0.75, L: 1 / 0.85, R: 1 / 0.7, ...LTVS } },
    });
  });

  it('may stand beside ratios of other members', () => {
    expect(read({ N: 1.6, margin_call_ltv: 0.75, L: 1.1, recovery_ltv: 0.7 })).toMatchObject({
      ok: true,
      value: { terms: { N: 1.6, M: 1 / 0.75, L: 1.1, R: 1 / 0.7 } },
    });
  });

  it.each([
    [{ N: 1.6 }, 'initial_ltv must be absent where N is sent; got 0.65'],
    [{ N: 1 / 0.65 }, 'initial_ltv must be absent where N is sent; got 0.65'],
    [
      { initial_ltv: 65 },
      'initial_ltv must be from 0.01 and below 1.5, as a fraction: 65 per cent is 0.65; got 65',
    ],
    [
      { initial_ltv: 1.5 },
      'initial_ltv must be from 0.01 and below 1.5, as a fraction: 1.5 per cent is 0.015; got 1.5',
    ],
    [{ initial_ltv: 0 }, 'initial_ltv must be from 0.01 and below 1.5; got 0'],
    [{ initial_ltv: '0.65' }, 'initial_ltv must be from 0.01 and below 1.5; got "0.65"'],
    [
      { initial_ltv: 0.8 },
      'initial_ltv must be at most margin_call_ltv (0.75); a loan in call is sent with called_hours_ago; got 0.8',
    ],
    [
      { margin_call_ltv: 0.86, initial_ltv: 0.87 },
      'margin_call_ltv must be at most liquidation_ltv (0.85); got 0.86',
    ],
    [{ recovery_ltv: 0.85 }, 'recovery_ltv must be below liquidation_ltv (0.85); got 0.85'],
    [
      { liquidation_ltv: undefined, L: 1.4 },
      'margin_call_ltv must be at most 1 / L (1.4); the two look exchanged; got 0.75',
    ],
    [
      { initial_ltv: undefined },
      'N is missing; it must be above 0 and at most 100, or initial_ltv in its place',
    ],
  ])('with %j are refused by the member that was sent', (members, message) => {
    expect(faultsOf({ ...LTVS, ...members })).toEqual([message]);
  });

  it('are taken from 0.01 on, which is a ratio of 100', () => {
    const checked = read({
      initial_ltv: 0.01,
      margin_call_ltv: 0.75,
      liquidation_ltv: 0.85,
      recovery_ltv: 0.01,
    });
    expect(checked).toMatchObject({ ok: true, value: { terms: { N: 100, R: 100 } } });
    expect(faultsOf({ ...LTVS, initial_ltv: 0.0099 })).toEqual([
      'initial_ltv must be from 0.01 and below 1.5; got 0.0099',
    ]);
  });

  it('are shown as per cent up to 100', () => {
    const hintOf = (initial_ltv: number) => faultsOf({ ...LTVS, initial_ltv })[0].includes('per cent');
    expect([1.5, 100, 100.5, -1].map(hintOf)).toEqual([true, true, false, false]);
  });

  it('below 0 are refused once', () => {
    expect(faultsOf({ ...LTVS, initial_ltv: -1 })).toEqual([
      'initial_ltv must be from 0.01 and below 1.5; got -1',
    ]);
  });

  it.each<[object, readonly string[]]>([
    [{ N: 0.75, M: 0.75, L: 0.85, R: 0.9 }, ['M must be at least L (0.85); got 0.75']],
    [{ N: 0.7, M: 0.85, L: 0.85, R: 0.9 }, ['N must be at least M (0.85); got 0.7']],
    [{ N: 1.1, M: 1.2, L: 1.5, R: 1.6 }, ['M must be at least L (1.5); got 1.2']],
    [{ N: 1.3, M: 1.1, L: 1.3, R: 1.4 }, ['M must be at least L (1.3); the two look exchanged; got 1.1']],
    [{ N: 1.2, M: 1.1, L: 1.3, R: 1.4 }, ['M must be at least L (1.3); got 1.1']],
    [{ N: 1.3, M: 1.3, L: 1.3, R: 1.4 }, []],
    [{ N: 1.3, M: 1.2, L: 1.1, R: 1.1 }, ['R must be above L (1.1); got 1.1']],
    [{ N: 1.3, M: 1.3, L: 1.1, R: 1.2 }, []],
  ])('look sent as ratios only where N < M < L < 1.5: %j', (ratios, faults) => {
    expect(faultsOf(ratios)).toEqual(faults);
  });

  it('sent as N, M and L are refused with the names of the right members', () => {
    expect(faultsOf({ N: 0.65, M: 0.75, L: 0.85, R: 0.9 })).toEqual([
      'N must be collateral over loan, as M (0.75) and L (0.85); these look like LTVs: send initial_ltv, margin_call_ltv and liquidation_ltv; got 0.65',
    ]);
  });

  it('exchanged as M and L are refused with a note on the exchange', () => {
    expect(faultsOf({ N: 1.5, M: 1.1, L: 1.3, R: 1.4 })).toEqual([
      'M must be at least L (1.3); the two look exchanged; got 1.1',
    ]);
  });

  it('report faults of several members at once', () => {
    expect(faultsOf({ ...LTVS, initial_ltv: 65, mc_top_up: -1, recovery_ltv: 0.9 })).toHaveLength(3);
  });

  it('of a row of a book give R as the larger of N and M', () => {
    const { analysis_date, model_lookback, mc_iter, ...loan } = TERMS;
    const rows = [
      { ...loan, id: 'a', initial_ltv: 0.65, margin_call_ltv: 0.75, liquidation_ltv: 0.85 },
      { ...loan, id: 'b', N: 1.2, M: 1.2, L: 1.1 },
      { ...loan, id: 'c', N: 1.3, M: 1.2, L: 1.1, R: 1.15 },
      { ...loan, id: 'd', N: 1.3, M: 1.2, L: 1.1, recovery_ltv: 0.8 },
    ];
    const checked = readRequest(BOOK_READING, TODAY, {
      type: 'GBM',
      params: { analysis_date, model_lookback, mc_iter, quantile: [0.9], loans: rows },
    });
    expect(checked.ok ? [...checked.value.terms.loans.recoveryRatio] : checked.faults).toEqual([
      1 / 0.65,
      1.2,
      1.15,
      1 / 0.8,
    ]);
    for (const [wrong, alsoR] of [
      [{ N: '1.3' }, false],
      [{ M: '1.2' }, false],
      [{ N: undefined }, true],
    ] as const) {
      const one = readRequest(BOOK_READING, TODAY, {
        type: 'GBM',
        params: {
          analysis_date,
          model_lookback,
          mc_iter,
          quantile: [0.9],
          loans: [{ ...rows[2], R: undefined, ...wrong }],
        },
      });
      const [name] = Object.keys(wrong);
      expect(one.ok ? [] : one.faults.map(({ path }) => path), JSON.stringify(wrong)).toEqual([
        `params.loans.0.${name}`,
        ...(alsoR ? ['params.loans.0.R'] : []),
      ]);
    }
  });

  describe('of each asset', () => {
    const BASKET = { ...LTVS, collateral_weights: { BTC: 0.6, ETH: 0.4 }, recovery_ltv: 0.6 };
    const productOf = (members: object) => {
      const checked = read({ ...BASKET, ...members });
      if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
      const { terms } = checked.value;
      return { terms, product: loanProduct(checked.value, terms, { stepHours: 1 }) };
    };

    it('give L by their mean at the start, and weights with each of them', () => {
      const { terms, product } = productOf({ liquidation_ltv: { eth: 0.9, BTC: 0.8, SOL: 0.1 } });
      expect(terms.liquidation_ltv).toEqual({ BTC: 0.8, ETH: 0.9, SOL: 0.1 });
      expect(terms.L).toBeCloseTo(1 / (0.6 * 0.8 + 0.4 * 0.9), 12);
      expect(product.liquidationRatio).toBe(1 / 0.8);
      expect(product.liquidationWeights).toEqual(Float64Array.of(0.6 * 0.8, 0.4 * 0.9, 0));
    });

    it('are one number where they are equal', () => {
      const one = productOf({ liquidation_ltv: 0.85 });
      expect(productOf({ liquidation_ltv: { BTC: 0.85, ETH: 0.85 } }).product).toEqual(one.product);
    });

    it('have no call before a liquidation without a margin call, at the least that L can be', () => {
      const none = { margin_call_ltv: undefined, recovery_ltv: undefined };
      const { product } = productOf({ ...none, liquidation_ltv: { BTC: 0.8, ETH: 0.9 } });
      expect(product.marginCallRatio).toBe(1 / 0.9);
    });

    it('decide on the start at the shocked prices', () => {
      const shocked = productOf({
        liquidation_ltv: { BTC: 0.7, ETH: 0.95 },
        margin_call_ltv: 0.7,
        price_shock: { ETH: -0.5 },
      });
      // 0.65 of debt against 0.6 x 0.7 + 0.4 x 0.95 = 0.8 before, and 0.6 x 0.7 + 0.2 x 0.95 = 0.61 after.
      expect(shocked.product.start?.status).toBe('liquidated');
    });

    it.each([
      [
        { liquidation_ltv: { BTC: 0.8 } },
        'liquidation_ltv.ETH is missing; it must be from 0.01 and below 1.5: the collateral has ETH',
      ],
      [
        { liquidation_ltv: { BTC: 80, ETH: 0.8 } },
        'liquidation_ltv.BTC must be from 0.01 and below 1.5; got 80',
      ],
      [
        { liquidation_ltv: { BTC: 0.7, ETH: 0.72 } },
        'margin_call_ltv must be at most liquidation_ltv (0.708, the mean by value); the two look exchanged; got 0.75',
      ],
      [
        { liquidation_ltv: { BTC: 0.6, ETH: 0.65 }, margin_call_ltv: undefined, recovery_ltv: undefined },
        'initial_ltv must be at most liquidation_ltv (0.62, the mean by value); got 0.65',
      ],
      [
        { liquidation_ltv: 'all' },
        'liquidation_ltv must be from 0.01 and below 1.5, or an object of symbols and such numbers; got "all"',
      ],
    ])('with %j are refused', (members, message) => {
      expect(faultsOf({ ...BASKET, ...members })).toEqual([message]);
    });

    it('of a row refuse a sale to a ratio at which some mix of the collateral is liquidated', () => {
      const { analysis_date, model_lookback, mc_iter, ...loan } = TERMS;
      const row = {
        ...loan,
        ...BASKET,
        id: 'a',
        liquidation_ltv: { BTC: 0.55, ETH: 0.95 },
        margin_call_ltv: 0.7,
        recovery_ltv: 0.66,
      };
      const read = (to: number) =>
        readRequest(BOOK_READING, TODAY, {
          type: 'GBM',
          params: {
            analysis_date,
            model_lookback,
            mc_iter,
            quantile: [0.9],
            loans: [{ ...row, partial_sale: { to } }],
          },
        });
      const refused = read(1.6);
      expect(refused.ok ? [] : refused.faults.map(({ message }) => message)).toEqual([
        `loans.0.partial_sale must be such that a sale restores a ratio above ${1 / 0.55}, the largest of 1 / liquidation_ltv of the collateral; got 1.6 (loan "a")`,
      ]);
      expect(read(1.9).ok).toBe(true);
    });
  });

  it('of an origination have the liquidation only', () => {
    const search = {
      score_variable: 'PrLiquidation',
      score_target: 0.01,
      variable_min: 1.2,
      variable_max: 3,
      error_tolerance: 0.01,
    };
    const body = (members: object) => ({ type: 'GBM', params: { ...TERMS, opt_param: search, ...members } });
    expect(readRequest(ORIGINATION_QUESTION, TODAY, body({ liquidation_ltv: 0.8 }))).toMatchObject({
      ok: true,
      value: { terms: { L: 1.25, liquidation_ltv: 0.8 } },
    });
    const byAsset = readRequest(ORIGINATION_QUESTION, TODAY, body({ liquidation_ltv: { BTC: 0.8 } }));
    expect(byAsset.ok ? [] : byAsset.faults.map(({ message }) => message)).toEqual([
      'liquidation_ltv must be from 0.01 and below 1.5, one for all collateral: a search takes no thresholds by asset; got an object',
    ]);
    const both = readRequest(ORIGINATION_QUESTION, TODAY, body({ initial_ltv: 0.6 }));
    expect(both.ok ? [] : both.faults.map(({ path }) => path).sort()).toEqual([
      'params.L',
      'params.initial_ltv',
    ]);
  });
});
