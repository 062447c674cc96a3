/**
 * What an answer warns of: figures that are right by their definition and yet easily read for more than they are.
 *
 * The closed list of codes with their meaning, from which openapi.json, the documents and the console are made. Must not know: who warns.
 */

/** One sentence for each code, for people: when it is given. */
export const WARNINGS = {
  'few-paths': 'Fewer than 100 paths were simulated: every figure has a large sampling error.',
  'few-tail-scenarios':
    'Fewer than ten scenarios lie beyond the most extreme quantile, on either side: the figure is an extreme of the sample.',
  'few-rows':
    'Scenarios are drawn from few rows of the window, and fewer than ten of these rows lie beyond a quantile or lead to an event: the figure is an extreme of the window, whatever the number of paths.',
  'gbm-tail':
    'A quantile of 99 % or beyond under GBM or GBM_VIX: in back-tests, losses of a day exceeded it more often than forecast, and by more (docs/choosing.md).',
  'few-windows': 'The windows of history overlap and have the information of fewer than ten separate ones.',
  'short-lookback': 'The model is fitted to fewer than ten days.',
  'daily-grid':
    'Windows of history or rows of the bootstrap use daily closes, because not every asset has hourly prices: moves within a day are not observed.',
  'bridged-hours':
    'Hourly prices of an asset that has daily prices only are simulated between its daily closes, with noise that depends on the seed.',
  'garch-bound': 'A GARCH parameter lies on a bound of its range: the window hardly determines it.',
  'nu-bound': "The degrees of freedom of Student's t lie on a bound of their range.",
  filled: 'A quarter of the closes of a window or more were missing and carried forward.',
  'no-volatility-index': 'No asset of the request has a volatility index: GBM_VIX gives the figures of GBM.',
  'large-shock': 'Volatilities are more than six times those of the window.',
  'grace-covers-term': 'The grace period is as long as the term: no call can end in a closeout.',
  'other-volume': 'The volume includes a market of an asset that is not collateral.',
  'mostly-closed-out':
    'Most loans are closed out before they can be liquidated, which keeps PrLiquidation low.',
  'replay-proxy':
    'A replay uses the returns of another asset, or a constant price of 1, for an asset without hourly prices.',
  'replay-ended':
    'Prices end before all sales ordered in a replay are executed: the last price is used for the rest.',
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
