/**
 * The columns of a table by their headings: which is which, which may be which, and what is not used.
 *
 * Takes: headings, what the caller has named, and the cells for what a heading alone does not decide. Must not know: rows of loans.
 */
import { listed } from '../text/grouped.ts';
import { nearestName, simpleName } from '../text/nearest-name.ts';
import { type Cell, isEmptyCell } from '../text/numbers.ts';
import {
  type CellFault,
  columnOf,
  KNOWN_HEADINGS,
  NEEDED_COLUMNS,
  STANDS_FOR,
  TAPE_COLUMN_NAMES,
  TAPE_COLUMNS,
  type TapeColumn,
} from './columns.ts';
import { type Heading, likeness, readHeading } from './headings.ts';
import { dressedAmount } from './money.ts';
import { remedy } from './remedies.ts';

/** Most columns of a tape. */
const MAX_COLUMNS = 500;
/** Most columns in a message, and letters of their names. */
const MAX_SHOWN = 40;
const LONGEST = 40;

export interface FoundColumns {
  /** Index of each column of the tape. */
  readonly index: ReadonlyMap<TapeColumn, number>;
  /** Heading of each column that is found. */
  readonly headings: ReadonlyMap<TapeColumn, Heading>;
  /** Columns named as percentages. */
  readonly inPercent: ReadonlySet<TapeColumn>;
  /** Names in the tape of the columns that are found, and of those that are proposed for the others. */
  readonly names: Readonly<Partial<Record<TapeColumn, string>>>;
  /** Names of unused columns. */
  readonly notUsed: readonly string[];
  /** Of the columns of the tape; with any, no loan is complete. */
  readonly faults: readonly CellFault[];
}

/** What the caller says of the columns. */
export interface NamedColumns {
  /** Name in the tape, by column; it has precedence over known names. */
  readonly columns?: Readonly<Partial<Record<TapeColumn, string>>> | undefined;
  /** Names in the tape of columns that are not used. */
  readonly ignored?: readonly string[] | undefined;
}

/** The place of a name that the caller has written. */
function placeOf(header: readonly string[], name: string): number {
  const exact = header.findIndex(each => each.trim() === name.trim());
  if (exact >= 0) return exact;
  const simple = simpleName(name);
  const whole = header.findIndex(each => simpleName(each) === simple);
  return whole >= 0 ? whole : header.findIndex(each => readHeading(each).simple === simple && simple !== '');
}

/** How many columns a row names, if it is the header. */
export function namedColumns(
  header: readonly string[],
  { columns = {}, ignored = [] }: NamedColumns,
): number {
  const names = new Set<string>();
  for (const name of header) {
    // Numbers, dates and money are no headings.
    const found =
      /^\s*[a-z#%]/i.test(name) && name.length <= LONGEST_HEADING ? columnOf(readHeading(name)) : undefined;
    if (found !== undefined) names.add(found);
  }
  for (const [column, name] of Object.entries(columns)) if (placeOf(header, name) >= 0) names.add(column);
  return names.size + ignored.filter(name => placeOf(header, name) >= 0).length;
}

/** Letters of a heading at most. */
const LONGEST_HEADING = 60;

const DEBTS: readonly TapeColumn[] = ['loan_amount', 'loan_value'];

/**
 * Finds the columns by name.
 *
 * @param withDefault columns with a default, which may be absent
 * @param cellsOf cells of a column, by its place
 */
export function findColumns(
  header: readonly string[],
  named: NamedColumns = {},
  withDefault: ReadonlySet<TapeColumn> = new Set(),
  cellsOf: (at: number) => readonly Cell[] = () => [],
): FoundColumns {
  if (header.length > MAX_COLUMNS)
    return {
      index: new Map(),
      headings: new Map(),
      inPercent: new Set(),
      names: {},
      notUsed: [],
      faults: [
        {
          code: 'out_of_range',
          message: `the tape has ${header.length} columns, and at most ${MAX_COLUMNS} are read`,
          remedy: 'Leave out columns that are not of the loans.',
        },
      ],
    };
  const { columns: mapped = {}, ignored = [] } = named;
  const headings = header.map(readHeading);
  const index = new Map<TapeColumn, number>();
  const faults: CellFault[] = [];
  const away = new Set<number>();
  const placed = (name: string, use: (at: number) => void) => {
    const at = placeOf(header, name);
    if (at < 0)
      faults.push({
        code: 'unknown_member',
        message: `there is no column ${name}`,
        remedy: thereAre(header),
      });
    else use(at);
  };
  for (const [column, name] of Object.entries(mapped) as [TapeColumn, string][])
    placed(name, at => index.set(column, at));
  for (const name of ignored) placed(name, at => away.add(at));
  const taken = new Set([...index.values(), ...away]);
  const own = headings.map((heading, at) =>
    taken.has(at) || header[at].trim() === '' ? undefined : columnOf(heading),
  );
  const placesOf = (...columns: readonly TapeColumn[]) =>
    own.flatMap((column, at) => (column !== undefined && columns.includes(column) ? [at] : []));
  const take = (column: TapeColumn, at: number) => {
    index.set(column, at);
    taken.add(at);
  };
  if (!DEBTS.some(column => index.has(column))) faults.push(...findDebt(header, own, placesOf, take, index));
  for (const column of TAPE_COLUMN_NAMES) {
    if (index.has(column) || DEBTS.includes(column) || column === 'accrued_interest') continue;
    const other = STANDS_FOR[column];
    if (other !== undefined && index.has(other)) continue;
    const found = specific(column, placesOf(column), headings);
    if (found.length > 1 && column !== 'ltv')
      faults.push({
        code: 'repeated',
        message: `${listed(
          found.map(at => header[at]),
          MAX_SHOWN,
        ).replace(/, ([^,]*)$/, ' and $1')} ${found.length === 2 ? 'both' : 'all'} look like ${column}`,
        remedy: remedy('chooseColumn', ...found.map(at => `${header[at]}=${column}`)),
      });
    if (found.length > 0) take(column, found[0]);
  }
  const isMissing = (column: TapeColumn) => {
    const other = STANDS_FOR[column];
    return !index.has(column) && !withDefault.has(column) && (other === undefined || !index.has(other));
  };
  const open = () => header.flatMap((name, at) => (taken.has(at) || name.trim() === '' ? [] : [at]));
  const missing = [
    ...NEEDED_COLUMNS.filter(isMissing),
    ...(index.has('collateral_value') ? [] : (['collateral_amount'] as const).filter(isMissing)),
  ].filter(
    column =>
      !(column === 'loan_asset' && namesItsAsset(debtOf(index), headings, cellsOf)) &&
      !(
        column === 'collateral_asset' &&
        namesItsAsset(index.get('collateral_amount'), headings, cellsOf, 'USD')
      ) &&
      !(column === 'grace_hours' && hasNoCalls(index, cellsOf)),
  );
  const proposals = proposalsOf(missing, open(), header, headings, cellsOf);
  for (const column of missing) faults.push(missingFault(column, proposals.get(column), header));
  faults.push(...lookingLike(index, open(), header, headings));
  return {
    index,
    headings: new Map([...index].map(([column, at]) => [column, headings[at]])),
    inPercent: new Set([...index].filter(([, at]) => headings[at].unit === 'percent').map(([each]) => each)),
    names: Object.fromEntries([
      ...[...index].map(([column, at]) => [column, header[at]] as const),
      ...proposals,
    ]),
    notUsed: header.filter((_, at) => !taken.has(at)),
    faults,
  };
}

/** A column of ids rather than a counter of rows; others as they are. */
function specific(column: TapeColumn, found: readonly number[], headings: readonly Heading[]) {
  if (column !== 'loan_id' || found.length < 2) return found;
  const ofLoans = found.filter(at => headings[at].words.has('loan'));
  return ofLoans.length === 0 ? found : ofLoans;
}

/** The column of the debt: one, or the question which; accrued interest is a part of it only where the caller says so. */
function findDebt(
  header: readonly string[],
  own: readonly (TapeColumn | undefined)[],
  placesOf: (...columns: readonly TapeColumn[]) => readonly number[],
  take: (column: TapeColumn, at: number) => void,
  index: ReadonlyMap<TapeColumn, number>,
): CellFault[] {
  const debts = placesOf(...DEBTS);
  const accrued = index.has('accrued_interest') ? [] : placesOf('accrued_interest');
  if (debts.length === 0) return [];
  const pair = (at: number) => `${header[at]}=${own[at]}`;
  take(own[debts[0]] as TapeColumn, debts[0]);
  if (debts.length === 1 && accrued.length === 0) return [];
  const names = [...debts, ...accrued].map(at => header[at]).join(', ');
  return debts.length === 1
    ? [
        {
          code: 'repeated',
          message: `${names}: is the debt the first alone, or with the interest?`,
          remedy: remedy('addInterest', `${header[accrued[0]]}`),
        },
      ]
    : [
        {
          code: 'repeated',
          message: `${names}: several columns may be the debt`,
          remedy: remedy('chooseDebt', accrued.length === 0 ? '' : header[accrued[0]], ...debts.map(pair)),
        },
      ];
}

const debtOf = (index: ReadonlyMap<TapeColumn, number>) =>
  index.get('loan_amount') ?? index.get('loan_value');

/** Whether the heading of an amount, or each of its cells, names its asset. @param other a currency that names none */
function namesItsAsset(
  at: number | undefined,
  headings: readonly Heading[],
  cellsOf: (at: number) => readonly Cell[],
  other?: string,
): boolean {
  if (at === undefined) return false;
  const names = (currency: string | undefined) => currency !== undefined && currency !== other;
  if (headings[at].currency !== undefined) return names(headings[at].currency);
  const filled = cellsOf(at).filter(cell => !isEmptyCell(cell));
  return filled.length > 0 && filled.every(cell => names(dressedAmount(String(cell))?.currency));
}

/** Whether every loan is liquidated where it would be called, and so has no grace. */
function hasNoCalls(
  index: ReadonlyMap<TapeColumn, number>,
  cellsOf: (at: number) => readonly Cell[],
): boolean {
  const [calls, liquidations] = (['margin_call_ltv', 'liquidation_ltv'] as const).map(column => {
    const at = index.get(column);
    return at === undefined ? [] : cellsOf(at).map(String);
  });
  return calls.length > 0 && calls.every((cell, i) => cell === liquidations[i]);
}

/** Least likeness of a heading that is proposed. */
const LIKE = 0.5;
/** Cells that are looked at. */
const MAX_CELLS = 200;

/** The heading that may be each missing column: no heading for two. */
function proposalsOf(
  missing: readonly TapeColumn[],
  open: readonly number[],
  header: readonly string[],
  headings: readonly Heading[],
  cellsOf: (at: number) => readonly Cell[],
): ReadonlyMap<TapeColumn, string> {
  const pairs = missing.flatMap(column =>
    open.flatMap(at => {
      const known = (KNOWN_HEADINGS.get(column) ?? []).map(each => likeness(headings[at], each));
      const like = Math.max(...known, nearestName(header[at], [column]) === undefined ? 0 : LIKE);
      return like >= LIKE && fits(column, cellsOf(at)) ? [{ column, at, like }] : [];
    }),
  );
  const found = new Map<TapeColumn, string>();
  const used = new Set<number>();
  for (const { column, at } of pairs.sort((a, b) => b.like - a.like)) {
    if (found.has(column) || used.has(at)) continue;
    found.set(column, header[at]);
    used.add(at);
  }
  return found;
}

/** Whether most cells are of the kind of a column. */
function fits(column: TapeColumn, cells: readonly Cell[]): boolean {
  const filled = cells.filter(cell => !isEmptyCell(cell)).slice(0, MAX_CELLS);
  if (filled.length === 0) return true;
  const { kind } = TAPE_COLUMNS[column];
  if (kind === 'text') return true;
  const hits = filled.filter(cell =>
    kind === 'symbol'
      ? /^[a-z][a-z0-9.]{1,11}$/i.test(String(cell).trim())
      : kind === 'moment'
        ? /\d/.test(String(cell))
        : dressedAmount(String(cell)) !== undefined,
  ).length;
  return 2 * hits >= filled.length;
}

/** Headings of dates that decide how long a loan runs, and when its call ends. */
function lookingLike(
  index: ReadonlyMap<TapeColumn, number>,
  open: readonly number[],
  header: readonly string[],
  headings: readonly Heading[],
): CellFault[] {
  const looks: readonly (readonly [column: TapeColumn, isLike: (words: ReadonlySet<string>) => boolean])[] = [
    [
      'maturity',
      words =>
        words.has('maturity') ||
        (words.has('date') && ['due', 'end', 'repayment'].some(each => words.has(each))),
    ],
    ['called_at', words => words.has('call') && ['date', 'issued'].some(each => words.has(each))],
  ];
  return looks.flatMap(([column, isLike]) =>
    index.has(column)
      ? []
      : open
          .filter(at => isLike(headings[at].words) && headings[at].unit === undefined)
          .map(at => ({
            code: 'unknown_member',
            message: `${shortened(header[at])} looks like ${column}, and is not used`,
            remedy: remedy('useColumn', header[at], column),
          })),
  );
}

const thereAre = (header: readonly string[]) => {
  const named = header.filter(name => name.trim() !== '');
  const more = named.length - MAX_SHOWN;
  return `There are: ${named.slice(0, MAX_SHOWN).map(shortened).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
};

const shortened = (name: string) => (name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name);

function missingFault(
  column: TapeColumn,
  proposal: string | undefined,
  header: readonly string[],
): CellFault {
  const pair = `${proposal ?? 'name in the file'}=${column}`;
  const ofCollateral = column === 'collateral_amount';
  return {
    code: 'missing',
    message: ofCollateral
      ? 'no column is collateral_amount, and none is collateral_value'
      : `no column is ${column}`,
    remedy: TAPE_COLUMNS[column].ofLoan
      ? remedy('nameOrFill', pair, thereAre(header), column)
      : remedy('nameColumn', pair, thereAre(header)),
  };
}
