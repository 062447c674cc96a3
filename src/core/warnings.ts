/**
 * Warnings of an answer: figures that are right by their definition and easily misread.
 *
 * openapi.json, the documents and the console are made from this closed list of codes.
 */

/** The figures of a warning: every figure, tails and quantiles, rare states and tails, replays, or figures by name. */
type Concern = 'all' | 'tails' | 'rare' | 'replay' | readonly string[];

/** For each code: its figures, and a sentence for people on its condition. */
const DECLARED = {
  'few-paths': ['all', 'Fewer than 100 paths were simulated: every figure has a large sampling error.'],
  'few-tail-scenarios': [
    'tails',
    'Fewer than ten scenarios lie beyond the most extreme quantile, on either side: the figure is an extreme of the sample.',
  ],
  'few-rows': [
    'rare',
    'Scenarios are drawn from few rows of the window, and fewer than 30 of these rows lie beyond a quantile or lead to an event: the figure is an extreme of the window, whatever the number of paths.',
  ],
  'gbm-tail': [
    'tails',
    'A quantile of 99 % or beyond under GBM or GBM_VIX: in back-tests, losses of a day exceeded it more often than forecast, and by more (docs/choosing.md).',
  ],
  'normal-tail': [
    'tails',
    'A level of confidence above 99 % under GBM or GBM_VIX, or the most likely loss of a value: normal returns have no falls such as those of history (docs/advance-rate.md).',
  ],
  'few-episodes': [
    'all',
    'Fewer than five episodes of the history lose at a rate: windows that overlap are one event.',
  ],
  'few-triggers': [
    'all',
    'Fewer than 30 scenarios reach the fall of after_fall: figures of the exposures after it are null.',
  ],
  'tranche-target': [
    'all',
    'No attachment point below detach reaches the target of attach_for: figures of the tranche are null.',
  ],
  'capital-zero': [
    ['EconomicCapital'],
    'The mean loss is above the loss at a level: losses are rarer than the level shows, and a capital of 0 is no safety.',
  ],
  'not-monotone': [
    'all',
    'A figure of a reverse scenario crosses its bound more than once: there are larger falls at which it is below the bound.',
  ],
  'horizon-cut': [
    ['PDHorizon', 'ELHorizon', 'EL'],
    'A loan with credit figures runs longer than it is simulated: its horizon and its life are cut (docs/credit.md).',
  ],
  'no-drift': [
    ['ECL', 'CECL'],
    'Credit figures: prices have no drift, and no scenarios of the economy are weighted (docs/credit.md).',
  ],
  'few-windows': [
    'all',
    'The windows of history overlap and have the information of fewer than ten separate ones.',
  ],
  'short-lookback': ['all', 'The model is fitted to fewer than ten days.'],
  'daily-grid': [
    'all',
    'Windows of history or rows of the bootstrap use daily closes, because not every asset has hourly prices: moves within a day are not observed.',
  ],
  'bridged-hours': [
    'all',
    'An asset has daily prices only: its hourly prices between daily closes are simulated, with noise that depends on the seed.',
  ],
  'garch-bound': ['all', 'A GARCH parameter lies on a bound of its range: the window hardly determines it.'],
  'nu-bound': ['all', "The degrees of freedom of Student's t lie on a bound of their range."],
  filled: ['all', 'At least a quarter of the closes of a window were missing and carried forward.'],
  'price-jump': [
    'all',
    'A price in a window jumps by 20 times its usual move or more, and no other asset with it: the coin may have been redenominated.',
  ],
  'no-volatility-index': [
    'all',
    'No asset of the request has a volatility index: GBM_VIX gives the figures of GBM.',
  ],
  'starts-at-entry': [
    'all',
    'A perpetual without mark_price and unrealized_pnl starts at its entry price, which is not the last close.',
  ],
  'large-shock': ['all', 'Volatilities are more than six times those of the window.'],
  'grace-covers-term': [
    ['PrCloseout'],
    'The grace period is as long as the term: no call can end in a closeout.',
  ],
  'hourly-liquidation': [
    ['PrLiquidation', 'PrMarginCall', 'ForcedSales'],
    'A loan without a call (M equals L), as on a chain, is liquidated by the closes of steps: a chain judges every block, and liquidates more often.',
  ],
  'other-volume': [
    ['Maximum Market Daily Liquidation', 'AvgLiquidation'],
    'The volume includes a market whose asset is not collateral.',
  ],
  'mostly-closed-out': [
    ['PrLiquidation'],
    'Most loans are closed out before they can be liquidated, which keeps PrLiquidation low.',
  ],
  'joined-history': [
    'all',
    'A proxy continues the history of an asset before its first close: its log returns times beta stand in the window.',
  ],
  'replay-proxy': [
    'replay',
    'A replay has no hourly prices of an asset: it uses the line between its daily closes, the returns of another asset, or a constant price.',
  ],
  'replay-ended': [
    'replay',
    'Prices end before all sales ordered in a replay are executed: the last price is used for the rest.',
  ],
  'ratio-frozen': [
    'replay',
    'In a replay one side of a loan follows the other, or both follow the same asset: their ratio stands still, and no loss is possible from it.',
  ],
  'replay-cut': [
    'replay',
    'Terms of loans end within a replay: what prices do to these loans afterwards is in no figure. maturity_days says how long a loan lives, null without a maturity.',
  ],
  'pegged-pair': [
    'all',
    'Collateral and debt of a loan moved together over the window (correlation above 0.99): no methodology shows them part. A price_shock on one of them asks it.',
  ],
  'tape-remark': [
    'all',
    'The loan tape (text/csv) has contradictions, such as an amount that does not match its value, columns that are not used, or gaps that were filled, such as the horizon for a missing maturity.',
  ],
  'unused-member': [
    'all',
    'A member was sent that the methodology does not use, such as mc_iter under HISTORICAL: it changes no figure.',
  ],
  'old-venue': [
    'all',
    'The rules of the venue were looked up more than 180 days before the analysis date: compare them with the venue.',
  ],
  'called-at-start': [
    ['PrMarginCall'],
    'The account has a margin call at the start prices: PrMarginCall is 1.',
  ],
  'mark-far': ['all', 'A mark price differs from the price of its market by more than 5 %.'],
  'hourly-checks': [
    ['PrMarginCall', 'PrForcedClose', 'PrTakenOver', 'PrShortfall'],
    'Prices are compared by the hour alone: touches within an hour are missed, and jumps over the line look like shortfalls. Use intra_hour bridge.',
  ],
  'funding-constant': [
    ['AccFunding'],
    'All funding rates are numbers over more than a week: what funding may become is not simulated.',
  ],
  'stair-spans-target': [
    ['N'],
    'The score of an origination jumps over its target between two neighbouring candidates.',
  ],
} as const satisfies Readonly<Record<string, readonly [Concern, string]>>;

export type WarningCode = keyof typeof DECLARED;

export const WARNING_CODES = Object.keys(DECLARED) as readonly WarningCode[];

export const WARNINGS = Object.fromEntries(WARNING_CODES.map(code => [code, DECLARED[code][1]])) as Readonly<
  Record<WarningCode, string>
>;

const concernOf = (code: WarningCode): Concern => DECLARED[code][0];

/** Quantiles and means beyond them: `LossCVar`, `1 d, 0.99: NetExposureVar`, `Roi q01`. */
const TAIL = /C?Var( |$)|\bq\d|^PeakDay|^CVarContribution/;
/** States that may be rare, and means over them. */
const STATE = /^(Unsold )?(Pr[A-Z]|ExpectedLoss|AvgLossPct)/;

/** The place of a warning in a report: beside the losses of methodologies, beside replays, or before all figures. */
export type WarningTopic = 'losses' | 'replay' | 'all';

export function warningTopic(code: WarningCode): WarningTopic {
  const concern = concernOf(code);
  if (concern === 'tails' || concern === 'rare') return 'losses';
  return concern === 'replay' ? 'replay' : 'all';
}

/** Whether a warning concerns a figure more than the others of its answer. */
export function concerns(code: WarningCode, figure: string): boolean {
  const concern = concernOf(code);
  if (typeof concern !== 'string') return concern.includes(figure);
  if (concern === 'tails') return TAIL.test(figure);
  return concern === 'rare' && (TAIL.test(figure) || STATE.test(figure));
}

export interface Warning {
  readonly code: WarningCode;
  /** A sentence for the caller: the condition, and its effect on which figures. */
  readonly message: string;
}

/** The warning where its condition holds, none otherwise. */
export const warnIf = (holds: boolean, code: WarningCode, message: string): readonly Warning[] =>
  holds ? [{ code, message }] : [];
