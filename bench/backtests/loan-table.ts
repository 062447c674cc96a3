/**
 * The reliability diagrams of docs/backtests.md: probabilities that /loan_risk answered every two weeks, against what became of
 * the loans.
 *
 * Takes: market and engines. Gives: Markdown. Walk-forward: a forecast uses none of the prices that judge it.
 */
import type { ProgressLine } from '#src/cli/output.js';
import { type OwnRisk, ownReply } from '#src/cli/own-risk.js';
import { mapConcurrently } from '#src/core/async.js';
import { RiskError } from '#src/core/errors.js';
import { type Day, formatCalendarDate, formatIsoDate, parseIsoDate } from '#src/text/calendar-date.js';
import { loanOutcome, type SingleLoan } from './loan-outcome.ts';
import { type JudgedProbability, reliability } from './reliability.ts';
import type { TablePart } from './value-at-risk-table.ts';

const ASSETS = ['BTC', 'ETH'];
const TYPES = ['GBM', 'STUDENT_T', 'FHS', 'BOOTSTRAP'];
const RATIOS = [1.1, 1.2, 1.35, 1.5, 1.75, 2];
const LOOKBACK_DAYS = 365;
const TERM_DAYS = 30;
/** Loans start so many days apart. */
const START_DAYS = 14;
const PATHS = 2000;
/** Loans of starts so far apart share no price: those within a block of this length depend on each other. */
const CLUSTER_DAYS = 60;
/** Questions under way at once. */
const ABREAST = 4;

/** Terms of a loan that starts with the ratio N. */
const termsOf = (asset: string, N: number): SingleLoan => ({
  asset,
  durationDays: TERM_DAYS,
  topUpHours: 24,
  N,
  M: 1 + 0.7 * (N - 1),
  L: 1 + 0.3 * (N - 1),
  R: N,
});

const FIGURES = ['PrMarginCall', 'PrUnderwater'] as const;
type Figure = (typeof FIGURES)[number];

/** @throws RiskError where the store lacks the hours of an asset, or a request is refused */
export async function loanTable(
  own: OwnRisk,
  progress: ProgressLine,
  { assets = ASSETS, types = TYPES }: TablePart,
): Promise<string> {
  const judged = new Map<string, JudgedProbability[]>();
  const starts: { readonly asset: string; readonly day: Day }[] = [];
  for (const asset of assets) for (const day of await startsOf(own, asset)) starts.push({ asset, day });
  let done = 0;
  await mapConcurrently(starts, ABREAST, undefined, async ({ asset, day }) => {
    for (const N of RATIOS) await judge(own, termsOf(asset, N), day, types, judged);
    progress.update(++done / starts.length, `${asset} ${formatIsoDate(day)}`);
  });
  return types
    .flatMap(type => FIGURES.flatMap(figure => diagram(type, figure, judged.get(`${type} ${figure}`))))
    .join('\n');
}

/** A start every two weeks, with a whole window of hours before and a whole term after it. */
async function startsOf({ risk: { market } }: OwnRisk, asset: string): Promise<Day[]> {
  const held = await market.current().assets();
  const hours = held.find(({ symbol }) => symbol === asset)?.hours;
  if (hours === undefined)
    throw new RiskError('missing-market-data', `The store holds no hours of ${asset}.`);
  const first = (parseIsoDate(hours.first.slice(0, 10)) as Day) + LOOKBACK_DAYS + 1;
  const last = (parseIsoDate(hours.last.slice(0, 10)) as Day) - TERM_DAYS - 1;
  return Array.from(
    { length: Math.floor((last - first) / START_DAYS) + 1 },
    (_, k) => first + START_DAYS * k,
  );
}

async function judge(
  own: OwnRisk,
  terms: SingleLoan,
  day: Day,
  types: readonly string[],
  judged: Map<string, JudgedProbability[]>,
): Promise<void> {
  const outcome = await loanOutcome(terms, day, own.risk.market.current(), own.risk.engines);
  if (outcome === undefined) return;
  for (const type of types) {
    const predicted = await prediction(own, type, terms, day);
    const happened: Record<Figure, boolean> = {
      PrMarginCall: outcome.marginCall,
      PrUnderwater: outcome.underwater,
    };
    for (const figure of FIGURES) {
      const name = `${type} ${figure}`;
      const list = judged.get(name) ?? [];
      list.push({
        predicted: predicted[figure],
        happened: happened[figure],
        cluster: Math.floor(day / CLUSTER_DAYS),
      });
      judged.set(name, list);
    }
  }
}

async function prediction(
  own: OwnRisk,
  type: string,
  { asset, durationDays, topUpHours, ...ratios }: SingleLoan,
  day: Day,
): Promise<Record<Figure, number>> {
  const params = {
    collateral_weights: { [asset]: 1 },
    loan_weights: { USD: 1 },
    analysis_date: formatCalendarDate(day),
    model_lookback: LOOKBACK_DAYS,
    loan_duration: durationDays,
    mc_top_up: topUpHours,
    loan_value: 1000,
    mc_iter: PATHS,
    ...ratios,
  };
  const { ok, text } = await ownReply(own, { path: '/loan_risk', seed: day, body: { type, params } });
  if (!ok) throw new RiskError('engine-failed', `${type} ${asset} ${formatIsoDate(day)}: ${text}`);
  return (JSON.parse(text) as { Output: Record<Figure, number> }).Output;
}

function diagram(type: string, figure: Figure, judged: readonly JudgedProbability[] = []): string[] {
  const { forecasts, clusters, brierScore, brierScoreOfMean, deciles } = reliability(judged);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return [
    `### ${type}: ${figure}`,
    '',
    `${forecasts} forecasts in ${clusters} blocks of ${CLUSTER_DAYS} days. Brier score ${brierScore.toFixed(4)}; of the mean ${brierScoreOfMean.toFixed(4)}.`,
    '',
    '| Decile | Forecasts | Predicted | Happened | Difference | Standard error |',
    '|---:|---:|---:|---:|---:|---:|',
    ...deciles.map(({ forecasts: count, meanPredicted, observed, standardError }, k) => {
      const cells = [
        k + 1,
        count,
        percent(meanPredicted),
        percent(observed),
        percent(observed - meanPredicted),
        percent(standardError),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
  ];
}
