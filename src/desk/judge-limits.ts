/** Limits against a result: the value of each, its status, and the loan, borrower, asset or scenario behind it. */
import { DOLLAR } from '../text/symbols.ts';
import type { Limit } from './limits.ts';
import {
  cutText,
  type DeskResult,
  headlineLevel,
  type Interval,
  type JudgedLimit,
  scenarioLoss,
  UNDETERMINED,
} from './result.ts';

/** Share of the bound from which a value is close. */
const CLOSE = 0.9;

interface Measured {
  readonly value: number;
  /** A loan, a borrower, an asset, a scenario. */
  readonly name?: string;
  /** Sampling error; absent where the value is exact. */
  readonly interval?: Interval | undefined;
}

type Result = Omit<DeskResult, 'Limits'>;

export function judgeLimits(limits: readonly Limit[], result: Result): readonly JudgedLimit[] {
  return limits.map(limit => {
    const measured = measure(limit, result);
    const known = measured.filter(({ value }) => Number.isFinite(value)).sort((a, b) => b.value - a.value);
    const [worst] = known;
    const named = (all: readonly Measured[]) => all.flatMap(({ name }) => (name === undefined ? [] : [name]));
    const unknown = named(measured.filter(({ value }) => !Number.isFinite(value)));
    const status =
      worst !== undefined && worst.value > limit.bound
        ? 'breached'
        : unknown.length > 0 || worst === undefined
          ? 'unknown'
          : worst.value > 0 && worst.value >= CLOSE * limit.bound
            ? 'close'
            : 'ok';
    return {
      Line: limit.line,
      Limit: limit.text,
      Status: status,
      Value: worst?.value ?? null,
      Bound: limit.bound,
      Of: worst?.name ?? null,
      Breaching: named(known.filter(({ value }) => value > limit.bound)),
      Unknown: unknown,
      Interval: worst?.interval ?? null,
      WithinError: isWithinError(known, limit.bound),
      Sampling: samplingOf(known, limit.bound),
    };
  });
}

/** Whether the verdict differs between the ends of the intervals. */
function isWithinError(values: readonly Measured[], bound: number): boolean {
  const isAbove = (end: keyof Interval) =>
    values.some(({ value, interval }) => (interval?.[end] ?? value) > bound);
  return isAbove('high') && !isAbove('low');
}

/**
 * A breach needs one value that is surely above the bound; without a breach the high ends of the largest and of those close to the bound
 * are of interest.
 *
 * @param values the largest first
 */
function samplingOf(values: readonly Measured[], bound: number): JudgedLimit['Sampling'] {
  const above = values.filter(({ value }) => value > bound);
  const near = values.filter(({ value }, k) => k === 0 || value >= CLOSE * bound);
  const isExact = ({ interval }: Measured) => interval === undefined;
  if (above.length === 0 ? near.every(isExact) : above.some(isExact)) return 'none';
  const isKnown =
    above.length === 0
      ? near.every(({ interval }) => interval?.high !== null)
      : above.some(({ interval }) => interval?.low !== null);
  return isKnown ? 'known' : 'unknown';
}

/**
 * Sampling error of one asset's share of daily sales. The answer has the error of the total only, which is exact where nothing else is
 * sold. Elsewhere the total bounds the share from above, which is enough where the total keeps to the limit.
 */
function partInterval(
  part: number,
  whole: number,
  error: Interval,
  keeps: (sold: number) => boolean,
): Interval {
  if (Math.abs(whole - part) <= 1e-9 * whole) return error;
  return { low: null, high: error.high !== null && keeps(error.high) ? error.high : null };
}

/** An asset that is never sold needs no volume. */
const shareOfVolume = (sold: number, volume = Number.NaN): number => (sold === 0 ? 0 : sold / volume);

function measure(limit: Limit, result: Result): readonly Measured[] {
  const { Today, Loans, Models, Run, Data } = result;
  const { Book, Accuracy } = Models[limit.type ?? Run.Headline];
  const of = (value: number, ...path: readonly string[]) => [
    { value, interval: Accuracy[path.join(' ')] ?? UNDETERMINED },
  ];
  const level = String(limit.level ?? headlineLevel(Run));
  const atLevel = (name: 'MarginCalls' | 'ForcedSales' | 'ForcedSaleUsd' | 'PeakDay') =>
    limit.level === undefined
      ? of(Book[name].Mean, name, 'Mean')
      : of(Book[name].Quantiles[level], name, 'Quantiles', level);
  switch (limit.subject) {
    case 'LossVar':
    case 'LossCVar':
      return of(Book[limit.subject][level], limit.subject, level);
    case 'ExpectedLoss':
    case 'PrLoss':
      return of(Book[limit.subject], limit.subject);
    case 'MarginCalls':
    case 'ForcedSales':
    case 'ForcedSaleUsd':
      return atLevel(limit.subject);
    case 'PeakDay':
      if (!limit.ofDailyVolume) return atLevel('PeakDay');
      return Object.entries(Book.Assets).map(([name, { PeakDayCVar }]) => {
        // Dollars need no market.
        const volume = name === DOLLAR ? Number.POSITIVE_INFINITY : Data.Volumes[name]?.MedianDailyUsd;
        const share = (end: number | null) => (end === null ? null : shareOfVolume(end, volume));
        const whole = Accuracy[`PeakDay CVar ${level}`] ?? UNDETERMINED;
        const { low, high } = partInterval(
          PeakDayCVar[level],
          Book.PeakDay.CVar[level],
          whole,
          sold => shareOfVolume(sold, volume) <= limit.bound,
        );
        return {
          name,
          value: shareOfVolume(PeakDayCVar[level], volume),
          interval: { low: share(low), high: share(high) },
        };
      });
    case 'scenario loss':
      return (result.Stress?.Scenarios ?? []).map(each => {
        const cut = cutText(each);
        return cut === ''
          ? { name: each.Name, value: scenarioLoss(each), interval: each.Interval ?? undefined }
          : { name: `${each.Name} (${cut})`, value: Number.NaN };
      });
    case 'book LTV':
      return [{ value: Today.Ltv }];
    case 'loan LTV':
      return Loans.map(({ Id, Ltv }) => ({ name: Id, value: Ltv }));
    case 'loan share':
      return Loans.map(({ Id, LoanUsd }) => ({ name: Id, value: LoanUsd / Today.LoanUsd }));
    case 'borrower share':
      return Today.Borrowers.map(({ Name, LoanUsd }) => ({ name: Name, value: LoanUsd / Today.LoanUsd }));
    case 'asset share':
      return Today.Assets.map(({ Name, CollateralUsd }) => ({
        name: Name,
        value: CollateralUsd / Today.CollateralUsd,
      }));
    case 'called loans':
      return [{ value: Today.Called + Today.Liquidated }];
  }
}
