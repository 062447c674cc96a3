/** The generalised Pareto distribution: fits and cell means against SciPy, simulated excesses and numerical integration. */
import { describe, expect, it } from 'vitest';
import {
  fitGeneralisedPareto,
  MAX_SHAPE,
  MIN_SHAPE,
  paretoCellMeans,
  paretoLogLikelihood,
} from '#src/models/calibration/generalised-pareto.js';
import scipy from '../../fixtures/model/pareto.json' with { type: 'json' };

/** Quantiles of so many equal cells at their middles: excesses of a known shape. */
const regular = (shape: number, scale: number, count: number) =>
  Float64Array.from({ length: count }, (_, i) => {
    const survival = 1 - (i + 0.5) / count;
    return shape === 0 ? -scale * Math.log(survival) : (scale * (survival ** -shape - 1)) / shape;
  });

const fitOf = (excesses: Float64Array) => {
  const fit = fitGeneralisedPareto(excesses);
  if (fit === undefined) throw new Error('no fit');
  return fit;
};

describe('A fit of the generalised Pareto distribution', () => {
  it.each(scipy.fits)('has the parameters and the likelihood of SciPy: shape $shape', sent => {
    const excesses = Float64Array.from(sent.excesses);
    const { shape, scale } = fitOf(excesses);
    // Nelder-Mead ends where the likelihood is flat to 1e-12: some 1e-7 from the optimum.
    expect(Math.abs(shape - sent.shape)).toBeLessThan(1e-6);
    expect(Math.abs(scale / sent.scale - 1)).toBeLessThan(1e-6);
    expect(paretoLogLikelihood(excesses, shape, scale)).toBeGreaterThan(sent.logLikelihood - 1e-10);
  });

  it.each(scipy.fits)('has a likelihood without a slope, except at a bound: shape $shape', sent => {
    const excesses = Float64Array.from(sent.excesses);
    const { shape, scale, onBound } = fitOf(excesses);
    const at = (dShape: number, dScale: number) =>
      paretoLogLikelihood(excesses, shape + dShape, scale * (1 + dScale));
    const h = 1e-5;
    const byScale = (at(0, h) - at(0, -h)) / (2 * h);
    const byShape = (at(h, 0) - at(-h, 0)) / (2 * h);
    const rounding = 1e-5 * excesses.length;
    expect(Math.abs(byScale)).toBeLessThan(rounding);
    if (onBound === undefined) expect(Math.abs(byShape)).toBeLessThan(rounding);
    else {
      expect(shape).toBe(onBound === 'lower' ? MIN_SHAPE : MAX_SHAPE);
      expect(onBound === 'lower' ? -byShape : byShape).toBeGreaterThan(0);
    }
  });

  it.each([-0.4, -0.2, 0, 0.1, 0.35])('finds the shape %d and the scale of a regular sample', shape => {
    const fit = fitOf(regular(shape, 1.7, 4000));
    expect(Math.abs(fit.shape - shape)).toBeLessThan(0.01);
    expect(Math.abs(fit.scale - 1.7)).toBeLessThan(0.02);
    expect(fit.onBound).toBeUndefined();
  });

  it.each([0.51, 0.53, 0.55, 0.6, 0.8])(
    'is on its bound for a regular sample of shape %d or its negative',
    shape => {
      expect(fitOf(regular(shape, 1.7, 4000))).toMatchObject({ shape: MAX_SHAPE, onBound: 'upper' });
      expect(fitOf(regular(-shape, 1.7, 4000))).toMatchObject({ shape: MIN_SHAPE, onBound: 'lower' });
    },
  );

  it.each(scipy.fits)('has the scale of the excesses and their shape: shape $shape', sent => {
    const excesses = Float64Array.from(sent.excesses);
    const [plain, scaled] = [fitOf(excesses), fitOf(excesses.map(y => 1e-4 * y))];
    expect(scaled.shape).toBeCloseTo(plain.shape, 9);
    expect(scaled.scale / plain.scale).toBeCloseTo(1e-4, 12);
  });

  it('has no likelihood where an excess is at the end of the distribution or beyond it', () => {
    const likelihoodOf = (y: number) => paretoLogLikelihood(Float64Array.of(y), -0.5, 1);
    // A density of 1 - y / 2 up to 2.
    expect(likelihoodOf(1)).toBeCloseTo(Math.log(0.5), 14);
    for (const y of [2, 3, 5]) expect(likelihoodOf(y)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('is undefined where half of the excesses are 0', () => {
    expect(fitGeneralisedPareto(new Float64Array(20))).toBeUndefined();
    const half = regular(0.1, 1, 20).map((y, i) => (i < 10 ? 0 : y));
    expect(fitGeneralisedPareto(half)).toBeUndefined();
    half[0] = 0.01;
    const { shape, scale } = fitOf(half);
    expect([shape, scale].every(Number.isFinite)).toBe(true);
    expect(scale).toBeGreaterThan(0);
  });
});

describe('The cell means of the generalised Pareto distribution', () => {
  it.each(scipy.cells)(
    'are the integrals of the quantile by SciPy: shape $shape',
    ({ shape, scale, means }) => {
      const got = paretoCellMeans({ shape, scale, onBound: undefined }, means.length);
      means.forEach((mean, i) => {
        expect(Math.abs(got[i] / mean - 1), `cell ${i}`).toBeLessThan(1e-8);
      });
    },
  );

  it('rise and have the mean of the distribution, scale / (1 - shape)', () => {
    for (const shape of [-0.5, -0.1, 0, 1e-12, 0.2, 0.5]) {
      const means = paretoCellMeans({ shape, scale: 2, onBound: undefined }, 36);
      expect(means.reduce((a, b) => a + b, 0) / 36).toBeCloseTo(2 / (1 - shape), 12);
      expect(means.every((mean, i) => i === 0 || mean > means[i - 1])).toBe(true);
    }
  });
});
