import { expect, it } from 'vitest';
import { rememberedFit } from '#src/models/calibration/garch.js';
import { fitGarch } from '#src/models/calibration/garch-fit.js';
import { simulateGarch } from '../../support/simulated-garch.ts';

const returns = (seed: number) => simulateGarch({ mu: 0, omega: 1e-5, alpha: 0.1, beta: 0.85 }, 60, seed);

it('A window has its stored fit, and each window another one', () => {
  const first = rememberedFit(returns(1), 'A');
  expect(rememberedFit(returns(1), 'A')).toBe(first);
  expect(first).toEqual(fitGarch(returns(1), 'A'));
  expect(rememberedFit(returns(2), 'A')).toEqual(fitGarch(returns(2), 'A'));
  // The name stands in messages and answers.
  expect(rememberedFit(returns(1), 'B').symbol).toBe('B');
  const nudged = returns(1);
  nudged[59] += 1e-12;
  expect(rememberedFit(nudged, 'A')).not.toBe(first);
});

it('A failure is not stored', () => {
  const short = new Float64Array(3);
  expect(() => rememberedFit(short, 'A')).toThrow(/at least 30 returns/);
  expect(() => rememberedFit(short, 'A')).toThrow(/at least 30 returns/);
});
