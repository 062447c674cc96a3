/** Economic capital of a book, and the parts of its loans, by their names in the interface (docs/tranches.md). */
import type { BookProduct, ColumnSummary } from '../plan/product/book.ts';
import { errorOfWidth } from '../stats/intervals.ts';
import { twoSidedNormal } from '../stats/special-functions.ts';
import { type FigureAccuracy, figureOf, without } from './accuracy.ts';
import { expectedLoss, type LoanOutcomes, underWeights } from './book-loan.ts';
import { ANY_NUMBER, byQuantile, type DescribedFigures, NOT_NEGATIVE } from './figure.ts';

/** Of the book, with economic_capital. */
export const CAPITAL_FIGURES = {
  EconomicCapital: {
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'LossVar less ExpectedLoss, 0 where that is below 0.',
    label: 'Economic capital',
    note: 'unexpected loss',
  },
} as const satisfies DescribedFigures;

export const CAPITAL_HORIZON = {
  CapitalHorizonDays: {
    unit: 'days',
    range: NOT_NEGATIVE,
    words: 'Longest term of the loans: capital for 30 days is not that of a year.',
    label: 'Horizon of the capital',
    optional: true,
  },
} as const satisfies DescribedFigures;

/** Of a loan or a borrower, with economic_capital. */
export const CAPITAL_PARTS = {
  CapitalContribution: {
    unit: 'USD',
    range: ANY_NUMBER,
    words: 'Part in EconomicCapital, in proportion to CVarContribution less ExpectedLoss.',
    label: 'Part in economic capital',
    optional: true,
  },
} as const satisfies DescribedFigures;

/** Capital at quantile i. */
const capitalAt = ({ mean, quantiles }: ColumnSummary, i: number): number => Math.max(0, quantiles[i] - mean);

export const capitalFigures = (
  { quantiles, termSteps, daySteps }: BookProduct,
  { summaries: { loss } }: LoanOutcomes,
) => ({
  EconomicCapital: byQuantile(quantiles, i => capitalAt(loss, i)),
  CapitalHorizonDays: termSteps.reduce((most, steps) => Math.max(most, steps), 0) / daySteps,
});

/** Quantiles at which the mean loss is above the loss at the level. */
export const quantilesWithoutCapital = (
  { quantiles }: BookProduct,
  { mean, ...loss }: ColumnSummary,
): number[] => [...quantiles].filter((_, i) => mean > 0 && loss.quantiles[i] <= mean);

/** The parts of some loans in the capital, which add up to it over all loans. @param loans numbers of loans of the product */
export function capitalParts(product: BookProduct, outcome: LoanOutcomes, loans: Iterable<number>) {
  const { loss } = outcome.summaries;
  const sums = underWeights(outcome);
  const own = [...loans];
  const expected = own.reduce((sum, k) => sum + expectedLoss(product, sums, k), 0);
  return {
    CapitalContribution: byQuantile(product.quantiles, i => {
      const shortfall = loss.tailMeans[i] - loss.mean;
      const part = own.reduce((sum, k) => sum + outcome.tails[i].contributions[k], 0) - expected;
      return shortfall > 0 ? (part * capitalAt(loss, i)) / shortfall : 0;
    }),
  };
}

/**
 * The interval of d = LossVar - ExpectedLoss from those of its terms:
 * [d - sqrt((V - Vlow)^2 + (z se)^2), d + sqrt((Vhigh - V)^2 + (z se)^2)]. The two rise together, so it covers more than its level.
 *
 * R. G. Newcombe's square-and-add; G. Y. Zou, A. Donner, "Construction of confidence limits about effect measures", Statistics in
 * Medicine 27 (2008), 1693-1702.
 *
 * @param of the loss at a level, and @param expected accuracy of the mean loss
 */
export function capitalAccuracy(
  { mean, quantiles }: ColumnSummary,
  i: number,
  of: FigureAccuracy,
  expected: FigureAccuracy,
  level: number,
): FigureAccuracy {
  const z = twoSidedNormal(level);
  const { standard_error: error } = expected;
  if (error === null) return without(expected.method);
  if (of.low === null && of.high === null) return without(of.method);
  const difference = quantiles[i] - mean;
  const reach = (bound: number | null) =>
    bound === null ? undefined : Math.hypot(bound - quantiles[i], z * error);
  const [below, above] = [reach(of.low), reach(of.high)];
  return figureOf(
    {
      standardError:
        below === undefined || above === undefined ? undefined : errorOfWidth(-below, above, level),
      low: below === undefined ? undefined : Math.max(0, difference - below),
      high: above === undefined ? undefined : Math.max(0, difference + above),
    },
    'mover',
  );
}
