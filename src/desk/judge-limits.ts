/** Limits against a result: the value of each, its status, and the loan, borrower, asset or scenario behind it. */
import type { Limit } from './limits.ts';
import { type DeskResult, type JudgedLimit, outermostLevel, scenarioLoss } from './result.ts';

/** Share of the bound from which a value is close. */
const CLOSE = 0.9;

interface Measured {
  readonly value: number;
  /** A loan, a borrower, an asset, a scenario. */
  readonly name?: string;
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
          : worst.value >= CLOSE * limit.bound
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
    };
  });
}

/** An asset that is never sold needs no volume. */
const shareOfVolume = (sold: number, volume = Number.NaN): number => (sold === 0 ? 0 : sold / volume);

function measure(limit: Limit, result: Result): readonly Measured[] {
  const { Today, Loans, Models, Run, Data } = result;
  const { Book } = Models[limit.type ?? Run.Headline];
  const level = String(limit.level ?? outermostLevel(Run));
  const atLevel = (figure: {
    readonly Mean: number;
    readonly Quantiles: Readonly<Record<string, number>>;
  }) => [{ value: limit.level === undefined ? figure.Mean : figure.Quantiles[level] }];
  switch (limit.subject) {
    case 'LossVar':
      return [{ value: Book.LossVar[level] }];
    case 'LossCVar':
      return [{ value: Book.LossCVar[level] }];
    case 'ExpectedLoss':
      return [{ value: Book.ExpectedLoss }];
    case 'PrLoss':
      return [{ value: Book.PrLoss }];
    case 'MarginCalls':
      return atLevel(Book.MarginCalls);
    case 'ForcedSales':
      return atLevel(Book.ForcedSales);
    case 'ForcedSaleUsd':
      return atLevel(Book.ForcedSaleUsd);
    case 'PeakDay':
      if (!limit.ofDailyVolume) return atLevel(Book.PeakDay);
      return Object.entries(Book.Assets).map(([name, { PeakDayCVar }]) => ({
        name,
        value: shareOfVolume(PeakDayCVar[level], Data.Volumes[name]?.MedianDailyUsd),
      }));
    case 'scenario loss':
      return (result.Stress?.Scenarios ?? []).map(each => ({ name: each.Name, value: scenarioLoss(each) }));
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
