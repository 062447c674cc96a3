/** Members of requests in the words of the page: messages of the server name members. */
import { ORIGINATION_SCORES } from '#core/figures/origination.ts';
import { figureWords } from './figure-names.ts';
import { NARROW, plain } from './format.ts';

const WORDS: Readonly<Record<string, string>> = {
  collateral_weights: 'Collateral',
  loan_weights: 'Loan',
  collateral: 'Collateral, units',
  loan: 'Loan, units',
  loan_value: 'Size of the loan',
  collateral_value: 'Value of the collateral',
  model_lookback: 'Lookback',
  loan_duration: 'Term',
  mc_top_up: 'Grace',
  mc_iter: 'Paths',
  analysis_date: 'Date',
  volatility_shock: 'Volatility shock',
  price_shock: 'Fall of prices',
  interest_rate: 'Interest',
  called_hours_ago: 'Called for',
  top_up: 'Answered calls',
  'top_up.share': 'Chance of an answer',
  'top_up.delay_hours': 'Answer after',
  'top_up.to_ltv': 'Answered up to an LTV',
  var_duration: 'Horizons',
  quantile: 'Levels',
  sale_delay: 'Sale delay',
  sale_cost: 'Sale cost',
  volume_lookback: 'Volume lookback',
  markets: 'Markets',
  participation_ratio: 'Participation',
  score_variable: 'Figure',
  score_target: 'Target',
  variable_min: 'Least ratio',
  variable_max: 'Largest ratio',
  error_tolerance: 'Tolerance',
  market: 'Market',
  trade_duration_hours: 'Duration',
  entry_price: 'Entry price',
  mark_price: 'Mark price',
  unrealized_pnl: 'Profit now',
  maintenance_margin_rate: 'Maintenance rate',
  maintenance_amount: 'Maintenance amount',
  taker_fee_rate: 'Fee of closing',
  liquidation_remainder: 'After a liquidation',
  initial_margin: 'Initial margin',
  position_size: 'Position',
  funding_rate: 'Funding rate',
  funding_interval_hour: 'Interval',
  contract_size: 'Contract size',
  contract_value_usd: 'Contract value',
  weights: 'Basket',
  short_weights: 'Less this basket',
  horizon: 'Horizon',
  N: 'Initial coverage N',
  M: 'Margin call M',
  L: 'Liquidation L',
  R: 'Recovery R',
  margin_call_ltv: 'margin call LTV',
  liquidation_ltv: 'liquidation LTV',
  initial_ltv: 'initial LTV',
  recovery_ltv: 'recovery LTV',
};

/** Longest names first, so that a part of a name does not match another one. */
const NAMES = Object.keys(WORDS).sort((a, b) => b.length - a.length);
/** Names that are words of the language, too, are replaced where a message begins with them only. */
const COMMON = new Set([
  'N',
  'M',
  'L',
  'R',
  'collateral',
  'loan',
  'market',
  'markets',
  'weights',
  'horizon',
  'quantile',
]);
const escaped = (name: string) => name.replace('.', '\\.');
const ALONE = new RegExp(
  `(?<![\\w.])(?:params\\.)?(?:opt_param\\.)?(${NAMES.filter(name => !COMMON.has(name))
    .map(escaped)
    .join('|')})(?![\\w])`,
  'g',
);
const FIRST = new RegExp(`^(?:params\\.)?(${[...COMMON].join('|')})(?= must)`);

/** Figures of answers that messages name. */
const FIGURE = new RegExp(`\\b(${[...Object.keys(ORIGINATION_SCORES), 'AvgLossPct'].join('|')})\\b`, 'g');

/** In capitals where a sentence begins with it. */
function figureInWords(name: string, _: string, at: number, message: string): string {
  const words = figureWords(name);
  return at === 0 || /[.:] $/.test(message.slice(0, at))
    ? `${words[0].toUpperCase()}${words.slice(1)}`
    : words;
}

/** Members whose fields are in per cent: the server tells their limits as fractions. */
const IN_PERCENT =
  /(?:_ltv|interest_rate|top_up\.share|to_ltv|volatility_shock|score_target|error_tolerance|participation_ratio|sale_cost|funding_rate|maintenance_margin_rate|taker_fee_rate|quantile(?:\.\d+)?|weights(?:\.[^.]+)?)$/;
/** What the server says to those who send per cent. */
const AS_FRACTION = /(?:, as a fraction|: weights are fractions|, 40 per cent)[^;(]*/g;
const NUMBER = /(?<!N = |[\w."])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w"]|\.\d)/g;

const inPercent = (message: string) =>
  message
    .replace(AS_FRACTION, '')
    .replace('a weight above 0', 'a share above 0')
    .replace(NUMBER, number => `${plain(100 * Number(number), 8)}${NARROW}%`);

/** A text that has two readings has a question at its field. */
const TWO_READINGS = /^(.*?) must be .*; got "([^"]*)\?"$/;

/**
 * A message of the server with its members and figures as the page names them, in the unit of its field.
 * @param path of the member
 */
export const inWords = (message: string, path = ''): string =>
  (IN_PERCENT.test(path) && !message.includes('WorstCaseCCR') ? inPercent(message) : message)
    .replace(TWO_READINGS, '$1 can be read in two ways: "$2"; choose one at its field')
    .replace(FIGURE, figureInWords)
    .replace(FIRST, (_, name: string) => WORDS[name])
    .replace(ALONE, (_, name: string) => WORDS[name]);

/** A path of a fault as the page names it: `params.loan_duration` is `Term`. */
export function placeInWords(path: string): string {
  const short = path.replace(/^params\./, '').replace(/^opt_param\./, '');
  const name = NAMES.find(each => short === each || short.startsWith(`${each}.`));
  if (name === undefined) return path;
  const rest = short.slice(name.length + 1);
  return rest === '' ? WORDS[name] : `${WORDS[name]}, ${rest}`;
}
