/**
 * What an answer warns of: figures that are right by their definition and yet easily read for more than they are.
 *
 * The closed list of codes with their meaning, from which openapi.json, the documents and the console are made. Must not know: who warns.
 */

/** One sentence for each code, for people: when it is given. */
export const WARNINGS = {
  'few-paths': 'Fewer than 100 paths were drawn: every figure is coarse.',
  'few-tail-scenarios':
    'Fewer than ten scenarios lie beyond the quantile that is furthest out, on either side: it is an extreme of the sample.',
  'few-rows':
    'Days are drawn from few rows of the window, and fewer than ten of them lie beyond a quantile or lead to an event: the figure is an extreme of the window, whatever the number of paths.',
  'gbm-tail':
    'A quantile of 99 % or beyond under GBM or GBM_VIX: losses of a day were beyond it more often than it says, and larger (docs/choosing.md).',
  'few-windows': 'The windows of history are worth fewer than ten that do not overlap.',
  'short-lookback': 'The model is fitted to fewer than ten days.',
  'daily-grid':
    'Windows of history or rows of the bootstrap are of daily closes, because not every asset has hours: what happens within a day is not seen.',
  'bridged-hours':
    'Hours of an asset that has daily prices only are drawn between its daily closes, by noise that the seed decides.',
  'garch-bound': 'A GARCH parameter lies on a bound of its range: the window says little about it.',
  'nu-bound': "The degrees of freedom of Student's t lie on a bound of their range.",
  filled: 'A quarter of the closes of a window or more were carried forward over holes.',
  'no-volatility-index': 'No asset of the request has a volatility index: GBM_VIX gives the figures of GBM.',
  'large-shock': 'Volatilities are more than six times those of the window.',
  'grace-covers-term': 'The grace period is as long as the term: no call can end in a closeout.',
  'other-volume': 'A market whose volume counts trades an asset that is no collateral.',
  'mostly-closed-out':
    'Most loans are closed out before they can be liquidated, which keeps PrLiquidation low.',
  'replay-proxy':
    'A replay takes the returns of another asset, or a price of 1, for an asset whose hourly prices are not held.',
  'replay-ended':
    'Prices end before the sales that were ordered in a replay are carried out: the last price is taken for them.',
  'stair-spans-target':
    'The score of an origination jumps over its target between two neighbouring candidates.',
} as const satisfies Readonly<Record<string, string>>;

export type WarningCode = keyof typeof WARNINGS;

export const WARNING_CODES = Object.keys(WARNINGS) as readonly WarningCode[];

/** What a warning is about: every figure, tails and quantiles, rare states and tails, replays, or figures by name. */
type Concern = 'all' | 'tails' | 'rare' | 'replay' | readonly string[];

/** For each code, the figures that it concerns. */
const CONCERNS: Readonly<Record<WarningCode, Concern>> = {
  'few-paths': 'all',
  'few-tail-scenarios': 'tails',
  'few-rows': 'rare',
  'gbm-tail': 'tails',
  'few-windows': 'all',
  'short-lookback': 'all',
  'daily-grid': 'all',
  'bridged-hours': 'all',
  'garch-bound': 'all',
  'nu-bound': 'all',
  filled: 'all',
  'no-volatility-index': 'all',
  'large-shock': 'all',
  'grace-covers-term': ['PrCloseout'],
  'other-volume': ['Maximum Market Daily Liquidation', 'AvgLiquidation'],
  'mostly-closed-out': ['PrLiquidation'],
  'replay-proxy': 'replay',
  'replay-ended': 'replay',
  'stair-spans-target': ['N'],
};

/** Quantiles and means beyond them: `LossCVar`, `1 d, 0.99: NetExposureVar`, `Roi q01`. */
const TAIL = /C?Var( |$)|\bq\d|^PeakDay|^CVarContribution/;
/** States that may be rare, and means over them. */
const STATE = /^(Unsold )?(Pr[A-Z]|ExpectedLoss|AvgLossPct)/;

/** Where a report has a warning: beside the losses of methodologies, beside replays, or before all figures. */
export type WarningTopic = 'losses' | 'replay' | 'all';

export function warningTopic(code: WarningCode): WarningTopic {
  const concern = CONCERNS[code];
  if (concern === 'tails' || concern === 'rare') return 'losses';
  return concern === 'replay' ? 'replay' : 'all';
}

/** Whether a warning concerns a figure more than the others of its answer. */
export function concerns(code: WarningCode, figure: string): boolean {
  const concern = CONCERNS[code];
  if (typeof concern !== 'string') return concern.includes(figure);
  if (concern === 'tails') return TAIL.test(figure);
  return concern === 'rare' && (TAIL.test(figure) || STATE.test(figure));
}

export interface Warning {
  readonly code: WarningCode;
  /** A sentence for the caller: what is the case, and what it does to which figures. */
  readonly message: string;
}
