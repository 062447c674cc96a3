/** Predicted work against figures worked out by hand: weight x paths x steps x assets. */
import { expect, it } from 'vitest';
import { type AnyRequest, predictedWork } from '#src/operation/predicted-work.js';
import { loanOriginationRequest } from '#src/request/loan-origination-request.js';
import { loanRiskRequest } from '#src/request/loan-risk-request.js';
import { lowLiquidityRequest } from '#src/request/low-liquidity-request.js';
import { parseRequest } from '#src/request/parse.js';
import { perpetualRequest } from '#src/request/perpetual-request.js';
import { valueAtRiskRequest } from '#src/request/value-at-risk-request.js';
import {
  LOAN_ORIGINATION,
  LOAN_RISK,
  LOW_LIQUIDITY,
  PERPETUAL,
  VALUE_AT_RISK,
  withMember,
} from '../../../support/request-bodies.ts';

/** Long after the dates of the bodies. */
const TODAY = 25_000;
const historical = (body: object) => withMember(body, 'type', 'HISTORICAL');

const CASES: readonly (readonly [string, () => AnyRequest, number])[] = [
  [
    'a loan of 60 days, three assets in both maps',
    () => parseRequest(loanRiskRequest(TODAY), LOAN_RISK),
    1000 * 1440 * 3,
  ],
  [
    'a loan on 24 windows for each of 30 days, whatever mc_iter says',
    () => parseRequest(loanRiskRequest(TODAY), historical(LOAN_RISK)),
    720 * 1440 * 3,
  ],
  [
    'an origination in four passes',
    () => parseRequest(loanOriginationRequest(TODAY), LOAN_ORIGINATION),
    4 * 1000 * 1440 * 3,
  ],
  [
    'an origination on history',
    () => parseRequest(loanOriginationRequest(TODAY), historical(LOAN_ORIGINATION)),
    4 * 720 * 1440 * 3,
  ],
  [
    'a value at risk of two horizons and assets, and of two quantiles of three distributions',
    () => parseRequest(valueAtRiskRequest(TODAY), VALUE_AT_RISK),
    1000 * 2 * (2 + 3 * 1.125),
  ],
  [
    'a value at risk on history',
    () => parseRequest(valueAtRiskRequest(TODAY), historical(VALUE_AT_RISK)),
    720 * 2 * (2 + 3 * 1.125),
  ],
  [
    'a capped loan, one and a half times a loan',
    () => parseRequest(lowLiquidityRequest(TODAY), LOW_LIQUIDITY),
    1.5 * 1000 * 1440 * 3,
  ],
  [
    'a perpetual, twice a loan of one asset',
    () => parseRequest(perpetualRequest(TODAY), PERPETUAL),
    2 * 500 * 72,
  ],
  [
    'a perpetual on history',
    () => parseRequest(perpetualRequest(TODAY), withMember(PERPETUAL, 'model', 'HISTORICAL')),
    2 * 720 * 72,
  ],
];

it.each(CASES)('counts %s', (_, request, work) => {
  expect(predictedWork(request())).toBe(work);
});
