/**
 * Three loans of two borrowers, their tranches and their capital, against the figures of another program on a million paths of its own
 * (docs/tranches.md).
 */
import { describe, expect, it } from 'vitest';
import { waterfall } from '#src/core/book/waterfall.js';
import { columnAccuracy } from '#src/core/figures/book-columns.js';
import { capitalFigures } from '#src/core/figures/capital.js';
import { trancheFigures } from '#src/core/figures/waterfall.js';
import { plainLending } from '#src/core/plan/book-lending.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { errorOfWidth } from '#src/core/stats/intervals.js';
import { CPU_ENGINES, engineForTests } from '../support/engines.ts';

const PATHS = 100_000;
/** Standard errors of both programs together that an estimate may be off. */
const ERRORS = 4;
const [FIRST, SECOND, CORRELATION] = [0.9, 1.2, 0.75];
const LOAN_VALUE = 3.5;
/** Simple interest a year. */
const INTEREST = 0.12;
const list = (...values: number[]) => Float64Array.from(values);
const whole = (...values: number[]) => Uint32Array.from(values);
/** Loans X, Y and Z in million USD. */
const product: BookProduct = {
  kind: 'book',
  steps: 744,
  saleDelaySteps: 24,
  saleCost: 0.12,
  daySteps: 24,
  quantiles: list(0.99, 0.999),
  collateralWeights: list(0.6, 0.4, 0, 1, 0, 0, 0, 1, 0),
  loanWeights: list(0, 0, 1, 0, 0, 1, 0, 0, 1),
  basket: whole(0, 1, 2),
  termSteps: whole(720, 480, 720),
  topUpSteps: whole(24, 12, 24),
  loanValue: list(1, 2, 0.5),
  nominalRatio: list(1.4, 1.6, 1.5),
  marginCallRatio: list(1.3, 1.35, 1.3),
  liquidationRatio: list(1.1, 1.15, 1.1),
  recoveryRatio: list(1.35, 1.45, 1.4),
  lending: {
    ...plainLending(3, 0.12),
    debtGrowth: list(720, 480, 720).map(hours => 1 + (INTEREST * hours) / 8760),
  },
};

/** Figure, standard error. */
const TRANCHES = [
  {
    terms: { name: 'equity', attach: 0, detach: 0.01 },
    figures: { ExpectedLossPct: [5.046, 0.019], PrFullLoss: [0.02419, 0.00015] },
  },
  {
    terms: { name: 'mezzanine', attach: 0.01, detach: 0.03 },
    figures: { ExpectedLossPct: [0.9294, 0.0078], PrFullLoss: [0.00264, 0.000051] },
  },
  { terms: { name: 'senior', attach: 0.03, detach: 1 }, figures: { ExpectedLossPct: [0.002489, 0.000068] } },
] as const;

describe.each(CPU_ENGINES)('the tranches of three loans on $name', { tags: ['slow'] }, engine => {
  const tested = engineForTests(engine);

  it('have the figures of another program within four standard errors of both', async () => {
    const plan: SimulationPlan<BookProduct> = {
      seed: 54,
      paths: PATHS,
      scenarios: {
        kind: 'gbm',
        assets: 3,
        annualVolatility: list(FIRST, SECOND, 0),
        factor: list(FIRST, 0, 0, SECOND * CORRELATION, SECOND * Math.sqrt(1 - CORRELATION ** 2), 0, 0, 0, 0),
      },
      product,
    };
    const outcome = await tested.run(plan);
    const near = (value: number, [wanted, error]: readonly [number, number], own: number) =>
      expect(Math.abs(value - wanted) / Math.hypot(error, own)).toBeLessThan(ERRORS);
    const terms = { reserve: 0, tranches: TRANCHES.map(each => each.terms) };
    const losses = { loss: outcome.columns.loss, weights: undefined, loanValue: LOAN_VALUE };
    const found = waterfall(losses, terms, product.quantiles);
    const figures = trancheFigures(terms, found.tranches, LOAN_VALUE, product.quantiles);
    // The errors of means and shares fall with the root of the paths, of which the other program had a million.
    const more = Math.sqrt(1_000_000 / PATHS);
    for (const {
      terms: { name },
      figures: wanted,
    } of TRANCHES)
      for (const [figure, [value, error]] of Object.entries(wanted))
        near(Number(figures[name][figure as keyof (typeof figures)[string]]), [value, error], more * error);
    const { EconomicCapital } = capitalFigures(product, outcome);
    const { loss } = outcome.summaries;
    const accuracy = columnAccuracy(product.quantiles, outcome.columns.loss, loss, 0.95);
    near(loss.quantiles[0], [0.06045, 0.00034], Number(accuracy.quantile(0, 0.99).standard_error));
    near(loss.tailMeans[0], [0.09352, 0.00046], Number(accuracy.tailMean(0, 0.99).standard_error));
    near(EconomicCapital['0.999'], [0.13413, 0.00088], Number(accuracy.quantile(1, 0.999).standard_error));
    // The attachment point with a chance of 1 % of a loss is a quantile of the loss, in shares.
    const rare = {
      reserve: 0,
      tranches: [{ name: 'rare', attach_for: { figure: 'PrLoss', value: 0.01 }, detach: 1 }],
    } as const;
    const [{ attach }] = waterfall(losses, rare, product.quantiles).tranches;
    const { low, high } = accuracy.quantile(0, 0.99);
    const own = errorOfWidth(Number(low), Number(high), 0.95) / LOAN_VALUE;
    near(Number(attach), [0.017273, 0.00034 / LOAN_VALUE], own);
    const byMean = {
      reserve: 0,
      tranches: [{ name: 'mean', attach_for: { figure: 'ExpectedLossPct', value: 0.001 }, detach: 1 }],
    } as const;
    near(
      Number(waterfall(losses, byMean, product.quantiles).tranches[0].attach),
      [0.03826, 0.00039],
      more * 0.00039,
    );
  });
});
