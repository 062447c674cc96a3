/**
 * The answers of /var and /isolated_perp_risk in sentences.
 *
 * Takes: the members of an answer. Gives: text. Must not know: the page.
 */
import { outOf } from '#src/desk/sentences.ts';
import { usd } from '#src/desk/words.ts';
import { outOfMany, percent, plain } from '../ui/format.ts';

type Members = Readonly<Record<string, unknown>>;
type Tails = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * What is lost where a value is at its level: the interface has the value that is left.
 *
 * @param name `CollateralVar`, `LoanCVar`, `NetExposureVar` and the like
 * @param terms with `collateral_value` and `loan_value`, USD
 * @returns USD; below 0 it is a gain
 */
export function lossOf(name: string, value: number, terms: Members): number {
  const [collateral, loan] = [Number(terms.collateral_value), Number(terms.loan_value)];
  if (name.startsWith('Collateral')) return collateral - value;
  return (name.startsWith('Loan') ? loan : collateral - loan) - value;
}

/** A simulated amount with six significant digits; the answer in JSON has all. */
const sixDigitsUsd = (value: number) => usd(Number(value.toPrecision(6)));

/** Collateral less debt at the outermost level of the longest horizon, then the collateral alone. */
export function varSentences(output: Members, terms: Members): string[] {
  const horizons = Object.keys(output).filter(key => typeof output[key] === 'object');
  const longest = String(Math.max(...horizons.map(Number)));
  const tails = (output[longest] ?? {}) as Tails;
  const level = Object.keys(tails).sort((a, b) => Number(b) - Number(a))[0];
  if (level === undefined) return [];
  const figures = tails[level];
  const often = `In ${outOf(Number(level))} periods of ${longest} ${longest === '1' ? 'day' : 'days'}`;
  const loss = (name: string) => lossOf(name, figures[name], terms);
  return [
    `${often} collateral less debt ${loss('NetExposureVar') >= 0 ? 'loses more than' : 'still gains no more than'} ${sixDigitsUsd(Math.abs(loss('NetExposureVar')))} USD, and is worth ${sixDigitsUsd(figures.NetExposureVar)}; over the worse ones the mean is a ${loss('NetExposureCVar') >= 0 ? 'loss' : 'gain'} of ${sixDigitsUsd(Math.abs(loss('NetExposureCVar')))} USD.`,
    `Value at risk of the collateral alone: ${sixDigitsUsd(loss('CollateralVar'))} USD; it is worth ${sixDigitsUsd(figures.CollateralVar)} then, and ${usd(Number(terms.collateral_value))} today.`,
  ];
}

/** `gains 4 %`, `loses 12 %` */
const returned = (share: number) => `${share < 0 ? 'loses' : 'gains'} ${percent(Math.abs(share))}`;

/** One isolated position. */
export function perpetualSentences(results: Members, terms: Members): string[] {
  const hours = Number(terms.trade_duration_hours);
  const term =
    hours % 24 === 0 ? `${plain(hours / 24)} ${hours === 24 ? 'day' : 'days'}` : `${plain(hours)} hours`;
  const liquidated = Number(results.PrLiquidation);
  const roi = (results.Roi ?? {}) as Readonly<Record<string, number>>;
  const equity = (results.FinalEquity ?? {}) as Readonly<Record<string, number>>;
  const amount = (value: number) =>
    terms.contract_type === 'linear'
      ? `${sixDigitsUsd(value)} USD`
      : `${plain(value, 4)} ${String(terms.market)}`;
  const first =
    liquidated > 0
      ? `In ${outOfMany(liquidated)} scenarios the position is liquidated within ${term}.`
      : `In no scenario is the position liquidated within ${term}.`;
  if (roi.q50 === undefined || roi.q05 === undefined || equity.q05 === undefined) return [first];
  const worst =
    equity.q05 === 0
      ? 'nothing of it is left'
      : `it ${returned(roi.q05)}${roi.q05 < 0 ? ' or more' : ' or less'}, and ${amount(equity.q05)} or less is left`;
  return [
    first,
    `In the middle of the scenarios it ${returned(roi.q50)} of its margin of ${amount(Number(terms.initial_margin))}; in one of twenty ${worst}.`,
  ];
}
