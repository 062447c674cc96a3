/** The paths of the reference, of every product under every model in double precision. */
import type { Product } from '../plan/products.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type {
  CappedLoanProduct,
  LoanProduct,
  OriginationProduct,
  PerpetualProduct,
  SimulationPlan,
} from '../plan/simulation-plan.ts';
import { accountOn } from '../product/account.ts';
import { accrued } from '../product/accrued-paths.ts';
import type { PortfolioPaths, PricePath } from '../product/paths.ts';
import { positionOn } from '../product/perpetual.ts';
import { type PathMaker, type RangeOutcome, runPaths } from '../run-paths.ts';
import { FirstPrice } from './asset-prices.ts';
import { referenceBook } from './book.ts';
import { hourLaw } from './hour-law.ts';
import { referenceModel } from './models.ts';

export const REFERENCE_PATHS: PathMaker = {
  portfolio: (plan, amounts) => referenceModel(plan).portfolio(plan, amounts),
  positions: (plan, _, counts) => positionOn(plan, markPrice(plan), counts),
  accounts(plan, _, counts) {
    const { scenarios, seed, product } = plan;
    return accountOn(
      plan,
      referenceModel(plan).prices(plan, product.steps),
      hourLaw(scenarios, seed),
      counts,
    );
  },
  prices: plan => referenceModel(plan).prices(plan, plan.product.steps),
  horizons: (plan, horizons) => referenceModel(plan).horizons(plan, horizons),
  book: referenceBook,
};

/** The mark price of a perpetual. */
export function markPrice(plan: SimulationPlan<PerpetualProduct>): PricePath {
  const { steps } = plan.product;
  return new FirstPrice(referenceModel(plan).prices(plan, steps), steps);
}

/** The paths of a loan without top-ups, with its interest. @param amounts whether C_t and L_t are wanted beside their ratio */
export const loanPaths = (
  plan: SimulationPlan<LoanProduct | CappedLoanProduct | OriginationProduct>,
  amounts: boolean,
): PortfolioPaths => accrued(REFERENCE_PATHS.portfolio(plan, amounts), plan.product);

/** Runs a range of paths of any plan by the reference: `runPaths` of core/run-paths.ts. */
export function runRange<P extends Product>(
  plan: SimulationPlan<P>,
  range: PathRange,
  records?: RecordSink,
  sharedCounts?: Uint32Array,
): RangeOutcome<P> {
  return runPaths(REFERENCE_PATHS, plan, range, records, sharedCounts);
}
