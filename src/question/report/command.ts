/** The command `book` that repeats a report of a server. */
import { trancheText, type WaterfallSent } from '../../desk/tranches.ts';
import type { TapeOptions } from '../../tape/read-tape.ts';
import { type Day, formatIsoDate } from '../../text/calendar-date.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { ReportTerms } from './make-result.ts';

export interface CommandTerms extends Omit<ReportTerms, 'command' | 'limits'> {
  readonly file: string;
  /** Of a spreadsheet. */
  readonly sheet?: string | undefined;
  readonly tape: TapeOptions;
  readonly asOf: Day;
  readonly skipFaulty: boolean;
  readonly hasLimits: boolean;
  readonly synthetic: boolean;
}

const list = (option: string, words: readonly (string | number)[] = []): readonly string[] =>
  words.length === 0 ? [] : [option, ...words.map(String)];

/** The option takes a rate; other terms of credit figures are members of a request alone. */
const creditWords = (credit: object | undefined): readonly string[] => {
  if (credit === undefined) return [];
  const { effective_rate } = credit as { effective_rate?: number | string };
  return ['--credit', ...(effective_rate === undefined ? [] : [String(effective_rate)])];
};

const waterfallWords = ({
  tranches = [],
  reserve,
  excess_spread: spread,
  economic_capital: capital = false,
}: WaterfallSent = {}): readonly string[] => [
  ...list('--tranches', tranches.map(trancheText)),
  ...(reserve === undefined ? [] : ['--reserve', String(reserve)]),
  ...(spread === undefined ? [] : ['--excess-spread', String(spread)]),
  ...(capital ? ['--capital'] : []),
];

/** Its file of limits is `limits.txt`; it writes both forms of the answer. */
export function reportCommand(terms: CommandTerms): string {
  const { columns = {}, ignored = [], defaults = {}, ...tape } = terms.tape;
  const names = Object.entries(columns).map(([ours, theirs]) => `${theirs}=${ours}`);
  const proxies = Object.entries(terms.proxy ?? {}).map(
    ([of, { asset, beta }]) => `${of}=${asset}${beta === undefined ? '' : `*${beta}`}`,
  );
  const words = [
    'book',
    terms.file,
    ...list('--sheet', terms.sheet === undefined ? [] : [terms.sheet]),
    ...list('--columns', [...names, ...ignored.map(name => `${name}=-`)]),
    ...list(
      '--default',
      Object.entries(defaults).map(([column, value]) => `${column}=${value}`),
    ),
    ...list('--percent', tape.percent),
    ...list('--fractions', tape.fractions),
    ...list('--ratios', tape.ratios),
    ...list('--smallest-units', tape.smallestUnits),
    ...list('--accept', tape.accept),
    ...list('--header-row', tape.headerRow === undefined ? [] : [tape.headerRow]),
    ...list('--dates', tape.dates === undefined ? [] : [tape.dates]),
    ...list('--decimal', tape.decimal === undefined ? [] : [tape.decimal]),
    ...(terms.skipFaulty ? ['--skip-faulty'] : []),
    ...['--as-of', formatIsoDate(terms.asOf), '--days', String(terms.horizonDays)],
    ...list('--types', terms.types),
    ...['--lookback', String(terms.lookbackDays), '--paths', String(terms.paths)],
    ...list('--levels', terms.levels),
    ...(terms.falls.length === 0 ? ['--no-stress'] : list('--falls', terms.falls)),
    ...list('--rises', terms.rises),
    ...list('--proxy', proxies),
    ...['--sale-delay', String(terms.saleDelayHours), '--sale-cost', String(terms.saleCost)],
    ...['--seed', String(terms.seed), '--backtest-days', String(terms.backtestDays)],
    ...list(
      '--until',
      (terms.until ?? []).map(({ text }) => text),
    ),
    ...creditWords(terms.credit),
    ...waterfallWords(terms.waterfall),
    ...['--title', terms.title],
    ...(terms.compare === undefined ? [] : ['--compare', terms.compare]),
    ...(terms.hasLimits ? ['--limits', 'limits.txt'] : []),
    ...(terms.synthetic ? ['--market', 'sample'] : []),
    ...['--html', 'report.html', '--json', 'report.json'],
  ];
  return ['collateral-risk-engine', ...words.map(shellWord)].join(' ');
}
