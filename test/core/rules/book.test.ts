/** The loan of a book by the rules against the check figures of a NumPy simulation of a million paths, and its ledger. */

import { describe, expect, it } from 'vitest';
import { type BookLoanOnPath, type BookLoanTerms, bookLoanOnPath, usdOf } from '#src/core/rules/book.js';
import { sum } from '../../support/flags.ts';

const PATHS = 1500;
const PUBLISHED_PATHS = 1_000_000;
const STEPS = 720;
const DELAY = 24;
const PLAIN: BookLoanTerms = {
  N: 1.4,
  M: 1.3,
  L: 1.1,
  R: 1.35,
  topUpSteps: 24,
  steps: STEPS,
  growth: 1,
  saleDelay: DELAY,
  saleCost: 0.05,
};
const GROWTH = { growth: 1 + (0.12 * STEPS) / 8760 };
const ANSWERS = { answers: { share: 0.6, delay: 12, to: 1.4 } };
const PARTIAL = { partialSale: { to: 1.4, maxShare: 0.5 } };
const ALL: BookLoanTerms = { ...PLAIN, ...GROWTH, ...ANSWERS, ...PARTIAL };

/** Terms, and the factor of all prices at the start. */
const CASES: Readonly<Record<string, { readonly terms: BookLoanTerms; readonly shock?: number }>> = {
  A: { terms: PLAIN },
  B: { terms: { ...PLAIN, ...GROWTH } },
  C: { terms: { ...PLAIN, ...ANSWERS } },
  D: { terms: { ...PLAIN, ...PARTIAL } },
  E: { terms: ALL },
  F: { terms: { ...ALL, N: 1.2, start: { status: 'called', deadline: 18, answer: 6 } } },
  G: { terms: { ...ALL, start: { status: 'called', deadline: 24, answer: 12 } }, shock: 0.9 },
};

const FIGURES: Readonly<Record<string, (loan: BookLoanOnPath) => number>> = {
  PrMarginCall: loan => Number(loan.marginCall),
  PrLiquidation: loan => Number(loan.liquidation),
  PrCloseout: loan => Number(loan.closeout),
  AvgSurvivalRate: loan => loan.endStep / STEPS,
  AvgLossPct: loan => 100 * loan.unsold,
  PrUnderwater: loan => Number(loan.underwater),
  ExpectedLossPct: loan => 100 * loan.loss,
  PrTopUp: loan => Number(loan.topUps.length > 0),
  AvgTopUpPct: loan => 100 * usdOf(loan.topUps),
  AvgSales: loan => loan.sales.length,
  AvgSoldPct: loan => 100 * usdOf(loan.sales),
};

/** By case: the published figure and its standard error, alternately, in the order of FIGURES. */
const PUBLISHED: Readonly<Record<string, readonly number[]>> = {
  A: [
    0.799995, 4e-4, 0.001133, 3.4e-5, 0.736274, 4.41e-4, 0.463568, 4e-4, 1.68373, 6e-3, 0.247332, 4.31e-4,
    0.004233, 1e-4, 0, 0, 0, 0, 0.737407, 4.4e-4, 93.0393, 0.06,
  ],
  B: [
    0.807514, 3.95e-4, 0.001195, 3.5e-5, 0.745225, 4.36e-4, 0.456755, 4e-4, 1.82255, 6e-3, 0.257876, 4.37e-4,
    0.004453, 1e-4, 0, 0, 0, 0, 0.74642, 4.4e-4, 94.4152, 0.06,
  ],
  C: [
    0.799995, 4e-4, 0.000674, 2.6e-5, 0.461555, 4.99e-4, 0.704392, 4e-4, 1.68373, 6e-3, 0.247332, 4.31e-4,
    0.002582, 1e-4, 0.492459, 5e-4, 10.2779, 0.01, 0.462229, 4.99e-4, 58.3284, 0.06,
  ],
  D: [
    0.799995, 4e-4, 0.051252, 2.21e-4, 0.737017, 4.4e-4, 0.990081, 7e-5, 1.68373, 6e-3, 0.247332, 4.31e-4,
    0.028914, 3e-4, 0, 0, 0, 0, 1.96139, 2e-3, 49.7432, 0.04,
  ],
  E: [
    0.807514, 3.95e-4, 0.015209, 1.22e-4, 0.470958, 4.99e-4, 0.997609, 4e-5, 1.82255, 6e-3, 0.257876, 4.37e-4,
    0.01176, 2e-4, 0.656249, 4.75e-4, 13.602, 0.01, 0.756424, 1e-3, 24.7038, 0.03,
  ],
  F: [
    1, 0, 0.061673, 2.41e-4, 0.673556, 4.69e-4, 0.982992, 1e-4, 4.78902, 9e-3, 0.549791, 4.98e-4, 0.058287,
    5e-4, 0.871247, 3.35e-4, 23.2521, 0.02, 1.29825, 1e-3, 41.7404, 0.04,
  ],
  G: [
    1, 0, 0.029225, 1.68e-4, 0.656138, 4.75e-4, 0.993284, 7e-5, 3.61468, 8e-3, 0.445261, 4.97e-4, 0.023507,
    3e-4, 0.860526, 3.46e-4, 20.1324, 0.02, 1.14883, 1e-3, 36.8488, 0.03,
  ],
};

/** A small generator of uniforms (sfc32) of the test's own. */
function uniforms(seed: number): () => number {
  let [a, b, c, d] = [seed, 0x9e3779b9, 0x243f6a88, 1];
  return () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
}

/** The basket of two assets of annual volatilities 0.9 and 1.2 and correlation 0.75, hour by hour. */
function basketPath(uniform: () => number): number[] {
  const hour = 1 / 8760;
  let [x, y] = [0, 0];
  const path = [1];
  for (let t = 1; t <= STEPS + DELAY; t++) {
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    const angle = 2 * Math.PI * uniform();
    const [g, h] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    x += 0.9 * Math.sqrt(hour) * g - (0.9 ** 2 / 2) * hour;
    y += 1.2 * Math.sqrt(hour) * (0.75 * g + Math.sqrt(1 - 0.75 ** 2) * h) - (1.2 ** 2 / 2) * hour;
    path.push(0.6 * Math.exp(x) + 0.4 * Math.exp(y));
  }
  return path;
}

const debt = new Array<number>(STEPS + DELAY + 1).fill(1);

describe('The loan of a book by the rules', () => {
  const uniform = uniforms(20_261_123);
  const outcomes = Object.fromEntries(Object.keys(CASES).map(name => [name, [] as BookLoanOnPath[]]));
  for (let p = 0; p < PATHS; p++) {
    const path = basketPath(uniform);
    const draws = Array.from({ length: 100 }, uniform);
    for (const [name, { terms, shock = 1 }] of Object.entries(CASES))
      outcomes[name].push(
        bookLoanOnPath(
          terms,
          shock === 1 ? path : path.map(price => price * shock),
          debt,
          call => draws[call],
        ),
      );
  }

  it.each(Object.keys(CASES))('has the check figures of case %s', name => {
    Object.entries(FIGURES).forEach(([figure, of], i) => {
      const values = outcomes[name].map(of);
      const mean = values.reduce((sum, value) => sum + value, 0) / PATHS;
      const [published, error] = PUBLISHED[name].slice(2 * i);
      const spread = error * Math.sqrt(1 + PUBLISHED_PATHS / PATHS);
      expect(Math.abs(mean - published), `${figure} ${mean}`).toBeLessThanOrEqual(4 * spread);
    });
  });

  it('neither creates nor loses value on any path', () => {
    for (const [name, { terms }] of Object.entries(CASES))
      for (const loan of outcomes[name]) {
        const added = sum(loan.topUps.map(({ units }) => units));
        const sold = sum(loan.sales.map(({ units }) => units));
        const proceeds = (1 - terms.saleCost) * usdOf(loan.sales);
        const paid = sum(loan.sales.map(sale => sale.paid));
        const repaid = sum(loan.sales.map(sale => sale.repaid));
        const givenBack = sum(loan.sales.map(sale => sale.givenBack));
        const isBalanced =
          Math.abs(loan.unitsLeft + sold - terms.N - added) < 1e-10 &&
          Math.abs(loan.debtLeft + repaid - 1) < 1e-10 &&
          Math.abs(paid + givenBack - proceeds) < 1e-10 &&
          // Without collateral the rest of the debt is the loss.
          (loan.unitsLeft >= 1e-12 || loan.debtLeft === 0 || loan.loss > 0);
        if (!isBalanced) expect(loan, name).toBe('balanced');
      }
  });
});
