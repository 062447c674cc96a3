/**
 * The member `Distribution` of an answer (docs/methodology.md, "Distribution"). Counts are numbers of paths. Quantiles from counts have a
 * bound of their error; quantiles of recorded values are exact.
 */
import {
  AMOUNT_BINS,
  allSlots,
  type Histogram,
  histogramOf,
  RATIO_BINS,
  RATIO_RESOLUTION,
  ratioQuantile,
} from '../distribution/bins.ts';
import { DISTRIBUTION_LEVELS, FAN_LEVELS } from '../distribution/levels.ts';
import { type ValueDistribution, valueDistribution } from '../distribution/values.ts';
import type { AccountOutcome, PerpetualOutcome, ValueAtRiskOutcome } from '../engine.ts';
import {
  countsLayout,
  type DistributionOption,
  fanSteps,
  RATIO_SLOTS,
  type SectionPlace,
} from '../plan/distribution.ts';
import { type AccountProduct, equityAtStart } from '../plan/product/account.ts';
import { LOAN_SECTIONS } from '../plan/product/loan.ts';
import { distributionScales, type ValueAtRiskProduct } from '../plan/product/value-at-risk.ts';
import type { PerpetualProduct } from '../plan/simulation-plan.ts';

/** Quantiles by their level, a bound of their error relative to them, and counts of paths in bins. */
export type ValuesMember<Quantile extends number | null = number | null> = {
  readonly resolution: number;
  readonly quantiles: Readonly<Record<keyof typeof DISTRIBUTION_LEVELS, Quantile>>;
  readonly histogram: Histogram;
};

/** Quantiles at several times; null above the bins and below them. */
export type FanMember = {
  readonly resolution: number;
  /** Rising; the last is the end of the term. */
  readonly days: readonly number[];
} & Readonly<Record<keyof typeof FAN_LEVELS, readonly (number | null)[]>>;

/** Of a loan; ratios are collateral over debt, shares are of the paths by the end of each day. */
export type LoanDistribution = {
  readonly scenarios: number;
  readonly LowestCCR: ValuesMember;
  readonly FinalCCR: ValuesMember;
  readonly EventsByDay: Readonly<Record<'MarginCall' | 'Liquidation' | 'Closeout', readonly number[]>>;
  readonly Fan: FanMember;
};

/** Values at one horizon, USD. */
export type HorizonDistribution = Readonly<
  Record<'Collateral' | 'Loan' | 'NetExposure', ValuesMember<number>>
>;

/** Of value at risk, by the days of the horizon. */
export type TailDistribution = {
  readonly scenarios: number;
  readonly [days: string]: HorizonDistribution | number;
};

/** Of a perpetual: amounts in its margin currency, the mark price over that at the start. Of an account: USD, and its equity. */
export type PositionDistribution = {
  readonly scenarios: number;
  readonly FinalEquity: ValuesMember<number>;
  readonly MaxEquityDrawDown: ValuesMember<number>;
  readonly Fan?: FanMember;
};

/** A loan's, also of one with capped sales. @param counts of the sections of a loan */
export function loanDistribution(
  counts: Float64Array,
  paths: number,
  steps: number,
  option: DistributionOption,
): LoanDistribution {
  const { places } = countsLayout(LOAN_SECTIONS, steps, option);
  const of = ({ first, length }: SectionPlace) => counts.subarray(first, first + length);
  return {
    scenarios: paths,
    LowestCCR: ratioMember(of(places.lowest)),
    FinalCCR: ratioMember(of(places.final)),
    EventsByDay: {
      MarginCall: sharesByDay(of(places.marginCall), paths),
      Liquidation: sharesByDay(of(places.liquidation), paths),
      Closeout: sharesByDay(of(places.closeout), paths),
    },
    Fan: fanMember(of(places.fan), steps, option),
  };
}

/** Of value at risk: by horizon, as the result is. */
export function tailDistribution(
  outcome: ValueAtRiskOutcome,
  horizonsDays: Float64Array,
  product: ValueAtRiskProduct,
): TailDistribution {
  const scales = distributionScales(product);
  const perHorizon = outcome.horizons.flatMap(({ distribution: of }, k) =>
    of === undefined
      ? []
      : [
          [
            String(horizonsDays[k]),
            {
              Collateral: amountMember(of.collateral, scales.collateral),
              Loan: amountMember(of.loan, scales.loan),
              NetExposure: amountMember(of.netExposure, scales.netExposure),
            },
          ],
        ],
  );
  return { scenarios: outcome.paths, ...Object.fromEntries(perHorizon) };
}

/** Of a perpetual. */
export function positionDistribution(
  outcome: PerpetualOutcome,
  { initialMargin, steps }: PerpetualProduct,
  option: DistributionOption,
): PositionDistribution {
  const column = (values: Float64Array) =>
    amountMember(valueDistribution(values, initialMargin), initialMargin);
  return {
    scenarios: outcome.paths,
    FinalEquity: column(outcome.finalEquity),
    MaxEquityDrawDown: column(outcome.maxEquityDrawdown),
    ...(outcome.distribution && { Fan: fanMember(outcome.distribution, steps, option) }),
  };
}

/** Of an account: amounts in USD, equity over that at the start. */
export function accountDistribution(
  outcome: AccountOutcome,
  product: AccountProduct,
  option: DistributionOption,
): PositionDistribution {
  const unit = equityAtStart(product);
  const column = (values: Float64Array) => amountMember(valueDistribution(values, unit), unit);
  return {
    scenarios: outcome.paths,
    FinalEquity: column(outcome.finalEquity),
    MaxEquityDrawDown: column(outcome.maxEquityDrawdown),
    ...(outcome.distribution && { Fan: fanMember(outcome.distribution, product.steps, option) }),
  };
}

function ratioMember(slots: Float64Array): ValuesMember {
  return {
    resolution: RATIO_RESOLUTION,
    quantiles: mapped(DISTRIBUTION_LEVELS, p => ratioQuantile(slots, p)),
    histogram: histogramOf(RATIO_BINS, slots),
  };
}

function amountMember({ quantiles, counts }: ValueDistribution, unit: number): ValuesMember<number> {
  return {
    resolution: 0,
    quantiles: mapped(DISTRIBUTION_LEVELS, (_, i) => quantiles[i]),
    histogram: histogramOf(AMOUNT_BINS, allSlots(AMOUNT_BINS, counts), unit),
  };
}

/** Share of the paths on which something happened by the end of each day. */
function sharesByDay(counts: Float64Array, paths: number): number[] {
  let reached = 0;
  return Array.from(counts, count => {
    reached += count;
    return reached / paths;
  });
}

function fanMember(counts: Float64Array, steps: number, { daySteps }: DistributionOption): FanMember {
  const times = fanSteps(steps);
  const slots = Array.from(times, (_, time) => counts.subarray(time * RATIO_SLOTS, (time + 1) * RATIO_SLOTS));
  return {
    resolution: RATIO_RESOLUTION,
    days: Array.from(times, step => step / daySteps),
    ...mapped(FAN_LEVELS, p => slots.map(each => ratioQuantile(each, p))),
  };
}

/** The same names with the value of `of` for each number. */
function mapped<Level extends string, T>(
  levels: Readonly<Record<Level, number>>,
  of: (level: number, i: number) => T,
): Record<Level, T> {
  const entries = Object.entries<number>(levels).map(([name, level], i) => [name, of(level, i)]);
  return Object.fromEntries(entries) as Record<Level, T>;
}
