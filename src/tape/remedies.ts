/**
 * What corrects a fault of a tape. Most remedies are the same words for every reader; one that names an option of the reading is data, and
 * each audience has its own words for options.
 */

export type Remedy = string | OptionRemedy;

/** A sentence by its kind, and the values in it. */
export interface OptionRemedy {
  readonly kind: keyof typeof SENTENCES;
  readonly values: readonly string[];
}

/** How the reader of a remedy sets the options. */
export interface OptionWords {
  readonly dates: string;
  readonly comma: string;
  readonly point: string;
  /** @param percent whether the columns are in per cent, too */
  readonly ratios: (columns: readonly string[], percent: boolean) => string;
  readonly headerRow: string;
  readonly accept: (id: string) => string;
  readonly smallestUnits: (columns: readonly string[]) => string;
  readonly percent: (column: string) => string;
  readonly fractions: (column: string) => string;
  /** @param pair `their name=our column` */
  readonly nameColumn: (pair: string) => string;
  /** One or more of these, as what is said. */
  readonly columns: (pairs: readonly string[]) => string;
  readonly fillCells: (column: string) => string;
  readonly lastDay: string;
  readonly lookback: string;
  readonly skipFaulty: string;
  /** An asset before whose first close another one stands. */
  standIn(asset: string): string;
  readonly market: string;
}

const SENTENCES = {
  dates: ({ dates }: OptionWords) => dates,
  dayFirst: ({ dates }: OptionWords) => `${dates} Or write the year with four digits.`,
  decimal: ({ comma, point }: OptionWords) =>
    `${point} if commas stand between thousands; ${lower(comma)} if they stand before the fraction.`,
  ratios: ({ ratios }: OptionWords, columns: string, percent: string) =>
    `${ratios(columns.split(' '), percent !== '')}, and they are read as 1 / x.`,
  headerRow: ({ headerRow }: OptionWords) => headerRow,
  accept: ({ accept }: OptionWords, id: string) =>
    `Correct the amounts or their units, or ${accept(id)} if they are right.`,
  smallestUnits: ({ smallestUnits }: OptionWords, columns: string) =>
    `${smallestUnits(columns.split(' '))} if it is; else correct the amounts.`,
  points: ({ comma }: OptionWords, whole: string) =>
    `${comma} if the points stand between thousands; or write ${whole}.`,
  commas: ({ comma, point }: OptionWords, whole: string) =>
    `${point} if the comma stands between thousands, ${lower(comma)} if it stands before the fraction; or write ${whole}.`,
  mark: ({ comma }: OptionWords) =>
    `${comma} if the comma stands before the fraction; else write numbers without a mark between thousands.`,
  percent: ({ percent }: OptionWords, column: string, cell: string, fraction: string) =>
    `${percent(column)} if the column is in per cent; else write the cell as "${cell} %" or ${fraction}.`,
  fractions: ({ fractions }: OptionWords, column: string, perCent: string) =>
    `Write ${perCent}, or ${fractions(column)} if the column has fractions.`,
  nameColumn: ({ nameColumn }: OptionWords, pair: string, thereAre: string) =>
    `${nameColumn(pair)}. ${thereAre}`,
  nameOrFill: ({ nameColumn, fillCells }: OptionWords, pair: string, thereAre: string, column: string) =>
    `${nameColumn(pair)}. ${thereAre} Or give all loans one${fillCells(column)}`,
  chooseColumn: ({ columns }: OptionWords, ...pairs: string[]) =>
    `Say which: ${pairs.map(pair => columns([pair])).join(' or ')}.`,
  chooseDebt: ({ columns }: OptionWords, accrued: string, ...pairs: string[]) =>
    `Say which: ${pairs.map(pair => columns([pair])).join(' or ')}.${accrued === '' ? '' : ` To add the interest, too: ${columns([pairs[0], `${accrued}=accrued_interest`])}.`}`,
  addInterest: ({ columns }: OptionWords, accrued: string) =>
    `Say ${columns([`${accrued}=accrued_interest`])} to add it to the debt, or ${columns([`${accrued}=-`])} where the debt has it already or shall be without.`,
  useColumn: ({ columns }: OptionWords, name: string, column: string) =>
    `Say ${columns([`${name}=${column}`])}, or ${columns([`${name}=-`])} if it is another thing.`,
  writeOrFill: ({ fillCells }: OptionWords, column: string) =>
    `Write it in a row of the loan, or give all loans without one the same${fillCells(column)}`,
  newerData: ({ lastDay }: OptionWords) => `Take newer data or a later ${lastDay}, or leave called_at empty.`,
  importPrices: ({ market }: OptionWords, asset: string) =>
    `Import prices of ${asset} (market import), or correct the symbol. ${market} what there is.`,
  joinHistory: ({ lookback, skipFaulty, standIn }: OptionWords, asset: string) =>
    `Name an asset that stands in before its first close (${standIn(asset)}), or import these prices (market import), or take a shorter window (${lookback}), or leave its loans out (${skipFaulty}).`,
  importHistory: ({ lookback, skipFaulty, lastDay }: OptionWords, asset: string) =>
    `Import these prices of ${asset} (market import), or take a shorter window (${lookback}) or another ${lastDay}, or leave its loans out (${skipFaulty}).`,
} as const satisfies Readonly<Record<string, (words: OptionWords, ...values: string[]) => string>>;

export const REMEDY_KINDS = Object.keys(SENTENCES) as readonly OptionRemedy['kind'][];

const lower = (text: string) => `${text[0].toLowerCase()}${text.slice(1)}`;

export const remedy = (
  kind: OptionRemedy['kind'],
  ...values: readonly (string | number)[]
): OptionRemedy => ({
  kind,
  values: values.map(String),
});

export function remedyText(of: Remedy, words: OptionWords): string {
  if (typeof of === 'string') return of;
  const sentence: (words: OptionWords, ...values: string[]) => string = SENTENCES[of.kind];
  return sentence(words, ...of.values);
}

/** The options of the command line. */
export const COMMAND_WORDS: OptionWords = {
  dates: 'Say it: --dates dmy (31.01.2026) or --dates mdy (01/31/2026).',
  comma: 'Say --decimal comma',
  point: 'Say --decimal point',
  ratios: (columns, percent) =>
    `Say --ratios ${columns.join(' ')}${percent ? ` --percent ${columns.join(' ')}` : ''}`,
  accept: id => `say --accept ${id}`,
  smallestUnits: columns => `Say --smallest-units ${columns.join(' ')}`,
  headerRow: 'Say --header-row with the line of the names of the columns.',
  percent: column => `Say --percent ${column}`,
  fractions: column => `say --fractions ${column}`,
  nameColumn: pair => `Name it: --columns "${pair}"`,
  columns: pairs => `--columns ${pairs.map(pair => `"${pair}"`).join(' ')}`,
  fillCells: column => `: --default ${column}=...`,
  lastDay: '--as-of',
  lookback: '--lookback',
  skipFaulty: '--skip-faulty',
  standIn: asset => `--proxy ${asset}=ETH`,
  market: '`market list` shows',
};
