/** Limits against a result: the value of each, its status, and the loan, borrower, asset or scenario behind it. */
import { DOLLAR } from '../text/symbols.ts';
import { LIMIT_SUBJECTS, type Limit } from './limits.ts';
import {
  cutText,
  type DeskResult,
  givenScenarios,
  headlineLevel,
  type Interval,
  type JudgedLimit,
  scenarioLoss,
  UNDETERMINED,
} from './result.ts';
import { isExactUntil, LARGEST_FALL, untilName } from './until.ts';

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
    const rank = rankOf(limit);
    const known = measured
      .filter(({ value }) => Number.isFinite(value))
      .sort((a, b) => rank.sign * (b.value - a.value));
    const [worst] = known;
    const named = (all: readonly Measured[]) => all.flatMap(({ name }) => (name === undefined ? [] : [name]));
    const unknown = named(measured.filter(({ value }) => !Number.isFinite(value)));
    const status =
      worst !== undefined && rank.isBeyond(worst.value)
        ? 'breached'
        : unknown.length > 0 || worst === undefined
          ? 'unknown'
          : worst.value > 0 && rank.isClose(worst.value)
            ? 'close'
            : 'ok';
    return {
      Line: limit.line,
      Limit: limit.text,
      Status: status,
      Value: worst?.value ?? null,
      Bound: limit.bound,
      Of: worst?.name ?? null,
      Breaching: named(known.filter(({ value }) => rank.isBeyond(value))),
      Unknown: unknown,
      Interval: worst?.interval ?? null,
      WithinError: isWithinError(known, rank),
      Sampling: samplingOf(known, rank),
    };
  });
}

/** The order of values about a bound: the largest is the worst, or the smallest where the bound is the least. */
interface Rank {
  readonly sign: 1 | -1;
  /** The end of an interval that is worse, and the other. */
  readonly worse: keyof Interval;
  readonly better: keyof Interval;
  isBeyond(value: number): boolean;
  isClose(value: number): boolean;
}

const rankOf = ({ subject, bound }: Limit): Rank =>
  (LIMIT_SUBJECTS[subject] as { readonly isLeast?: true }).isLeast
    ? {
        sign: -1,
        worse: 'low',
        better: 'high',
        isBeyond: value => value < bound,
        isClose: value => bound >= CLOSE * value,
      }
    : {
        sign: 1,
        worse: 'high',
        better: 'low',
        isBeyond: value => value > bound,
        isClose: value => value >= CLOSE * bound,
      };

/** Whether the verdict differs between the ends of the intervals. */
function isWithinError(values: readonly Measured[], { isBeyond, worse, better }: Rank): boolean {
  const is = (end: keyof Interval) =>
    values.some(({ value, interval }) => isBeyond(interval?.[end] ?? value));
  return is(worse) && !is(better);
}

/**
 * A breach needs one value that is surely beyond the bound; without a breach the worse ends of the worst and of those close to the bound
 * are of interest.
 *
 * @param values the worst first
 */
function samplingOf(values: readonly Measured[], rank: Rank): JudgedLimit['Sampling'] {
  const above = values.filter(({ value }) => rank.isBeyond(value));
  const near = values.filter(({ value }, k) => k === 0 || rank.isClose(value));
  const isExact = ({ interval }: Measured) => interval === undefined;
  if (above.length === 0 ? near.every(isExact) : above.some(isExact)) return 'none';
  const isKnown =
    above.length === 0
      ? near.every(({ interval }) => interval?.[rank.worse] !== null)
      : above.some(({ interval }) => interval?.[rank.better] !== null);
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

/** The loss of a tranche; not known where no attachment point reaches its target. */
function ofTranche(
  { tranche = '', subject }: Limit,
  tranches: DeskResult['Models'][string]['Book']['Tranches'],
  level: string,
  accuracy: DeskResult['Accuracy'],
): readonly Measured[] {
  const figures = tranches?.[tranche];
  const figure = subject.slice('tranche '.length) as 'ExpectedLossPct' | 'PrLoss' | 'LossCVar';
  const isTail = figure === 'LossCVar';
  const found = isTail ? figures?.LossCVar[level] : figures?.[figure];
  // Per cent of the tranche as a share.
  const unit = figure === 'ExpectedLossPct' ? 100 : 1;
  const { low, high } =
    accuracy[['Tranches', tranche, figure, ...(isTail ? [level] : [])].join(' ')] ?? UNDETERMINED;
  const end = (of: number | null) => (of === null ? null : of / unit);
  return [{ value: (found ?? Number.NaN) / unit, interval: { low: end(low), high: end(high) } }];
}

/** The least fall that reaches what a limit names; where none does, the largest that was looked at, or more. */
function ofReverse({ until }: Limit, { Stress }: Result): readonly Measured[] {
  const found = Stress?.Scenarios.find(({ Name }) => until !== undefined && Name === untilName(until))?.Found;
  if (found === undefined) return [];
  const { Fall, Low, High } = found;
  if (Fall === null) return [{ value: LARGEST_FALL, interval: { low: LARGEST_FALL, high: null } }];
  // Figures at the shock alone are exact.
  const isExact = until !== undefined && isExactUntil(until);
  return [{ value: Fall, ...(!isExact && { interval: { low: Low, high: High } }) }];
}

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
      return givenScenarios(result).map(each => {
        const cut = cutText(each);
        return cut === ''
          ? { name: each.Name, value: scenarioLoss(each), interval: each.Interval ?? undefined }
          : { name: `${each.Name} (${cut})`, value: Number.NaN };
      });
    case 'EconomicCapital':
      return of(Book.EconomicCapital?.[level] ?? Number.NaN, 'EconomicCapital', level);
    case 'ECL':
      return of(Book.Credit?.ECL ?? Number.NaN, 'Credit', 'ECL');
    case 'tranche ExpectedLossPct':
    case 'tranche PrLoss':
    case 'tranche LossCVar':
      return ofTranche(limit, Book.Tranches, level, Accuracy);
    case 'reverse':
      return ofReverse(limit, result);
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
