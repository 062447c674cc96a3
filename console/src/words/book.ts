/**
 * The answer of /book_risk in sentences.
 *
 * Takes: `Output.Book`, the days that are looked at, and intervals. Gives: text. Must not know: the page.
 */
import { headlineOf } from '#core/figures/usual.ts';
import { leftOutOf } from '#src/desk/left-out.ts';
import type { BookFigures, Interval } from '#src/desk/result.ts';
import { atLevel, lossSentence, todaySentences, unsoldSentence } from '#src/desk/sentences.ts';
import { standingOf, todayOf } from '#src/desk/today.ts';
import type { ValuedTape } from '#src/desk/value-tape.ts';
import { counted, grouped, levelText, meanCount, roughUsd } from '#src/desk/words.ts';

const capital = (sentence: string) => `${sentence[0].toUpperCase()}${sentence.slice(1)}`;

/** Levels of the report, whose last is that of its headline: those from 90 % to the level of the sentences. */
export const reportLevels = (levels: readonly string[]): readonly number[] => {
  const last = headlineOf(levels.map(Number));
  return levels.map(Number).filter(level => level === last || (level >= 0.9 && level < last));
};

/**
 * @param loans number of loans
 * @param days of the longest loan
 * @param intervals by `LossVar 0.99`
 * @param withoutCalls whether every loan is liquidated without a call
 */
export function bookSentences(
  book: BookFigures,
  loans: number,
  days: number,
  intervals: Readonly<Record<string, Interval>>,
  withoutCalls = false,
): string[] {
  const event = withoutCalls ? 'liquidated' : 'called';
  const level = String(headlineOf(Object.keys(book.LossVar).map(Number)));
  return [
    lossSentence(book, intervals, level, days),
    `${counted(loans, 'loan')} of ${roughUsd(book.LoanValue)} USD: on average ${withoutCalls ? '' : `${meanCount(book.MarginCalls.Mean)} are called and `}${meanCount(book.ForcedSales.Mean)} ${withoutCalls ? 'are ' : ''}sold by force; ${atLevel(book.MarginCalls.Quantiles[level], level, `none is ${event}`, value => `${grouped(value, 0)} or more are ${event}`)}.`,
    `${capital(atLevel(book.PeakDay.Quantiles[level], level, 'nothing is sold', value => `${roughUsd(value)} USD of collateral or more is sold within 24 hours`))}. ${unsoldSentence(book.Unsold, level)}`,
  ];
}

/** The book of a tape at the closes, before any fall, and the loans that are left out. */
export function tapeSentences({
  loans,
  prices,
  faults,
  leftOut,
  notes,
}: Pick<ValuedTape, 'loans' | 'prices' | 'faults' | 'leftOut' | 'notes'>) {
  const overdue = new Set(notes.get('overdue') ?? []);
  return todaySentences(
    todayOf(loans, prices),
    loans.map(loan => ({
      ...standingOf(loan, prices),
      ...(overdue.has(loan.id) && { Overdue: true as const }),
    })),
    { LeftOut: leftOutOf(faults), LeftOutOwed: { Usd: leftOut.usd, Unknown: leftOut.unknown } },
  ).filter(each => each !== '');
}

/** What the form changes before the first step: a fall of prices, per cent, a rise where it is below 0, and a shock of volatilities, a fraction. */
export function shockSentences(fall: number, fallOf: string, shock: number): readonly string[] {
  const move = fall > 0 ? 'fall' : 'rise';
  return [
    ...(fall === 0
      ? []
      : [
          `Before the first step ${fallOf === '' ? `all coins ${move}` : `${fallOf} ${move}s`} by ${levelText(Math.abs(fall) / 100)}.`,
        ]),
    ...(shock === 0
      ? []
      : [
          `Volatilities are ${levelText(Math.abs(shock))} ${shock > 0 ? 'above' : 'below'} those of the window.`,
        ]),
  ];
}
