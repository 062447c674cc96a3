/** The reference formulas that engine tests lean on, each against figures computed outside the project. */
import { describe, expect, it } from 'vitest';
import reference from '../fixtures/closed-forms/closed-forms.json' with { type: 'json' };
import { expectedLoss } from './closed-forms/expected-loss.ts';
import {
  firstPassageContinuous,
  firstPassageExact,
  firstPassageShifted,
} from './closed-forms/first-passage.ts';
import {
  expectedSquaredVariance,
  expectedVariance,
  kurtosis,
  squaresAutocorrelation,
  unconditionalVariance,
} from './closed-forms/garch-moments.ts';
import { logRatio } from './closed-forms/log-ratio.ts';
import { lognormalTail } from './closed-forms/lognormal-tail.ts';
import { netExposureTail } from './closed-forms/net-exposure-tail.ts';
import { normalCdf, normalDensity, normalQuantile } from './closed-forms/normal.ts';
import { compositeRule, integrate, legendreRule } from './closed-forms/quadrature.ts';

/** Difference as a fraction of the expected value. */
const relative = (value: number, expected: number): number => Math.abs(value / expected - 1);

describe('Closed forms: normal distribution', () => {
  it('agrees with thirty-digit figures', () => {
    reference.normal.x.forEach((x, i) => {
      expect(relative(normalCdf(x), reference.normal.cdf[i]), `x ${x}`).toBeLessThan(1e-13);
    });
    reference.normal.p.forEach((p, i) => {
      const expected = reference.normal.quantile[i];
      // Near p = 1 the double p itself is only known to 1e-16 / (1 - p).
      expect(Math.abs(normalQuantile(p) - expected), `p ${p}`).toBeLessThan(1e-10);
      if (p < 0.5) expect(relative(normalQuantile(p), expected), `p ${p}`).toBeLessThan(1e-14);
    });
  });
});

describe('Closed forms: quadrature', () => {
  it('of n points is exact for polynomials up to degree 2n - 1', () => {
    for (const n of [2, 5, 8, 10]) {
      const rule = legendreRule(n);
      for (let degree = 0; degree < 2 * n; degree++) {
        const expected = degree % 2 === 0 ? 2 / (degree + 1) : 0;
        expect(
          integrate(rule, x => x ** degree),
          `${n} points, degree ${degree}`,
        ).toBeCloseTo(expected, 14);
      }
    }
    expect(integrate(compositeRule(-9, 3, 20, 8), normalDensity)).toBeCloseTo(normalCdf(3), 14);
  });
});

describe('Closed forms: first passage', () => {
  it.each(reference.passage)(
    'sigma $collateralVolatility / $loanVolatility, level $level',
    { tags: ['slow'] },
    c => {
      const ratio = logRatio(c.collateralVolatility, c.loanVolatility, c.correlation);
      const level = Math.log(c.level / c.nominalRatio);
      expect(relative(firstPassageContinuous(ratio, level, c.years), c.continuous)).toBeLessThan(1e-12);
      expect(relative(firstPassageExact(ratio, level, c.years, 2), c.twoSteps)).toBeLessThan(1e-9);
      expect(relative(firstPassageExact(ratio, level, c.years, 3), c.threeSteps)).toBeLessThan(1e-9);
      // The reference is a rectangle rule, good to about 1e-6 after its Richardson step.
      const exact = firstPassageExact(ratio, level, c.years, c.steps);
      expect(Math.abs(exact - c.hourly)).toBeLessThan(2e-6);
      // Hundreds of hourly steps: what the shift leaves is far below the 1e-3 of 100,000 paths.
      expect(Math.abs(firstPassageShifted(ratio, level, c.years, c.steps) - exact)).toBeLessThan(1e-4);
    },
  );

  it('watched once is the distribution function of the end', () => {
    const ratio = logRatio(0.9, 0.4, 0.6);
    const expected = normalCdf((-0.1 - ratio.drift * 0.5) / (ratio.volatility * Math.sqrt(0.5)));
    expect(firstPassageExact(ratio, -0.1, 0.5, 1)).toBeCloseTo(expected, 12);
  });
});

describe('Closed forms: expected loss', () => {
  it.each(reference.losses)('N $nominalRatio over $years years', c => {
    const ratio = logRatio(c.collateralVolatility, c.loanVolatility, c.correlation);
    expect(relative(expectedLoss(ratio, c.nominalRatio, c.years), c.loss)).toBeLessThan(1e-10);
  });

  it('of assets that move as one is certain', () => {
    const ratio = logRatio(0.5, 0.5, 1);
    expect(ratio).toEqual({ drift: 0, volatility: 0 });
    expect(expectedLoss(ratio, 1.2, 1)).toBe(0);
    expect(expectedLoss(ratio, 0.75, 1)).toBe(0.25);
  });
});

describe('Closed forms: value at risk', () => {
  it.each(reference.tails)('of one asset at $q', c => {
    const tail = lognormalTail(c.value, c.volatility, c.years, c.q);
    expect(relative(tail.quantile, c.quantile)).toBeLessThan(1e-13);
    expect(relative(tail.tailMean, c.tailMean)).toBeLessThan(1e-12);
  });

  it.each(reference.nets)('of net exposure at $q, correlation $correlation', c => {
    const tail = netExposureTail(c, c.q);
    const scale = Math.max(c.collateralValue, c.loanValue);
    expect(Math.abs(tail.quantile - c.quantile) / scale).toBeLessThan(1e-10);
    expect(Math.abs(tail.tailMean - c.tailMean) / scale).toBeLessThan(1e-10);
  });
});

describe('Closed forms: GARCH moments', () => {
  it.each(reference.garch)('omega $omega, alpha $alpha, beta $beta', c => {
    expect(relative(unconditionalVariance(c), c.variance)).toBeLessThan(1e-12);
    expect(relative(kurtosis(c), c.kurtosis)).toBeLessThan(1e-12);
    c.autocorrelation.forEach((expected, i) => {
      expect(relative(squaresAutocorrelation(c, i + 1), expected), `lag ${i + 1}`).toBeLessThan(1e-11);
    });
    c.expectedVariance.forEach((expected, i) => {
      expect(relative(expectedVariance(c, c.firstVariance, i + 1), expected), `day ${i + 1}`).toBeLessThan(
        1e-12,
      );
    });
  });

  it('of the squared variance begin with its square and end at the kurtosis', () => {
    const model = { omega: 2e-5, alpha: 0.12, beta: 0.75 };
    const variance = unconditionalVariance(model);
    expect(expectedSquaredVariance(model, 3e-4, 1)).toBe(3e-4 ** 2);
    // Day 2 by hand: h_2 = omega + (alpha z^2 + beta) h_1, with E[z^2] = 1 and E[z^4] = 3.
    const h = 3e-4;
    const byHand = (2e-5 + 0.75 * h) ** 2 + 2 * (2e-5 + 0.75 * h) * 0.12 * h + 3 * (0.12 * h) ** 2;
    expect(relative(expectedSquaredVariance(model, h, 2), byHand)).toBeLessThan(1e-14);
    const limit = (3 * expectedSquaredVariance(model, h, 400)) / (variance * variance);
    expect(relative(limit, kurtosis(model))).toBeLessThan(1e-12);
  });
});
