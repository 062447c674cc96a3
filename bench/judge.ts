/**
 * Whether an answer is right: a bench shows no rate whose answer did not pass.
 *
 * Takes: figures, what is known of them, and how far chance may carry them. Gives: a verdict with its reasons.
 */

import { binomialAtMost } from '#src/core/stats/intervals.js';
import { normalQuantile } from '#src/core/stats/special-functions.js';

/**
 * Largest distance from the truth in standard errors. A correct figure exceeds it once in 150,000 comparisons, and the
 * seeds are fixed: what has passed once on an engine passes always.
 */
export const LARGEST_Z = 4.5;

/** One figure and what it should be. */
export interface Comparison {
  readonly figure: string;
  readonly got: number;
  readonly known: number;
  /** Of `got - known`; 0 where the figures must agree. */
  readonly standardError: number;
  /** How far off `known` itself may be: digits it is printed to, rounding of the engine. */
  readonly allowance: number;
}

/** An answer that is not what is known. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/** Whether |got - known| <= 4.5 standard errors + allowance; a figure that is no number is wrong. */
export function isRight({ got, known, standardError, allowance }: Comparison): boolean {
  return Math.abs(got - known) <= LARGEST_Z * standardError + allowance;
}

/** A comparison in one line. */
export function describeComparison(comparison: Comparison): string {
  const { figure, got, known, standardError, allowance } = comparison;
  const z = standardError > 0 ? `, ${((got - known) / standardError).toFixed(2)} standard errors` : '';
  const room = allowance > 0 ? `, allowance ${allowance}` : '';
  return `${figure}: ${got} against ${known}${z}${room}`;
}

/**
 * Lets right answers pass.
 *
 * @param what names the answer in the message
 * @throws WrongAnswer with every comparison that failed, or where there is nothing to compare
 */
export function refuseWrongAnswers(what: string, comparisons: readonly Comparison[]): void {
  if (comparisons.length === 0) throw new WrongAnswer(`${what}: nothing is known of the answer.`);
  const wrong = comparisons.filter(comparison => !isRight(comparison));
  if (wrong.length === 0) return;
  throw new WrongAnswer(`${what}: the answer is wrong.\n${wrong.map(describeComparison).join('\n')}`);
}

/** From so many expected events on, a count is close enough to a normal. */
const MANY_EVENTS = 1000;

/**
 * A share of independent paths against its probability.
 *
 * The standard error is that of the share, but for rare events, which are not normal: there it is such that the
 * distance in standard errors has the tail of the binomial law.
 *
 * @param allowance how far off the known probability may be
 */
export function compareShare(
  figure: string,
  count: number,
  paths: number,
  probability: number,
  allowance = 0,
): Comparison {
  const got = count / paths;
  const ofShare = Math.sqrt((probability * (1 - probability)) / paths);
  const isRare = paths * Math.min(probability, 1 - probability) < MANY_EVENTS;
  const standardError = isRare
    ? Math.abs(got - probability) / equivalentZ(count, paths, probability)
    : ofShare;
  return { figure, got, known: probability, standardError, allowance };
}

/** Tails above it are no evidence; the distance is that of the tail. */
const LARGEST_TAIL = 0.3;

/** The distance, in standard errors, at which a normal figure is as unlikely as this count; infinite for an impossible count. */
function equivalentZ(count: number, paths: number, probability: number): number {
  const tail =
    count > paths * probability
      ? 1 - binomialAtMost(count - 1, paths, probability)
      : binomialAtMost(count, paths, probability);
  return tail > 0 ? -normalQuantile(Math.min(tail, LARGEST_TAIL)) : Number.POSITIVE_INFINITY;
}

/** Figures that must be the same number. */
export function compareExactly(figure: string, got: number, known: number): Comparison {
  return { figure, got, known, standardError: 0, allowance: 0 };
}
