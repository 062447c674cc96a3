/**
 * The member `Distribution` of every operation under every methodology: as openapi.json describes it, and consistent with the figures of
 * the result.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { DISTRIBUTION_LEVELS, FAN_LEVELS } from '#src/core/distribution/levels.js';
import { CAPPED_LOAN_QUESTION } from '#src/question/capped-loan/capped-loan.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import type { OperationAnswer } from '#src/question/question.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { csvText } from '#src/server/answers/csv.js';
import { everyNth } from '../support/engines.ts';
import { type Asked, type Operations, openOperations } from '../support/operations.ts';

let operations: Operations;
beforeAll(async () => {
  operations = await openOperations('sample');
});

const query = { ...DEFAULT_QUERY, include: new Set(['distribution' as const]) };
const HEAVY = ['STUDENT_T', 'FHS', 'FHS_EVT', 'BOOTSTRAP'];
const basket = {
  collateral_weights: { BTC: 0.7, ETH: 0.3 },
  loan_weights: { USDC: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 200,
};
const loan = { ...basket, loan_duration: 3.5, mc_top_up: 12, loan_value: 1000, L: 1.1 };
const ratios = { N: 1.2, M: 1.18, R: 1.19 };
const paths = (type: string) => (type === 'HISTORICAL' ? {} : { mc_iter: 1000 });

interface Ratios {
  readonly resolution: number;
  readonly quantiles: Readonly<Record<string, number | null>>;
  readonly histogram: {
    readonly below: number;
    readonly zero: number;
    readonly above: number;
    readonly edges: readonly number[];
    readonly counts: readonly number[];
  };
}
interface LoanMember {
  readonly scenarios: number;
  readonly LowestCCR: Ratios;
  readonly FinalCCR: Ratios;
  readonly EventsByDay: Readonly<Record<'MarginCall' | 'Liquidation' | 'Closeout', readonly number[]>>;
  readonly Fan: Readonly<Record<string, readonly number[]>>;
}

/** The answer, validated by openapi.json, and its member. */
async function distributionOf<M>(question: Asked, body: unknown) {
  const answer = await operations.answer(question, body, { query });
  const member = answer.included?.Distribution;
  if (member === undefined) throw new Error(`no Distribution: ${JSON.stringify(body)}`);
  expect(member.scenarios).toBe(answer.basis.paths);
  expectNumbers(member);
  return { answer, member: member as unknown as M };
}

/** Every leaf is a finite number or null, as JSON and CSV require. */
function expectNumbers(value: unknown, path = ''): void {
  if (value === null) return;
  if (typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) expectNumbers(member, `${path}.${name}`);
    return;
  }
  expect(Number.isFinite(value), `${path}: ${value}`).toBe(true);
}

const rises = (values: readonly (number | null)[]) =>
  values.every((value, i) => i === 0 || (value ?? Number.POSITIVE_INFINITY) >= (values[i - 1] ?? 0));

/** Levels, edges and counts of one list of values. */
function expectOrdered({ quantiles, histogram }: Ratios, scenarios: number, context: string): void {
  expect(Object.keys(quantiles), context).toEqual(Object.keys(DISTRIBUTION_LEVELS));
  expect(rises(Object.values(quantiles)), context).toBe(true);
  expect(rises(histogram.edges), context).toBe(true);
  expect(histogram.edges.length, context).toBe(histogram.counts.length + 1);
  const inBins = histogram.counts.reduce((a, b) => a + b, 0);
  expect(inBins + histogram.below + histogram.zero + histogram.above, context).toBe(scenarios);
}

function expectLoan({ answer, member }: { answer: OperationAnswer; member: LoanMember }, days: number): void {
  const { result, basis } = answer;
  const context = JSON.stringify(answer.arguments);
  const { LowestCCR, FinalCCR, EventsByDay, Fan } = member;
  for (const each of [LowestCCR, FinalCCR]) {
    expectOrdered(each, basis.paths, context);
    expect(each.resolution).toBeCloseTo(0.01005, 5);
  }
  const worst = result.WorstCaseCCR as number;
  expect(LowestCCR.histogram.edges[0], context).toBeLessThanOrEqual(worst);
  expect(LowestCCR.histogram.edges[1], context).toBeGreaterThan(worst);
  for (const [name, shares] of Object.entries(EventsByDay)) {
    expect(shares.length, `${name}; ${context}`).toBe(days);
    expect(rises(shares), `${name}; ${context}`).toBe(true);
    expect(shares.at(-1), `${name}; ${context}`).toBe(result[`Pr${name}`]);
  }
  expect(Object.keys(Fan)).toEqual(['resolution', 'days', ...Object.keys(FAN_LEVELS)]);
  expect(Fan.days.length, context).toBeLessThanOrEqual(64);
  expect(rises(Fan.days), context).toBe(true);
  expect(Fan.q50.length).toBe(Fan.days.length);
  Fan.days.forEach((_, i) => {
    expect(rises(Object.keys(FAN_LEVELS).map(name => Fan[name][i])), `time ${i}; ${context}`).toBe(true);
  });
  // The last of its times is the end of the term, and both count the same.
  expect(Fan.q95.at(-1), context).toBe(FinalCCR.quantiles.q95);
}

describe('Distribution', () => {
  for (const { tags, some } of everyNth(3, ['GBM', 'GBM_VIX', 'HISTORICAL', ...HEAVY]))
    it.each(some)('of a loan under %s', { tags }, async type => {
      const body = { type, params: { ...loan, ...ratios, ...paths(type) } };
      const got = await distributionOf<LoanMember>(LOAN_QUESTION, body);
      expectLoan(got, 4);
      expect(got.answer.result.PrMarginCall).toBeGreaterThan(0);
      const daily = type === 'HISTORICAL' && got.answer.basis.gridHours === 24;
      expect(got.member.Fan.days.at(-1)).toBe(daily ? 4 : 3.5);
      const { included: _, ...plain } = await operations.answer(LOAN_QUESTION, body);
      expect(got.answer.result).toEqual(plain.result);
    });

  it('of windows of daily closes has days for steps', async () => {
    // Before the first hour of the sample market.
    const body = {
      type: 'HISTORICAL',
      params: { ...loan, ...ratios, collateral_weights: { SOL: 1 }, loan_duration: 5 },
    };
    const got = await distributionOf<LoanMember>(LOAN_QUESTION, body);
    expectLoan(got, 5);
    if (got.answer.basis.gridHours === 24) expect(got.member.Fan.days).toEqual([1, 2, 3, 4, 5]);
  });

  for (const { tags, some } of everyNth(3, ['GBM', 'GBM_VIX', 'HISTORICAL', ...HEAVY]))
    it.each(some)('of an originated loan under %s', { tags }, async type => {
      const opt_param = {
        score_variable: 'PrMarginCall',
        score_target: 0.3,
        variable_min: 1.12,
        variable_max: 3,
        error_tolerance: 0.05,
      };
      const body = { type, params: { ...loan, ...paths(type), opt_param } };
      expectLoan(await distributionOf<LoanMember>(ORIGINATION_QUESTION, body), 4);
    });

  for (const { tags, some } of everyNth(3, ['GBM', 'GARCH', ...HEAVY]))
    it.each(some)('of a loan with capped sales under %s', { tags }, async type => {
      const params = {
        ...loan,
        ...ratios,
        loan_value: 1e9,
        volume_lookback: 30,
        markets: [['BTC', 'USDT', 'binance']],
        participation_ratio: 0.1,
        mc_iter: 1000,
      };
      const body = { type, params };
      expectLoan(await distributionOf<LoanMember>(CAPPED_LOAN_QUESTION, body), 4);
    });

  for (const { tags, some } of everyNth(3, ['GBM', 'GBM_VIX', 'HISTORICAL', ...HEAVY]))
    it.each(some)('of value at risk under %s', { tags }, async type => {
      const params = {
        ...basket,
        var_duration: [10, 1],
        quantile: [0.95, 0.99],
        loan_value: 900,
        collateral_value: 1200,
        ...paths(type),
      };
      const { answer, member } = await distributionOf<Record<string, Record<string, Ratios>>>(
        VALUE_AT_RISK_QUESTION,
        { type, params },
      );
      for (const days of ['1', '10']) {
        const figures = answer.result[days] as Record<string, Record<string, number>>;
        expect(Object.keys(member[days])).toEqual(['Collateral', 'Loan', 'NetExposure']);
        for (const [name, values] of Object.entries(member[days])) {
          const context = `${name} at ${days} days under ${type}`;
          expectOrdered(values, answer.basis.paths, context);
          expect(values.resolution).toBe(0);
          expect(values.quantiles.q05, context).toBeCloseTo(figures['0.95'][`${name}Var`], 9);
          expect(values.quantiles.q01, context).toBeCloseTo(figures['0.99'][`${name}Var`], 9);
        }
      }
    });

  for (const { tags, some } of everyNth(3, ['GBM', 'HISTORICAL', ...HEAVY]))
    it.each(some)('of a perpetual under %s', { tags }, async model => {
      const body = {
        model,
        market: 'BTC',
        analysis_date: '06-30-2024',
        model_lookback: 200,
        trade_duration_hours: 100,
        contract_type: 'linear',
        funding_method: 'flat',
        entry_price: 30_000,
        initial_margin: 1500,
        position_size: 1,
        contract_size: 1,
        funding_rate: 0.0001,
        funding_interval_hour: 8,
        ...paths(model),
      };
      const { answer, member } = await distributionOf<Record<string, Ratios & Record<string, number[]>>>(
        PERPETUAL_QUESTION,
        body,
      );
      for (const name of ['FinalEquity', 'MaxEquityDrawDown']) {
        expectOrdered(member[name], answer.basis.paths, `${name} under ${model}`);
        const figures = answer.result[name] as Record<string, number>;
        for (const level of ['q01', 'q50', 'q99'])
          expect(member[name].quantiles[level], `${name} ${level}`).toBe(figures[level]);
      }
      expect(member.FinalEquity.histogram.zero).toBeGreaterThan(0);
      expect(member.Fan.days.length).toBe(64);
      expect(member.Fan.days.at(-1)).toBeCloseTo(100 / 24, 12);
      expect(member.Fan.q01.at(-1)).toBeLessThan(member.Fan.q99.at(-1) ?? 0);
    });

  it('has one row for each value in CSV', async () => {
    const body = { type: 'GBM', params: { ...loan, ...ratios, mc_iter: 500 } };
    const { member } = await distributionOf<LoanMember>(LOAN_QUESTION, body);
    const rows = csvText({ Distribution: member }).split('\r\n');
    for (const start of [
      'Distribution,scenarios,,,500',
      'Distribution,LowestCCR,quantiles,q00.1,',
      'Distribution,LowestCCR,histogram,counts.0,',
      'Distribution,EventsByDay,MarginCall,3,',
      'Distribution,Fan,days,0,',
      'Distribution,Fan,q99,63,',
    ])
      expect(
        rows.filter(row => row.startsWith(start)),
        start,
      ).toHaveLength(1);
    expect(new Set(rows.map(row => row.slice(0, row.lastIndexOf(',')))).size).toBe(rows.length);
  });
});
