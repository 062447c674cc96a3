/** /advance_rate: the shape of its answers, its warnings, and the members that it refuses. */
import { beforeAll, describe, expect, it } from 'vitest';
import { unresolvedHorizons } from '#src/models/methodology/horizons.js';
import { ADVANCE_RATE_QUESTION } from '#src/question/advance-rate/advance-rate.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import { type Operations, openOperations } from '../../support/operations.ts';
import { ADVANCE_RATE, readRequest, withMember } from '../../support/request-bodies.ts';

const TODAY = 30_000;

let operations: Operations;
beforeAll(async () => {
  operations = await openOperations('sample');
});

const body = {
  type: 'GBM',
  params: {
    collateral_weights: { BTC: 0.6, ETH: 0.4 },
    loan_weights: { USD: 1 },
    analysis_date: '06-30-2024',
    model_lookback: 90,
    exposure_hours: [48, 6],
    confidence: [0.99, 0.9],
    expected_loss: [0.001],
    advance_rate: [0.95, 0.5],
    mc_iter: 2000,
  },
};
const query = { ...DEFAULT_QUERY, include: new Set(['accuracy', 'warnings'] as const) };
const answered = (params: object, type = 'GBM') =>
  operations.answer(ADVANCE_RATE_QUESTION, { type, params: { ...body.params, ...params } }, { query });

describe('An answer', () => {
  it('has the figures of each level of each length, and an interval for each', async () => {
    const { result, included, warnings } = await answered({});
    expect(Object.keys(result)).toEqual([
      '6',
      '48',
      'Collateral Volatility',
      'Loan Volatility',
      'Collateral/Loan Correlation',
    ]);
    const at = result['48'] as Record<string, Record<string, Record<string, number | null>>>;
    expect(at).toMatchObject({
      Confidence: { '0.9': {}, '0.99': {} },
      ExpectedLoss: { '0.001': {} },
      AdvanceRate: { '0.5': { PrLoss: 0, ExpectedLossPct: 0, LossGivenLossPct: null }, '0.95': {} },
    });
    const { AdvanceRate: rate, Haircut, TriggerRatio } = at.Confidence['0.99'];
    expect([Haircut, TriggerRatio]).toEqual([1 - (rate as number), 1 / (rate as number)]);
    const { figures } = (included?.Accuracy ?? {}) as unknown as {
      figures: Record<string, Record<string, unknown>>;
    };
    for (const hours of ['6', '48'])
      for (const [level, rates] of Object.entries(result[hours] as object))
        for (const [number, of] of Object.entries(rates as object))
          expect(Object.keys((figures[hours][level] as Record<string, object>)[number])).toEqual(
            Object.keys(of as object),
          );
    // A share of 1 % of 2,000 paths is an extreme of no sample; the level is not beyond 99 %.
    expect(warnings?.map(({ code }) => code)).toEqual([]);
  });

  it('is null after a fall that fewer than thirty scenarios reach, and says so', async () => {
    const { result, warnings } = await answered({ after_fall: { fall: 0.5, within_hours: 24 } });
    expect(result['48']).toMatchObject({
      PrTrigger: 0,
      Confidence: { '0.99': { AdvanceRate: null, Haircut: null, TriggerRatio: null, ExpectedLossPct: null } },
      ExpectedLoss: { '0.001': { AdvanceRate: null, PrLoss: null, PrLossOfAll: null } },
    });
    expect(warnings?.map(({ code }) => code)).toEqual(['few-triggers']);
  });

  it('multiplies the chance of a loss by that of the fall', async () => {
    const { result } = await answered({ after_fall: { fall: 0.02, within_hours: 72 } });
    const at = result['48'] as { PrTrigger: number; AdvanceRate: Record<string, Record<string, number>> };
    const { PrLoss, PrLossOfAll } = at.AdvanceRate['0.95'];
    expect(at.PrTrigger).toBeGreaterThan(0.5);
    expect(PrLossOfAll).toBeCloseTo(PrLoss * at.PrTrigger, 12);
  });

  it('of windows of history counts episodes, and has intervals for exposures after a fall, too', async () => {
    const { result, included, warnings } = await answered(
      { model_lookback: 200, after_fall: { fall: 0.03, within_hours: 48 }, exposure_hours: [24] },
      'HISTORICAL',
    );
    const at = result['24'] as { AdvanceRate: Record<string, Record<string, number>> };
    expect(at.AdvanceRate['0.5'].Episodes).toBe(0);
    expect(at.AdvanceRate['0.95'].Episodes).toBeGreaterThan(0);
    const { figures } = (included?.Accuracy ?? {}) as {
      figures: Record<string, Record<string, Record<string, Record<string, Record<string, number>>>>>;
    };
    const { AdvanceRate, Haircut } = figures['24'].Confidence['0.9'];
    expect(AdvanceRate).toMatchObject({ method: 'cosine-t' });
    expect(Haircut.low).toBeCloseTo(1 - AdvanceRate.high, 12);
    const { low, high } = figures['24'].AdvanceRate['0.95'].PrLoss;
    expect(low).toBeLessThan(at.AdvanceRate['0.95'].PrLoss);
    expect(high).toBeGreaterThan(at.AdvanceRate['0.95'].PrLoss);
    expect(warnings?.map(({ code }) => code)).toContain('few-episodes');
  });

  it('under normal returns warns of levels beyond 99 %', async () => {
    const { warnings } = await answered({ confidence: [0.991], mc_iter: 2000 });
    expect(warnings?.map(({ code }) => code)).toEqual(['normal-tail']);
  });
});

describe('A request', () => {
  const faultsOf = (member: string, value: unknown) => {
    const checked = readRequest(ADVANCE_RATE_QUESTION, TODAY, withMember(ADVANCE_RATE, member, value));
    return checked.ok ? [] : checked.faults.map(({ path }) => path);
  };

  it.each([
    ['exposure_hours', [0.5], 'params.exposure_hours.0'],
    ['exposure_hours', [24, 24], 'params.exposure_hours.1'],
    ['exposure_hours', [8761], 'params.exposure_hours.0'],
    ['measure', 'worst', 'params.measure'],
    ['sale_cost', 0.51, 'params.sale_cost'],
    ['after_fall', { fall: 0.96, within_hours: 24 }, 'params.after_fall.fall'],
    ['after_fall', { fall: 0.1 }, 'params.after_fall.within_hours'],
    ['confidence', [0.5], 'params.confidence.0'],
    ['confidence', [1], 'params.confidence.0'],
    ['expected_loss', [1], 'params.expected_loss.0'],
    ['advance_rate', [2.01], 'params.advance_rate.0'],
    ['confidence', Array.from({ length: 65 }, (_, i) => 0.6 + i / 1000), 'params.confidence'],
  ])('is refused with %s %j', (member, value, path) => {
    expect(faultsOf(`params.${member}`, value)).toEqual([path]);
  });

  it('is refused without a level', () => {
    const { confidence: _, expected_loss: __, advance_rate: ___, ...params } = ADVANCE_RATE.params;
    const checked = readRequest(ADVANCE_RATE_QUESTION, TODAY, { type: 'GBM', params });
    expect(checked).toMatchObject({
      ok: false,
      faults: [
        {
          path: 'params',
          message:
            'params must be an object with confidence, expected_loss, advance_rate or more than one of them; got none',
        },
      ],
    });
  });

  it('of daily history is refused where its lengths do not differ by a day, in hours', () => {
    const horizons = [24, 30, 6].map((hours, i) => ({ path: `params.h.${i}`, days: hours / 24, hours }));
    expect(unresolvedHorizons(horizons, 24)).toMatchObject([
      { path: 'params.h.1', message: expect.stringContaining('got 30 and 24') },
      { path: 'params.h.2', message: expect.stringContaining('12 hours; got 6') },
    ]);
  });
});
