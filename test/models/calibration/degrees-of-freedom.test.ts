/** Degrees of freedom of Student's t against SciPy, and where the data decide nothing. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fitDegreesOfFreedom } from '#src/models/calibration/degrees-of-freedom.js';

interface Case {
  readonly drawn: number;
  readonly returns: readonly (readonly number[])[];
  readonly nu: number;
  readonly logLikelihood: number;
}
const { cases } = JSON.parse(
  readFileSync(new URL('../../fixtures/model/student-t.json', import.meta.url), 'utf8'),
) as {
  cases: readonly Case[];
};

const symbolsOf = (n: number) => Array.from({ length: n }, (_, i) => `A${i}`);
const series = (returns: readonly (readonly number[])[]) => returns.map(r => Float64Array.from(r));
const base = series(cases[1].returns);

describe('The degrees of freedom', () => {
  it.each(cases)('drawn with $drawn are those of SciPy: $nu', ({ returns, nu, logLikelihood }) => {
    const fit = fitDegreesOfFreedom(symbolsOf(returns.length), series(returns));
    // Both searches end at the rounding of the likelihood: about 1e-7 in nu.
    expect(Math.abs(fit.degreesOfFreedom - nu) / nu).toBeLessThan(1e-5);
    expect(Math.abs((fit.logLikelihood as number) - logLikelihood)).toBeLessThan(
      1e-7 * Math.abs(logLikelihood),
    );
    expect(fit.onBound).toBe(nu < 99.9 ? undefined : 'upper');
  });

  it('do not depend on the scale of an asset', () => {
    const scaled = [base[0].map(r => 100 * r), base[1]];
    const plain = fitDegreesOfFreedom(['A', 'B'], base).degreesOfFreedom;
    expect(fitDegreesOfFreedom(['A', 'B'], scaled).degreesOfFreedom).toBeCloseTo(plain, 5);
  });

  it('of two identical assets are those of one', () => {
    const one = fitDegreesOfFreedom(['A'], [base[0]]);
    const two = fitDegreesOfFreedom(['A', 'B'], [base[0], base[0].slice()]);
    expect(two.degreesOfFreedom).toBeCloseTo(one.degreesOfFreedom, 5);
    expect(two.symbols).toEqual(['A', 'B']);
  });

  it('are fitted without stablecoins and constants', () => {
    const noise = base[0].map((_, t) => 1e-4 * Math.sin(t * t));
    const constant = new Float64Array(base[0].length).fill(0.001);
    const fit = fitDegreesOfFreedom(['A', 'B', 'CONST', 'USDC'], [...base, constant, noise]);
    expect(fit).toEqual(fitDegreesOfFreedom(['A', 'B'], base));
    expect(fitDegreesOfFreedom(['CONST', 'USDC'], [constant, noise])).toEqual({
      degreesOfFreedom: 100,
      logLikelihood: undefined,
      onBound: undefined,
      symbols: [],
    });
  });

  it('are on the bounds for an outlier of 20 deviations and for returns without tails', () => {
    const outlier = Float64Array.from({ length: 60 }, (_, t) => (t === 30 ? 0.2 : 0.01 * Math.cos(3 * t)));
    expect(fitDegreesOfFreedom(['A'], [outlier])).toMatchObject({ degreesOfFreedom: 3, onBound: 'lower' });
    const coin = Float64Array.from({ length: 30 }, (_, t) => (t % 2 === 0 ? 0.01 : -0.01));
    expect(fitDegreesOfFreedom(['A'], [coin])).toMatchObject({ degreesOfFreedom: 100, onBound: 'upper' });
  });

  it('need 30 returns', () => {
    expect(() => fitDegreesOfFreedom(['A'], [base[0].slice(0, 29)])).toThrow(
      'STUDENT_T needs at least 30 daily returns; the window has 29.',
    );
  });
});
