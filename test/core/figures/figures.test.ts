/** The figures of outcomes whose numbers are all different, so that none can stand for another. */
import { expect, it } from 'vitest';
import { cappedLoanFigures } from '#src/core/figures/capped-loan.js';
import { loanFigures } from '#src/core/figures/loan.js';
import { POSITION_DISTRIBUTIONS, positionFigures } from '#src/core/figures/perpetual.js';
import { keyedTails } from '#src/core/figures/value-at-risk.js';

const PATHS = 64;
/** Loans that ended in each way, of 64. */
const ENDS = { paths: PATHS, marginCalls: 32, liquidations: 16, closeouts: 8, underwater: 4, worstCcr: 0.75 };
const SHARES = {
  PrMarginCall: 0.5,
  PrLiquidation: 0.25,
  PrCloseout: 0.125,
  PrUnderwater: 0.0625,
  WorstCaseCCR: 0.75,
};

it('The figures of a loan are shares of paths, of paths and steps, and percent', () => {
  const outcome = {
    ...ENDS,
    kind: 'loan',
    openSteps: 160,
    loss: 2,
    closedStepSquares: 0,
    earlyEnds: 15,
    deadlineEnds: 0,
    losses: 3,
    lossSquares: 5,
  } as const;
  expect(loanFigures(outcome, { steps: 10 })).toEqual({
    ...SHARES,
    AvgSurvivalRate: 0.25,
    AvgLossPct: 3.125,
  });
});

it('The figures of a capped loan are averages over calls and over sellers, in USD', () => {
  const outcome = {
    ...ENDS,
    kind: 'capped-loan',
    calls: 40,
    callAmount: 10,
    sellers: 20,
    soldAmount: 15,
    callSquares: 1,
    callAmountSquares: 2,
    callProducts: 3,
    soldAmountSquares: 4,
    repaid: 5,
    recalled: 6,
    unfinished: 7,
  } as const;
  expect(cappedLoanFigures(outcome, 1000)).toEqual({ ...SHARES, AvgMarginCall: 250, AvgLiquidation: 750 });
  const none = { ...outcome, calls: 0, callAmount: 0, sellers: 0, soldAmount: 0 };
  expect(cappedLoanFigures(none, 1000)).toEqual({ ...SHARES, AvgMarginCall: 0, AvgLiquidation: 0 });
});

it('The figures of value at risk have the keys of their horizon and quantile', () => {
  const tail = (quantile: number, tailMean: number) => ({
    quantile,
    tailMean,
    level: quantile,
    shortfallSquares: 8,
  });
  const horizon = (first: number) => ({
    collateral: [tail(first, first + 1), tail(first + 2, first + 3)],
    loan: [tail(first + 4, first + 5), tail(first + 6, first + 7)],
    netExposure: [tail(first + 8, first + 9), tail(first + 10, first + 11)],
  });
  const outcome = { kind: 'value-at-risk', paths: PATHS, horizons: [horizon(100), horizon(200)] } as const;
  const expected = (first: number) => ({
    CollateralVar: first,
    CollateralCVar: first + 1,
    LoanVar: first + 4,
    LoanCVar: first + 5,
    NetExposureVar: first + 8,
    NetExposureCVar: first + 9,
  });
  expect(keyedTails(outcome, Float64Array.of(0.5, 10), Float64Array.of(0.95, 0.99))).toEqual({
    0.5: { 0.95: expected(100), 0.99: expected(102) },
    10: { 0.95: expected(200), 0.99: expected(202) },
  });
});

it('The figures of a position are shares of paths and quantiles of its columns', () => {
  const outcome = {
    kind: 'perpetual',
    paths: 4,
    marginCalls: 2,
    liquidations: 1,
    finalEquity: Float64Array.of(0, 10, 20, 30),
    accumulatedFunding: Float64Array.of(1, 1, 1, 1),
    maxEquityDrawdown: Float64Array.of(-8, -4, -4, -2),
    medianLeverage: Float64Array.of(2, 3, 4, 5),
  } as const;
  const terms = { initialMargin: 4, unrealizedPnl: 6 };
  expect([...POSITION_DISTRIBUTIONS.Roi.values(outcome, terms)]).toEqual([-2.5, 0, 2.5, 5]);
  const figures = positionFigures(outcome, terms);
  expect(figures).toMatchObject({ PrMarginCall: 0.5, PrLiquidation: 0.25, AccFunding: { q01: 1, q99: 1 } });
  expect(figures.Roi.q50).toBe(1.25);
  expect(figures.FinalEquity.q25).toBe(7.5);
  expect(figures.Leverage.q75).toBe(4.25);
  expect(figures.MaxEquityDrawDown.q50).toBe(-4);
});
