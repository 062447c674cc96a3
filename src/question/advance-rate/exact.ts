/** Advance rates with a known law: one asset against one under geometric Brownian motion. A calibration thread computes first passages. */
import { type ExactFigure, exactMembers, type FigureAccuracy } from '../../core/figures/accuracy.ts';
import {
  RATE_LEVELS,
  type RateFigureName,
  type RateLevel,
  type RatesOfHorizon,
} from '../../core/figures/advance-rate.ts';
import { HOURS_PER_YEAR } from '../../core/plan/grid.ts';
import { assetPair } from '../../core/plan/ratio-path.ts';
import type { AdvanceRateProduct, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { firstPassageError } from '../../core/stats/first-passage.ts';
import { expectedShortfallBelow, type Lognormal, shortfallErrorBelow } from '../../core/stats/lognormal.ts';
import { normalCdf, normalQuantile } from '../../core/stats/special-functions.ts';
import type { Asker } from '../../core/turns.ts';
import { calibrateInThread } from '../../models/calibration/calibration-pool.ts';
import { ratioOf } from '../loan/exact.ts';

type Found = Readonly<Record<string, RatesOfHorizon<FigureAccuracy>>>;
type Exact = Partial<Record<RateFigureName, ExactFigure>>;

const PERCENT = 100;
/** Rounding of exponentials and normal quantiles, relative to them. */
const ROUNDING = 1e-12;
/** Most work of first passages, in steps to the power of 3/2: that of a loan of a year, which has two. */
const MOST_PASSAGES = 2 * 8760 ** 1.5;
/** First passages of the search for a level. */
const PASSAGES_OF_SEARCH = 6;

/** The accuracy of the figures with the exact values of those whose law is known. */
export async function exactRates(
  { scenarios, product }: SimulationPlan<AdvanceRateProduct>,
  keys: readonly string[],
  found: Found,
  asker: Asker,
): Promise<Found> {
  const pair = assetPair(product.portfolio);
  if (scenarios.kind !== 'gbm' || pair === undefined || product.after !== undefined) return found;
  const { drift, variance } = ratioOf(scenarios, pair.collateral, pair.loan);
  if (variance === 0) return found;
  const start = Math.log(pair.startRatio * (1 - product.saleCost));
  const exactOf = product.lowest
    ? await byFirstPassage(product, start, { drift, variance }, asker)
    : (k: number) => byFinalValue(product, start, { drift, variance }, product.horizonSteps[k]);
  return Object.fromEntries(
    keys.map((key, k) => [
      key,
      exactOf === undefined ? found[key] : withExactRates(found[key], product, exactOf(k)),
    ]),
  );
}

/** The exact figures of a level by its place in the list. */
type ExactOfLevel = (level: RateLevel, i: number) => Exact;

function withExactRates(
  found: RatesOfHorizon<FigureAccuracy>,
  product: AdvanceRateProduct,
  exactOf: ExactOfLevel,
): RatesOfHorizon<FigureAccuracy> {
  const members: Record<string, unknown> = { ...found };
  for (const [level, { terms }] of Object.entries(RATE_LEVELS) as [
    RateLevel,
    (typeof RATE_LEVELS)[RateLevel],
  ][]) {
    const of = found[level];
    if (of === undefined) continue;
    members[level] = Object.fromEntries(
      Array.from(product[terms], (number, i) => {
        const exact = exactOf(level, i);
        const figures = Object.entries(of[String(number)]).map(([name, figure]) => {
          const known = exact[name as RateFigureName];
          return [name, known === undefined ? figure : { ...figure, ...exactMembers(known) }];
        });
        return [String(number), Object.fromEntries(figures)];
      }),
    );
  }
  return members;
}

interface RatioLaw {
  /** Of ln(C/L), per year. */
  readonly drift: number;
  readonly variance: number;
}

/** A rate, its haircut and its trigger. */
function ofRate(rate: number, error: number): Exact {
  return {
    AdvanceRate: { value: rate, error },
    Haircut: { value: 1 - rate, error: error + Number.EPSILON },
    TriggerRatio: { value: 1 / rate, error: error / (rate * rate) },
  };
}

/** What a sale at the end brings is lognormal. @param start ln of what a sale at once would bring */
function byFinalValue(
  { confidences, expectedLosses, rates }: AdvanceRateProduct,
  start: number,
  { drift, variance }: RatioLaw,
  steps: number,
): ExactOfLevel {
  const years = steps / HOURS_PER_YEAR;
  const law: Lognormal = { mean: start + drift * years, deviation: Math.sqrt(variance * years) };
  const below = (rate: number) => normalCdf((Math.log(rate) - law.mean) / law.deviation);
  const loss = (rate: number): ExactFigure => ({
    value: (PERCENT * expectedShortfallBelow(law, rate)) / rate,
    error: (PERCENT * shortfallErrorBelow(law, rate)) / rate,
  });
  return (level, i) => {
    if (level === 'Confidence') {
      const rate = Math.exp(law.mean + law.deviation * normalQuantile(1 - confidences[i]));
      return { ...ofRate(rate, ROUNDING * rate), ExpectedLossPct: loss(rate) };
    }
    const rate = level === 'AdvanceRate' ? rates[i] : rateOfLoss(law, expectedLosses[i]);
    const figures = {
      PrLoss: { value: below(rate), error: ROUNDING * below(rate) },
      ExpectedLossPct: loss(rate),
    };
    return level === 'AdvanceRate' ? figures : { ...figures, ...ofRate(rate, ROUNDING * rate) };
  };
}

/** The rate whose mean loss is a share of the debt, by bisection of its logarithm: the loss rises with the rate. */
function rateOfLoss(law: Lognormal, share: number): number {
  const loss = (log: number) => expectedShortfallBelow(law, Math.exp(log)) / Math.exp(log);
  let low = law.mean - 40 * law.deviation;
  let high = law.mean + law.deviation;
  while (loss(high) < share) high += 1;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return Math.exp(high);
    if (loss(middle) < share) low = middle;
    else high = middle;
  }
}

/** The law of the lowest of hourly steps; undefined where that takes longer than for a loan of a year. */
async function byFirstPassage(
  { horizonSteps, confidences, rates }: AdvanceRateProduct,
  start: number,
  { drift, variance }: RatioLaw,
  asker: Asker,
): Promise<((k: number) => ExactOfLevel) | undefined> {
  const passages = rates.length + PASSAGES_OF_SEARCH * confidences.length;
  const work = horizonSteps.reduce((sum, steps) => sum + steps ** 1.5 * passages, 0);
  if (work > MOST_PASSAGES) return undefined;
  const found = await Promise.all(
    Array.from(horizonSteps, async steps => {
      const walk = {
        drift: drift / HOURS_PER_YEAR,
        deviation: Math.sqrt(variance / HOURS_PER_YEAR),
        steps,
      };
      const levels = Array.from(rates, rate => Math.log(rate) - start);
      const probabilities = Array.from(confidences, q => 1 - q);
      return {
        passed: await calibrateInThread('first-passage', { walk, levels }, asker),
        levels: await calibrateInThread('passage-levels', { walk, probabilities }, asker),
      };
    }),
  );
  return k => (level, i) => {
    const { passed, levels } = found[k];
    if (level === 'AdvanceRate') {
      const value = passed[i];
      return { PrLoss: { value, error: firstPassageError(value) } };
    }
    if (level === 'ExpectedLoss') return {};
    const rate = Math.exp(start + levels[i].level);
    return ofRate(rate, rate * (levels[i].error + ROUNDING));
  };
}
