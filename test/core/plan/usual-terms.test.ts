/** The usual scenarios and terms, with which engines warm up: a market and requests that are ordinary. */
import { describe, expect, it } from 'vitest';
import { drawnPrices, MODELS } from '#src/core/plan/models.js';
import { BOOK } from '#src/core/plan/product/book.js';
import { againstLast, USUAL_BASKETS, USUAL_STEPS } from '#src/core/plan/product/contract.js';
import { LOAN } from '#src/core/plan/product/loan.js';
import { ORIGINATION } from '#src/core/plan/product/origination.js';
import { PERPETUAL } from '#src/core/plan/product/perpetual.js';
import { VALUE_AT_RISK } from '#src/core/plan/product/value-at-risk.js';
import { logMeanExponential } from '#src/core/random/cumulant-table.js';
import { multiplierOfWord } from '#src/core/random/multiplier-table.js';

const ASSETS = 3;

describe('A usual market', () => {
  it.each(['gbm', 'gbm-sobol', 'gbm-shifted', 'student-t'] as const)(
    'has independent assets of a volatility of 50 % under %s',
    kind => {
      const scenarios = MODELS[kind].usual(ASSETS);
      const variances = drawnPrices(scenarios)?.varianceOfTerm(scenarios, 1) ?? [];
      expect([...variances]).toEqual([0.25, 0.25, 0.25]);
      const spread = drawnPrices(scenarios)?.spreadOfTerm(scenarios, Float64Array.of(1, -1, 1), 1);
      expect(spread).toBeCloseTo(Math.sqrt(3 * 0.25), 12);
    },
  );

  it.each(['garch', 'filtered-historical'] as const)(
    'has the variance of its long run from the first day under %s',
    kind => {
      const { omega, alpha, beta, firstVariance, factor, volatilityScale } = MODELS[kind].usual(ASSETS);
      for (let i = 0; i < ASSETS; i++) {
        expect(omega[i] / (1 - alpha[i] - beta[i])).toBeCloseTo(firstVariance[i], 12);
        expect(firstVariance[i]).toBeLessThan(0.01);
      }
      expect([...factor]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
      expect(volatilityScale).toBe(1);
    },
  );

  it('has no shift, and multipliers of 1', () => {
    expect(MODELS['gbm-shifted'].usual(ASSETS).distance).toBe(0);
    const { multiplier } = MODELS['student-t'].usual(ASSETS);
    for (const word of [0, 1, 2 ** 31, 3e9, 2 ** 32 - 1]) expect(multiplierOfWord(multiplier, word)).toBe(1);
  });

  it('has residuals of mean 0 and mean square 1 under filtered-historical, and the cumulants of a normal law', () => {
    const { rows, cumulants } = MODELS['filtered-historical'].usual(ASSETS);
    for (let i = 0; i < ASSETS; i++) {
      const own = [...rows].filter((_, k) => k % ASSETS === i);
      expect(own.reduce((sum, z) => sum + z, 0) / own.length).toBe(0);
      expect(own.reduce((sum, z) => sum + z * z, 0) / own.length).toBe(1);
      for (const a of [0.001, 0.037, 1.01, 15])
        expect(logMeanExponential(cumulants, i, a)).toBeCloseTo((a * a) / 2, 12);
    }
  });

  it('has the deviation of its rows and the drift of a martingale under bootstrap, by the day', () => {
    const { rows, deviation, drift, factor, stepsPerRow } = MODELS.bootstrap.usual(ASSETS);
    for (let i = 0; i < ASSETS; i++) {
      const own = [...rows].filter((_, k) => k % ASSETS === i);
      expect(own.length).toBe(2);
      expect(Math.sqrt(own.reduce((sum, r) => sum + r * r, 0) / own.length)).toBeCloseTo(deviation[i], 12);
      expect(Math.log(own.reduce((sum, r) => sum + Math.exp(r), 0) / own.length)).toBeCloseTo(-drift[i], 8);
      expect(deviation[i]).toBeLessThan(0.1);
    }
    expect([...factor]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect(stepsPerRow).toBe(USUAL_STEPS);
  });
});

describe('Usual terms', () => {
  it('have all assets but the last in equal parts against the last', () => {
    const { least, most } = USUAL_BASKETS;
    for (let assets = least; assets <= most; assets++) {
      const { collateralWeights, loanWeights } = againstLast(assets);
      const others = new Array(assets - 1);
      expect([...collateralWeights]).toEqual([...others.fill(1 / (assets - 1)), 0]);
      expect([...loanWeights]).toEqual([...others.fill(0), 1]);
    }
    expect([least, most]).toEqual([2, 5]);
  });

  it('of a loan are those of one that is open at its start, with ratios in order', () => {
    for (const {
      nominalRatio,
      marginCallRatio,
      liquidationRatio,
      recoveryRatio,
      steps,
      topUpSteps,
    } of LOAN.usual.terms(2)) {
      expect(1).toBeLessThan(liquidationRatio);
      expect(liquidationRatio).toBeLessThan(marginCallRatio);
      expect(marginCallRatio).toBeLessThan(nominalRatio);
      expect(recoveryRatio).toBe(nominalRatio);
      expect(topUpSteps).toBe(steps / 4);
    }
  });

  it('of a book are two such loans on one basket, one without a grace period, whose sale ends after their term', () => {
    for (const book of BOOK.usual.terms(2)) {
      for (const k of [0, 1]) {
        expect(1).toBeLessThan(book.liquidationRatio[k]);
        expect(book.liquidationRatio[k]).toBeLessThan(book.marginCallRatio[k]);
        expect(book.marginCallRatio[k]).toBeLessThan(book.recoveryRatio[k]);
        expect(book.recoveryRatio[k]).toBeLessThan(book.nominalRatio[k]);
        expect(book.nominalRatio[k]).toBeLessThan(2);
        expect(book.termSteps[k] + book.saleDelaySteps).toBe(book.steps);
      }
      expect([...book.basket]).toEqual([0, 0]);
      expect([...book.topUpSteps]).toEqual([0, book.termSteps[1] / 2]);
      expect(book.saleCost).toBeLessThan(0.1);
    }
  });

  it('of a search have falling thresholds below the start, those of calls above those of liquidation', () => {
    for (const {
      score,
      liquidationThreshold,
      marginCallThreshold,
      steps,
      topUpSteps,
    } of ORIGINATION.usual.terms(2)) {
      expect(topUpSteps).toBe(steps / 4);
      expect([...liquidationThreshold].sort((a, b) => b - a)).toEqual([...liquidationThreshold]);
      expect(liquidationThreshold[0]).toBeLessThan(1);
      if (score === 'path-minimum') {
        expect(marginCallThreshold).toHaveLength(0);
        continue;
      }
      marginCallThreshold.forEach((call, k) => {
        expect(call).toBeGreaterThan(liquidationThreshold[k]);
        expect(call).toBeLessThan(1);
      });
    }
  });

  it('of a position are those of a leverage of 5 on either contract, with three settlements a day', () => {
    for (const position of PERPETUAL.usual.terms(1)) {
      const { contract, quantity, entryPrice, startPrice, initialMargin } = position;
      const notional = contract === 'linear' ? quantity * entryPrice : quantity / entryPrice;
      expect(notional / initialMargin).toBeCloseTo(5, 12);
      expect(startPrice).toBe(entryPrice);
      expect(position.unrealizedPnl).toBe(0);
      expect(position.takerFeeRate).toBe(0);
      expect(position.settlements.reduce((sum, due) => sum + due, 0)).toBe(3);
      expect(position.fundingRatePerInterval).toBeLessThan(0.01);
      expect(position.marginCallMultiple * position.maintenanceMarginRate).toBeLessThan(0.01);
      expect(position.marginCallMultiple).toBeGreaterThan(1);
    }
    expect(PERPETUAL.usual.assets).toEqual({ least: 1, most: 1 });
  });

  it('of value at risk are those of a day', () => {
    for (const {
      collateralValue,
      loanValue,
      horizonYears,
      horizonSteps,
      quantiles,
    } of VALUE_AT_RISK.usual.terms(2)) {
      expect(collateralValue).toBe(loanValue);
      expect(horizonYears[0] * 365).toBeCloseTo(1, 12);
      expect(horizonSteps).toHaveLength(0);
      expect(quantiles[0]).toBeLessThan(1);
    }
  });
});
