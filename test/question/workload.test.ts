/** Predicted work against figures computed by hand: weight x paths x steps x assets. */
import { expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { type PlanField, planFault } from '#src/core/plan/plan-fault.js';
import { BACKTEST_QUESTION } from '#src/question/backtest/back-test.js';
import { CAPPED_LOAN_QUESTION } from '#src/question/capped-loan/capped-loan.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import type { Question } from '#src/question/question.js';
import type { Resolved } from '#src/question/resolved.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { atMembers } from '#src/question/workload.js';
import {
  LOAN_ORIGINATION,
  LOAN_RISK,
  LOW_LIQUIDITY,
  PERPETUAL,
  parseRequest,
  VALUE_AT_RISK,
  withMember,
} from '../support/request-bodies.ts';

/** Long after the dates of the bodies. */
const TODAY = 25_000;
const historical = (body: object) => withMember(body, 'type', 'HISTORICAL');

/** The work of a body by the row of its operation. */
const workOf =
  <R>(row: Question<R>) =>
  (body: unknown) =>
    row.workload(parseRequest(row, TODAY, body)).work;
const loanRisk = workOf(LOAN_QUESTION);
const loanOrigination = workOf(ORIGINATION_QUESTION);
const lowLiquidity = workOf(CAPPED_LOAN_QUESTION);
const perpetual = workOf(PERPETUAL_QUESTION);
const valueAtRisk = workOf(VALUE_AT_RISK_QUESTION);

const CASES: readonly (readonly [string, () => number, number])[] = [
  ['a loan of 60 days, three assets in both maps', () => loanRisk(LOAN_RISK), 1000 * 1440 * 3],
  [
    'a loan on 24 windows for each of 30 days, whatever mc_iter says',
    () => loanRisk(historical(LOAN_RISK)),
    720 * 1440 * 3,
  ],
  [
    'a loan whose calls are answered, three times that of one without answers',
    () => loanRisk(withMember(LOAN_RISK, 'params.top_up', { share: 0.5, delay_hours: 12 })),
    3 * 1000 * 1440 * 3,
  ],
  ['an origination in four passes', () => loanOrigination(LOAN_ORIGINATION), 4 * 1000 * 1440 * 3],
  ['an origination on history', () => loanOrigination(historical(LOAN_ORIGINATION)), 4 * 720 * 1440 * 3],
  [
    'a value at risk of two horizons and assets, and of two quantiles of three distributions',
    () => valueAtRisk(VALUE_AT_RISK),
    1000 * 2 * (2 + 3 * 1.125),
  ],
  [
    'a value at risk at Sobol points, of 16 times a power of two paths',
    () =>
      VALUE_AT_RISK_QUESTION.workload(parseRequest(VALUE_AT_RISK_QUESTION, TODAY, VALUE_AT_RISK), 'sobol')
        .work,
    1024 * 2 * (2 + 3 * 1.125),
  ],
  ['a value at risk on history', () => valueAtRisk(historical(VALUE_AT_RISK)), 720 * 2 * (2 + 3 * 1.125)],
  ['a capped loan, one and a half times a loan', () => lowLiquidity(LOW_LIQUIDITY), 1.5 * 1000 * 1440 * 3],
  ['a perpetual, twice a loan of one asset', () => perpetual(PERPETUAL), 2 * 500 * 72],
  ['a perpetual on history', () => perpetual(withMember(PERPETUAL, 'model', 'HISTORICAL')), 2 * 720 * 72],
];

it.each(CASES)('counts %s', (_, predicted, work) => {
  expect(predicted()).toBe(work);
});

it('counts one fit of the model for a loan, and one for every day of a back-test', () => {
  const calibrationOf = <R>(row: Question<R>, body: unknown) =>
    row.workload(parseRequest(row, TODAY, body)).calibration;
  const backtest = {
    type: 'STUDENT_T',
    params: {
      weights: { BTC: 0.5, ETH: 0.5 },
      model_lookback: 90,
      horizon: 1,
      quantile: [0.99],
      from: '01-01-2024',
      to: '02-29-2024',
      mc_iter: 1000,
    },
  };
  expect(calibrationOf(CAPPED_LOAN_QUESTION, withMember(LOW_LIQUIDITY, 'type', 'GARCH'))).toEqual({
    model: 'garch',
    fits: 1,
    assets: 3,
    lookbackDays: 30,
  });
  expect(calibrationOf(BACKTEST_QUESTION, backtest)).toEqual({
    model: 'student-t',
    fits: 60,
    assets: 2,
    lookbackDays: 90,
  });
});

it('names the member behind a fault of the plan, by methodology', () => {
  const refusal = (field: PlanField) =>
    new RiskError('work-limit-exceeded', 'Too much.', { faults: [planFault(field, 'are too many')] });
  const sent = (_: string, asset: string) => asset;
  const faultOf = <R extends Resolved<object>>(row: Question<R>, body: unknown, field: PlanField) =>
    (atMembers(parseRequest(row, TODAY, body), refusal(field), row, sent) as RiskError).faults;
  expect([
    faultOf(LOAN_QUESTION, LOAN_RISK, 'paths'),
    faultOf(LOAN_QUESTION, historical(LOAN_RISK), 'paths'),
    faultOf(LOAN_QUESTION, LOAN_RISK, 'steps'),
    faultOf(PERPETUAL_QUESTION, PERPETUAL, 'steps'),
  ]).toEqual([
    [{ code: 'out_of_range', path: 'params.mc_iter', message: 'mc_iter are too many' }],
    [{ code: 'out_of_range', path: 'params.model_lookback', message: 'model_lookback are too many' }],
    [{ code: 'out_of_range', path: 'params.loan_duration', message: 'loan_duration are too many' }],
    [{ code: 'out_of_range', path: 'trade_duration_hours', message: 'trade_duration_hours are too many' }],
  ]);
});
