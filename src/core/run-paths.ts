/** How each product is run on a range of paths, the same for both engines of the processor, on one thread. */
import { type BookFollower, followPaths, pathsOf } from './book/book-follower.ts';
import { sumsOfProduct } from './book/book-sums.ts';
import { type PreparedBook, prepareBook, type SingleLoanGroups } from './book/prepared-book.ts';
import { constantLoan } from './plan/constant-debt.ts';
import { isUnderWay } from './plan/loan-terms.ts';
import { type BookProduct, columnsOfBook } from './plan/product/book.ts';
import type { ProductKind } from './plan/product/kinds.ts';
import type { KindMergedBy, OutcomeOf, Product, ProductOf } from './plan/products.ts';
import type { PathRange, RecordSink } from './plan/records.ts';
import type { DrawMemory } from './plan/shared-draws.ts';
import {
  type AccountProduct,
  type AdvanceRateProduct,
  type CappedLoanProduct,
  type LoanProduct,
  type OriginationProduct,
  type PerpetualProduct,
  planSteps,
  type SimulationPlan,
  type ValueAtRiskProduct,
} from './plan/simulation-plan.ts';
import type { AccountFollower } from './product/account.ts';
import { accountOutcome } from './product/account-outcome.ts';
import { accrued } from './product/accrued-paths.ts';
import { exposureWriter, recordExposures } from './product/advance-rate.ts';
import { cappedLoanOutcome } from './product/capped-loan.ts';
import { type LoanFollower, LoansOnPaths, loanOutcome } from './product/loan.ts';
import { originationOutcome } from './product/origination.ts';
import { type LoanCounts, loanCounts, type MarkCounts, markCounts } from './product/path-counts.ts';
import type { AssetPrices, HorizonPaths, PortfolioPaths } from './product/paths.ts';
import { type PositionFollower, perpetualOutcome } from './product/perpetual.ts';
import { SecuredPaths } from './product/secured-paths.ts';
import { type HorizonBatch, recordHorizons, writeHorizonValues } from './product/value-at-risk.ts';

/** The source of the paths of plans: the reference in double precision, or the SIMD kernel. */
export interface PathMaker {
  /** The ratios of a loan whose debt does not grow. @param amounts whether C_t and L_t are needed beside their ratio */
  portfolio(
    plan: SimulationPlan<LoanProduct | CappedLoanProduct | OriginationProduct | AdvanceRateProduct>,
    amounts: boolean,
  ): PortfolioPaths;
  /** Follows loans without an open call at the start and without answers; absent where `portfolio` is used for them. */
  loans?(plan: SimulationPlan<LoanProduct>, range: PathRange, counts: LoanCounts | undefined): LoanFollower;
  positions(
    plan: SimulationPlan<PerpetualProduct>,
    range: PathRange,
    counts: MarkCounts | undefined,
  ): PositionFollower;
  accounts(
    plan: SimulationPlan<AccountProduct>,
    range: PathRange,
    counts: MarkCounts | undefined,
  ): AccountFollower;
  /** The prices of all assets over the term of a loan. */
  prices(plan: SimulationPlan<LoanProduct | CappedLoanProduct>): AssetPrices;
  /** The first horizons of a value at risk. */
  horizons(plan: SimulationPlan<ValueAtRiskProduct>, horizons: number): HorizonPaths;
  book(plan: SimulationPlan<BookProduct>, book: PreparedBook, draws?: DrawMemory): BookFollower;
  /** The loan groups of `book`. Default: `together`. */
  readonly bookGroups?: SingleLoanGroups;
}

/** The outcome of a range. Products of columns and books need all paths together: they have records only. */
export type RangeOutcome<P extends Product> =
  P['kind'] extends KindMergedBy<'ranges'> ? OutcomeOf<P> : undefined;

type RunRange<P extends Product> = (
  maker: PathMaker,
  plan: SimulationPlan<P>,
  range: PathRange,
  records: RecordSink | undefined,
  sharedCounts: Uint32Array | undefined,
) => RangeOutcome<P>;

const RUNS: { readonly [K in ProductKind]: RunRange<ProductOf<K>> } = {
  loan(maker, plan, range, records, sharedCounts) {
    const counts = loanCounts(plan, sharedCounts);
    return loanOutcome(plan, range, records, loansOf(maker, plan, range, counts), counts, sharedCounts);
  },
  origination: (maker, plan, range, records) =>
    originationOutcome(plan, range, records, accrued(maker.portfolio(plan, false), plan.product)),
  'capped-loan': (maker, plan, range, records, sharedCounts) =>
    cappedLoanOutcome(
      plan,
      range,
      records,
      accrued(basketsOf(maker, plan, true), plan.product),
      sharedCounts,
    ),
  'value-at-risk'(maker, plan, range, records) {
    if (records !== undefined) recordHorizons(range, records, maker.horizons(plan, planSteps(plan)));
    return undefined;
  },
  'advance-rate'(maker, plan, range, records) {
    if (records !== undefined) recordExposures(plan, each => maker.portfolio(each, false), range, records);
    return undefined;
  },
  book(maker, plan, range, records) {
    if (records !== undefined) recordBook(maker, plan, range, records);
    return undefined;
  },
  account(maker, plan, range, records, sharedCounts) {
    const counts = markCounts(plan, sharedCounts);
    const follower = maker.accounts(plan, range, counts);
    return accountOutcome(plan, range, records, follower, counts, sharedCounts);
  },
  perpetual(maker, plan, range, records, sharedCounts) {
    const counts = markCounts(plan, sharedCounts);
    return perpetualOutcome(range, records, maker.positions(plan, range, counts), counts, sharedCounts);
  },
};

function loansOf(
  maker: PathMaker,
  plan: SimulationPlan<LoanProduct>,
  range: PathRange,
  counts: LoanCounts | undefined,
): LoanFollower {
  const { product } = plan;
  if (maker.loans !== undefined && !isUnderWay(product)) return maker.loans(plan, range, counts);
  const { answers } = product;
  const constant = answers && constantLoan(plan);
  const paths = basketsOf(maker, plan, answers !== undefined && constant === undefined);
  return new LoansOnPaths(plan, accrued(paths, product), counts, constant);
}

/** The baskets of a loan, with those of its thresholds by asset where it has them. @param amounts as of `PathMaker.portfolio` */
function basketsOf(
  maker: PathMaker,
  plan: SimulationPlan<LoanProduct | CappedLoanProduct>,
  amounts: boolean,
): PortfolioPaths {
  const { product } = plan;
  const { liquidationWeights } = product;
  if (liquidationWeights === undefined) return maker.portfolio(plan, amounts);
  return new SecuredPaths(maker.prices(plan), product, liquidationWeights);
}

/** Writes the record of each path of a range: the figures of the whole book. */
function recordBook(
  maker: PathMaker,
  plan: SimulationPlan<BookProduct>,
  range: PathRange,
  records: RecordSink,
): void {
  const { product, scenarios } = plan;
  const book = prepareBook(product, scenarios.assets, maker.bookGroups);
  const columns = columnsOfBook(product);
  const sums = sumsOfProduct(product, book.groupTerm.length);
  followPaths(maker.book(plan, book), sums, pathsOf(range), (i, figures) =>
    records.write(
      range.first + i,
      columns.map(column => figures[column]),
    ),
  );
}

/** How a thread writes the columns of a batch of horizons. */
interface ColumnWriter {
  /** Paths that cost least one after another, from the first that is asked for. */
  readonly together: number;
  write(range: PathRange): void;
}

type OpenWriter<P extends Product> = (
  maker: PathMaker,
  plan: SimulationPlan<P>,
  batch: HorizonBatch,
) => ColumnWriter;

/** A packet of the widest kernel. */
const PATHS_OF_PACKET = 16;

const WRITERS: { readonly [K in KindMergedBy<'columns'>]: OpenWriter<ProductOf<K>> } = {
  'value-at-risk'(maker, plan, batch) {
    const horizons = maker.horizons(plan, batch.first + batch.count);
    return {
      together: horizons.together,
      write: range => writeHorizonValues(plan, range, batch, horizons),
    };
  },
  'advance-rate': (maker, plan, batch) => ({
    together: PATHS_OF_PACKET,
    write: exposureWriter(plan, each => maker.portfolio(each, false), batch),
  }),
};

/** The writer of a plan whose outcome is the order of columns. */
export function columnWriter<P extends ProductOf<KindMergedBy<'columns'>>>(
  maker: PathMaker,
  plan: SimulationPlan<P>,
  batch: HorizonBatch,
): ColumnWriter {
  return (WRITERS[plan.product.kind] as OpenWriter<P>)(maker, plan, batch);
}

/**
 * Runs a range of paths.
 *
 * @param records receives the record of each path; absent where none is requested
 * @param sharedCounts counts of other ranges, which receive the counts of this one; the outcome then has none
 */
export function runPaths<P extends Product>(
  maker: PathMaker,
  plan: SimulationPlan<P>,
  range: PathRange,
  records?: RecordSink,
  sharedCounts?: Uint32Array,
): RangeOutcome<P> {
  const run = RUNS[plan.product.kind] as unknown as RunRange<P>;
  return run(maker, plan, range, records, sharedCounts);
}
