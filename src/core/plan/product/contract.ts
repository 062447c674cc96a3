/** The declaration of a product, the same for every engine: its terms, its outcome and its contract. */
import type { Sections } from '../distribution.ts';
import type { Faults, FieldsOf } from '../fields.ts';
import { HOURS_PER_YEAR } from '../grid.ts';
import type { ModelKind, Scenarios } from '../models.ts';
import type { Portfolio } from '../portfolio.ts';

/** The sizes on which the work of a product depends, beside its paths. */
export interface WorkSize {
  readonly assets: number;
  /** Number of quantiles; value at risk only. */
  readonly quantiles?: number;
  /** Number of loans; books only. */
  readonly loans?: number;
  /** Number of loans with more work than plain ones (book-lending.ts); books only. */
  readonly singleLoans?: number;
  /** Whether margin calls are answered; single loans only. */
  readonly answered?: boolean;
  /** Positions, tiers of the largest table, and whether touches within the hour are looked for; accounts only. */
  readonly rows?: number;
  readonly tiers?: number;
  readonly bridged?: boolean;
  /** Work of ordering columns, in asset-steps of a step; advance rates only. */
  readonly orders?: number;
  /** Days to the longest horizon of value at risk, for models that walk by the day. */
  readonly days?: number;
}

/** Merge of a field in path order: a sum, the lowest, or lists end to end; `never` for a field that needs all paths. */
export type MergeRule<T> = T extends number
  ? 'sum' | 'lowest'
  : T extends Float64Array
    ? 'sum' | 'concatenate'
    : never;

export type MergeRules<O> = { readonly [F in Exclude<keyof O, 'kind'>]: MergeRule<O[F]> };

/** Merges ranges, columns with a value a path, or a pass over all paths and a pass over the tails. */
export type Merge = 'ranges' | 'columns' | 'two passes';

export interface ProductContract<P, O, M extends Merge = 'ranges'> {
  readonly fields: FieldsOf<P>;
  /** Reports faults between its terms, or between them and the scenarios; absent without any. */
  check?(product: P, scenarios: Scenarios, faults: Faults): void;
  /** The rules for outcomes of path ranges, or the way of an outcome that needs all paths together. */
  readonly merge: M extends 'ranges' ? MergeRules<O> : M;
  /** Counts of a distribution, in their order; empty where values are stored, `undefined` without a distribution. */
  readonly distribution: Sections | undefined;
  /** Names of the columns of a record, in the order in which engines write them. */
  recordFields(product: P): readonly string[];
  /** Steps of a path: hours, days or, for value at risk, horizons. */
  steps(product: P): number;
  /** Years from the first to the last step, of drawn prices. */
  years(product: P): number;
  /** Work of a path's step, in asset-steps of a loan. */
  stepWork(size: WorkSize): number;
  /** The members of a request that a GPU does not run; absent where it runs all. */
  notOnGpu?(product: P): string | undefined;
  /** The sizes of these terms beside assets, paths and steps; absent without any. */
  size?(product: P): Omit<WorkSize, 'assets'>;
  /** Grid points of a historical window before its end. Default: the steps of a path. */
  windowSteps?(product: P): number;
  /** The baskets whose ratios C_t / L_t the outcome compares with thresholds; absent without any. */
  ratioBaskets?(product: P): Iterable<RatioBaskets>;
  /** Least standard deviation of ln(C/L) over the term for figures from C and L; absent where C/L - 1 is followed. */
  readonly leastSpread?: number;
  /** Terms of the caller's size, in units in which prices start at 1: single precision has a range for them. */
  unitTerms?(product: P): readonly number[];
  /** The reason why only double precision computes a product; absent or undefined without one. */
  onlyDouble?(product: P): string | undefined;
  /** Terms of an ordinary request, and the models of such requests: for warming up and for tests. */
  readonly usual: UsualProducts<P>;
}

/** Two baskets whose ratio is compared with thresholds. */
export interface RatioBaskets {
  readonly portfolio: Portfolio;
  /** Steps of the term. */
  readonly steps: number;
  /** Whether every engine divides two prices for a ratio of single assets. */
  readonly ofPrices?: boolean;
}

export interface UsualProducts<P> {
  /** Kinds of the drawn models that requests combine with the product, the most frequent first. */
  readonly models: readonly ModelKind[];
  /** Fewest and most assets of the prepared engine. */
  readonly assets: { readonly least: number; readonly most: number };
  /** Terms over a day, one for each variant with a computation of its own. */
  terms(assets: number): readonly P[];
}

/** Steps and years of a product whose steps are hours. */
export const HOURLY = {
  steps: ({ steps }: { readonly steps: number }) => steps,
  years: ({ steps }: { readonly steps: number }) => steps / HOURS_PER_YEAR,
};

/** A pair, and baskets of up to four assets against a stablecoin. */
export const USUAL_BASKETS = { least: 2, most: 5 } as const;
/** Steps of the usual terms: a day of hours. */
export const USUAL_STEPS = 24;

/** All assets but the last in equal parts against the last. */
export function againstLast(assets: number): Portfolio {
  const weights = (value: (i: number) => number) => Float64Array.from({ length: assets }, (_, i) => value(i));
  return {
    collateralWeights: weights(i => (i === assets - 1 ? 0 : 1 / (assets - 1))),
    loanWeights: weights(i => (i === assets - 1 ? 1 : 0)),
  };
}
