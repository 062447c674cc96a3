/**
 * The figures of a plan that was kept, without the request and the market that it came from: a plan has both (`?include=plan`).
 *
 * Figures of the window, such as `Collateral Volatility`, are no figures of a plan.
 */
import { accountFigures } from '../core/figures/account.ts';
import { advanceRateFigures } from '../core/figures/advance-rate.ts';
import { cappedLoanFigures } from '../core/figures/capped-loan.ts';
import { shownLoanFigures } from '../core/figures/loan.ts';
import { positionFigures } from '../core/figures/perpetual.ts';
import { keyedTails } from '../core/figures/value-at-risk.ts';
import { DAYS_PER_YEAR } from '../core/plan/grid.ts';
import type { ProductKind } from '../core/plan/product/kinds.ts';
import type { OutcomeOf, ProductOf } from '../core/plan/products.ts';

/** What the answer beside a plan says of it. */
export interface PlanTerms {
  /** `Arguments` of the answer. */
  readonly Arguments?: {
    readonly loan_value?: number;
    readonly var_duration?: readonly number[];
    readonly exposure_hours?: readonly number[];
    readonly positions?: readonly { readonly id: string; readonly market: string }[];
    readonly quantile?: readonly number[];
  };
}

type FiguresOf<K extends ProductKind> = (
  outcome: OutcomeOf<ProductOf<K>>,
  product: ProductOf<K>,
  terms: PlanTerms,
) => object;

/** By product; null where answers offer no plan. A product without a row does not compile. */
const FIGURES: { readonly [K in ProductKind]: FiguresOf<K> | null } = {
  loan: shownLoanFigures,
  origination: null,
  'capped-loan': (outcome, _, { Arguments }) =>
    cappedLoanFigures(outcome, Arguments?.loan_value ?? Number.NaN),
  'value-at-risk': (outcome, { horizonYears, quantiles }, { Arguments }) =>
    keyedTails(
      outcome,
      // The names of the answer, not years times days, which may differ in the last digit.
      Float64Array.from(Arguments?.var_duration ?? horizonYears.map(years => years * DAYS_PER_YEAR)).sort(),
      quantiles,
    ),
  'advance-rate': (outcome, product, { Arguments }) =>
    advanceRateFigures(
      outcome,
      product,
      [...(Arguments?.exposure_hours ?? product.horizonSteps)].sort((a, b) => a - b).map(String),
    ),
  perpetual: positionFigures,
  // Contributions come from a run of their own over the tails.
  account: (outcome, product, { Arguments }) =>
    accountFigures(outcome, product, {
      ids: product.rows.map((_, i) => Arguments?.positions?.[i]?.id ?? String(i + 1)),
      markets: product.rows.map((_, i) => Arguments?.positions?.[i]?.market ?? ''),
      currencies: [],
      quantiles: Float64Array.from(Arguments?.quantile ?? []),
    }),
  book: null,
};

/** The figures by the kind of a product; undefined where answers offer no plan of it. */
export const figuresOfPlan = <K extends ProductKind>(
  product: ProductOf<K>,
  outcome: OutcomeOf<ProductOf<K>>,
  terms: PlanTerms,
): object | undefined => (FIGURES[product.kind] as FiguresOf<K> | null)?.(outcome, product, terms);
