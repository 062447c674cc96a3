/** The reported volatilities and their correlation, where rounding would take them out of their ranges. */
import { expect, it } from 'vitest';
import { portfolioVolatility } from '#src/models/calibration/portfolio-volatility.js';

const of = (...values: number[]): Float64Array => Float64Array.of(...values);

it('The volatility of a portfolio is the textbook formula of two assets', () => {
  const figures = portfolioVolatility(of(1, 0), of(0.5, 0.5), of(0.04, 0.01, 0.01, 0.09));
  expect(figures.collateralVolatility).toBeCloseTo(0.2, 15);
  expect(figures.loanVolatility).toBeCloseTo(Math.sqrt(0.0375), 15);
  expect(figures.correlation).toBeCloseTo(0.025 / (0.2 * Math.sqrt(0.0375)), 14);
});

it('The correlation of two portfolios is at most 1', () => {
  // The square of the root of 3 is the double below 3.
  expect(3 / Math.sqrt(3) ** 2).toBeGreaterThan(1);
  expect(portfolioVolatility(of(1), of(1), of(3)).correlation).toBe(1);
  expect(portfolioVolatility(of(1, 0), of(0, 1), of(3, -3, -3, 3)).correlation).toBe(-1);
});

it('The correlation with a portfolio without volatility is 0', () => {
  expect(portfolioVolatility(of(1, 0), of(0, 1), of(0.25, 0, 0, 0)).correlation).toBe(0);
});

it('A portfolio of two assets that cancel has no volatility and no correlation', () => {
  const covariance = of(0.3 * 0.3, -0.3 * 0.7, -0.3 * 0.7, 0.7 * 0.7);
  const weights = of(0.7, 0.3);
  const row = (i: number) => covariance[2 * i] * weights[0] + covariance[2 * i + 1] * weights[1];
  expect(weights[0] * row(0) + weights[1] * row(1), 'the form is below zero by rounding').toBeLessThan(0);
  expect(portfolioVolatility(weights, of(1, 0), covariance)).toEqual({
    collateralVolatility: 0,
    loanVolatility: 0.3,
    correlation: 0,
  });
});
