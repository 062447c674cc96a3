/** One scenario of a book, as `Scenario` of /book_risk has it, in sentences and rows of tables. */
import { counted, percent, roughUsd, shareText } from './words.ts';

/** `Scenario` of /book_risk, as far as the desk reads it. */
export interface FollowedScenario {
  readonly Path: number;
  readonly Rank: number;
  readonly Scenarios: number;
  /** Share of the scenarios with a larger loss. */
  readonly Larger: number;
  /** When a window of history begins. */
  readonly From?: string;
  readonly Loss: number;
  readonly Followed: Readonly<
    Record<
      | 'Loss'
      | 'Called'
      | 'ClosedOut'
      | 'Liquidated'
      | 'ForcedSaleUsd'
      | 'PeakDayUsd'
      | 'ToppedUpUsd'
      | 'Lowest',
      number
    >
  >;
  /** Columns by point in time. */
  readonly Hours: Readonly<
    Record<'Hour' | 'Ccr' | 'Calls' | 'Orders' | 'ForcedSaleUsd' | 'ToppedUpUsd' | 'Loss', readonly number[]>
  > & { readonly Prices: Readonly<Record<string, readonly number[]>> };
  readonly Loans: Readonly<
    Record<
      string,
      Readonly<Record<'LoanValue' | 'Loss' | 'ForcedSaleUsd' | 'ToppedUpUsd' | 'MoreEvents', number>> & {
        readonly Events: readonly { readonly Hour: number; readonly Event: string; readonly Ccr: number }[];
      }
    >
  >;
  readonly MoreLoans: number;
}

/** The day that an hour ends in: day 1 has the start and the hours 1 to 24. */
const dayOf = (hour: number): number => Math.max(1, Math.ceil(hour / 24));

/** Most assets that a sentence names. */
const MAX_NAMED = 4;

/** What happens in it, with the prices that fall most. @param withoutCalls of a book whose loans are liquidated without a call */
export function scenarioSentences(scenario: FollowedScenario, withoutCalls = false): readonly string[] {
  const { Loss, Larger, Followed, Hours, From } = scenario;
  const { Called, ClosedOut, Liquidated, ForcedSaleUsd, PeakDayUsd, ToppedUpUsd, Lowest } = Followed;
  const sold = ClosedOut + Liquidated;
  const called = withoutCalls
    ? `${counted(sold, 'loan')} ${sold === 1 ? 'is' : 'are'}`
    : `${counted(Called, 'loan')} ${Called === 1 ? 'reaches its' : 'reach their'} margin call LTV and ${sold} ${sold === 1 ? 'is' : 'are'}`;
  const moves = Object.entries(Hours.Prices)
    .map(([asset, prices]) => ({ asset, low: Math.min(...prices), prices }))
    .filter(({ low }) => low < 1)
    .sort((a, b) => a.low - b.low)
    .slice(0, MAX_NAMED)
    .map(
      ({ asset, low, prices }) =>
        `${asset} ${percent(low - 1)} (day ${dayOf(Hours.Hour[prices.indexOf(low)])})`,
    );
  return [
    `A loss of ${roughUsd(Loss)} USD; ${Larger === 0 ? 'no scenario loses more' : `${shareText(Larger)} of scenarios lose more`}.${From === undefined ? '' : ` The window of history begins on ${From.slice(0, 10)}.`}`,
    ...(moves.length === 0 ? [] : [`The lowest prices: ${moves.join(', ')}.`]),
    `${called} sold by force for ${roughUsd(ForcedSaleUsd)} USD, ${roughUsd(PeakDayUsd)} of it within 24 hours${ToppedUpUsd > 0 ? `; borrowers add ${roughUsd(ToppedUpUsd)} USD` : ''}. The LTV of the book is ${percent(1 / Lowest)} at its highest, as if nothing were sold.`,
  ];
}

/** What happens to a loan, in its order, with its LTV at that time. @param most events that are told */
export function eventsText({ Events, MoreEvents }: FollowedScenario['Loans'][string], most: number): string {
  const told = Events.slice(0, most).map(
    ({ Hour, Event, Ccr }) => `${Event} in hour ${Hour} at ${percent(1 / Ccr)}`,
  );
  const left = Events.length + MoreEvents - told.length;
  return [...told, ...(left > 0 ? [counted(left, 'more event')] : [])].join('; ');
}

/** Calls, orders, sales and losses of one day. */
export interface DayOfEvents {
  readonly day: number;
  readonly calls: number;
  readonly orders: number;
  readonly soldUsd: number;
  readonly lossUsd: number;
}

/** The days with an event, in their order. Points in time lie at most hours apart, so each is of one day. */
export function daysWithEvents({
  Hour,
  Calls,
  Orders,
  ForcedSaleUsd,
  Loss,
}: FollowedScenario['Hours']): readonly DayOfEvents[] {
  const days = new Map<number, DayOfEvents>();
  Hour.forEach((hour, i) => {
    if (Calls[i] + Orders[i] + ForcedSaleUsd[i] + Loss[i] === 0) return;
    const day = dayOf(hour);
    const known = days.get(day) ?? { day, calls: 0, orders: 0, soldUsd: 0, lossUsd: 0 };
    days.set(day, {
      day,
      calls: known.calls + Calls[i],
      orders: known.orders + Orders[i],
      soldUsd: known.soldUsd + ForcedSaleUsd[i],
      lossUsd: known.lossUsd + Loss[i],
    });
  });
  return [...days.values()];
}
