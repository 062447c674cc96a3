/** The members of a request that faults of the market, of models and of plans name. */
import { describe, expect, it } from 'vitest';
import { type FailureReason, type Fault, RiskError } from '#src/core/errors.js';
import type { Resolved } from '#src/question/resolved.js';
import { atMembers, type RequestRow, sentNames } from '#src/question/workload.js';

const REQUEST = { methodology: 'GBM' as const, terms: { analysis_date: '01-02-2024' } };
const ROW: RequestRow<Resolved<object>> = {
  workload: () => {
    throw new Error('not asked for');
  },
  planMember: (_, field) => `params.${field === 'paths' ? 'mc_iter' : 'loan_duration'}`,
  seriesMember: (_, series, sent) =>
    series === 'BTC' ? `params.collateral_weights.${sent('collateral_weights', series)}` : undefined,
};
const sent = () => 'btc';

function moved(reason: FailureReason, faults: readonly Fault[], row = ROW): unknown {
  return atMembers(REQUEST, new RiskError(reason, 'Why.', { faults }), row, sent);
}

describe.each(['missing-market-data', 'calibration-failed'] as const)('A refusal for %s', reason => {
  const pathOf = (path: string, row?: typeof ROW) => {
    const error = moved(reason, [{ code: 'no_data', path, message: 'no prices' }], row);
    return error instanceof RiskError ? error.faults : error;
  };

  it.each([
    ['a series that was asked for', 'BTC', 'params.collateral_weights.btc'],
    ['a series that was not', 'ETH', 'ETH'],
    ['a member of params', 'analysis_date', 'params.analysis_date'],
    ['a member inside a member of params', 'analysis_date.day', 'params.analysis_date.day'],
    ['an index, for which the methodology asks', 'volatility_index.BTC', 'type'],
  ])('names %s', (_, path, member) => {
    expect(pathOf(path)).toEqual([{ code: 'no_data', path: member, message: 'no prices' }]);
  });

  it('names the member itself where the body is flat', () => {
    const flat = { ...ROW, flat: true as const };
    expect(pathOf('analysis_date', flat)).toEqual([
      { code: 'no_data', path: 'analysis_date', message: 'no prices' },
    ]);
  });
});

describe('A refusal for another reason', () => {
  it('names members of the body as they are, and fields of the plan by their members', () => {
    expect(
      moved('work-limit-exceeded', [
        { code: 'out_of_range', path: 'plan.paths', message: 'paths are too many' },
      ]),
    ).toMatchObject({
      reason: 'work-limit-exceeded',
      message: 'Why.',
      faults: [{ code: 'out_of_range', path: 'params.mc_iter', message: 'mc_iter are too many' }],
    });
    const error = new RiskError('invalid-request', 'Why.', {
      faults: [{ code: 'out_of_range', path: 'BTC', message: 'is bad' }],
    });
    expect(atMembers(REQUEST, error, ROW, sent)).toBe(error);
  });

  it('is unchanged without faults, and for an error that is no refusal', () => {
    const none = new RiskError('missing-market-data', 'Why.');
    expect(atMembers(REQUEST, none, ROW, sent)).toBe(none);
    const other = new Error('a mistake');
    expect(atMembers(REQUEST, other, ROW, sent)).toBe(other);
  });
});

it('An asset has its name in the weight map of the body, or its symbol without one', () => {
  const body = { params: { collateral_weights: { btc: 1, usdx: 0 }, loan_weights: null } };
  const resolve = (symbol: string) => (symbol === 'USDX' ? 'USD' : symbol);
  const names = sentNames(body, resolve);
  expect(names('collateral_weights', 'BTC')).toBe('btc');
  expect(names('collateral_weights', 'USD')).toBe('usdx');
  expect(names('collateral_weights', 'ETH')).toBe('ETH');
  expect(names('loan_weights', 'BTC')).toBe('BTC');
  expect(sentNames(undefined, resolve)('loan_weights', 'BTC')).toBe('BTC');
});
