/**
 * Every remedy that asks for another cell or row: written as it says, the loan has the right figure. Cells are the forms of a kind of column
 * in each of its columns; a new remedy of src/tape needs a row.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { valueTape } from '#src/desk/value-tape.js';
import { faultsOfRows } from '#src/question/report/valuing.js';
import { readCell } from '#src/tape/cells.js';
import { TAPE_COLUMN_NAMES, TAPE_COLUMNS, type TapeColumn } from '#src/tape/columns.js';
import type { TapeOptions } from '#src/tape/read-tape.js';
import { COMMAND_WORDS, remedyText } from '#src/tape/remedies.js';
import { textTable } from '#src/tape/tables.js';
import type { TapeLoan } from '#src/tape/tape.js';
import { TAPE_MARKET } from '../support/answered-tape.ts';
import { AS_OF_MS, PRICES } from '../support/generated-tape.ts';

const TODAY = AS_OF_MS / 86_400_000;
/** Texts of the remedies that were followed here. */
const followed = new Set<string>();

/** A tape as the report reads it, the rules of /book_risk included. */
async function readTape(lines: readonly string[], options: TapeOptions) {
  const terms = { ...options, horizonDays: 30, asOf: TODAY - 1 };
  const now = new Date(AS_OF_MS + 3_600_000);
  const table = textTable([...lines, ''].join('\n'));
  const { faults, loans } = await valueTape(table, terms, TAPE_MARKET, now, rows =>
    faultsOfRows(rows, PRICES, TODAY, 100),
  );
  return {
    loans,
    faults: faults.map(fault => ({ ...fault, remedy: remedyText(fault.remedy, COMMAND_WORDS) })),
  };
}

/** The cells of a usual loan by column. */
const USUAL = {
  loan_id: 'a',
  collateral_asset: 'BTC',
  collateral_amount: '2',
  loan_asset: 'USD',
  loan_amount: '50000',
  margin_call_ltv: '0.8',
  liquidation_ltv: '0.9',
  grace_hours: '24',
} as const satisfies Partial<Record<TapeColumn, string>>;
type Cells = Partial<Record<TapeColumn, string>>;

/** Lines of rows, each with the columns of all. */
function linesOf(rows: readonly Cells[]): readonly string[] {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))] as TapeColumn[];
  const quoted = (cell = '') => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return [names.join(','), ...rows.map(row => names.map(name => quoted(row[name])).join(','))];
}

/** The cells that a remedy writes out. */
const written = (remedy: string): readonly string[] =>
  [...remedy.matchAll(/(?:[Ww]rite(?: the cell as)?|or) "?(\d[\d.:TZ-]*(?<![.:])(?: %)?)"?(?![\w])/g)].map(
    ([, cell]) => cell,
  );

interface CellCase {
  readonly cell: string;
  /** The figure of the loan. */
  readonly is: number;
  /** What a person writes where the remedy writes no cell out. */
  readonly person?: string;
  readonly options?: (column: TapeColumn) => TapeOptions;
  /** Columns of the kind that have such a cell. */
  readonly in?: RegExp;
}

const DAY = Date.UTC(2025, 11, 31);
/** A size of an amount that is usual in its column. */
const sizes = (sizes: Readonly<Record<string, number>>) =>
  Object.entries(sizes).flatMap(([column, size]): readonly CellCase[] =>
    ['# lots', 'ca. #', '# or so, in cold storage', '# @ 5'].map(form => ({
      cell: form.replace('#', String(size)),
      is: size,
      person: String(size),
      in: RegExp(`^${column}$`),
    })),
  );
const CELLS: Readonly<Record<string, readonly CellCase[]>> = {
  amount: sizes({
    collateral_amount: 3,
    collateral_value: 90_000,
    loan_amount: 30_000,
    loan_value: 30_000,
    accrued_interest: 3000,
  }),
  fraction: [
    { cell: '30 % max', is: 0.3 },
    { cell: 'max 0.3', is: 0.3 },
    { cell: '0.3 to 0.4', is: 0.3, person: '0.3' },
    { cell: '0.3', is: 0.3, options: column => ({ percent: [column] }), in: /ltv$/ },
  ],
  number: [{ cell: '3 or so', is: 3 }],
  hours: [
    { cell: '3 weeks', is: 504 },
    { cell: '180 min', is: 3 },
    { cell: '36 business hours', is: 36 },
    { cell: 'T+2', is: 48, person: '48' },
  ],
  moment: [
    { cell: '46022', is: DAY },
    { cell: '20251231', is: DAY },
    { cell: 'end of 2025', is: DAY, person: '2025-12-31' },
    { cell: '2025-02-30', is: DAY, person: '2025-12-31' },
  ],
};

/** Cells beside a column without which a loan lacks something. */
const BESIDE: Readonly<Partial<Record<TapeColumn, Cells>>> = {
  liquidation_ltv: { margin_call_ltv: '0.2' },
  top_up_share: { top_up_delay_hours: '4', top_up_to_ltv: '0.3' },
  top_up_delay_hours: { top_up_share: '0.5', top_up_to_ltv: '0.3', grace_hours: '600' },
  top_up_to_ltv: { top_up_share: '0.5', top_up_delay_hours: '4' },
  partial_sale_max_share: { partial_sale_to_ltv: '0.3' },
};
/** Columns that another one stands for. */
const IN_PLACE: Readonly<Partial<Record<TapeColumn, TapeColumn>>> = {
  loan_value: 'loan_amount',
  collateral_value: 'collateral_amount',
  grace_days: 'grace_hours',
};

function rowOf(column: TapeColumn, cell: string): Cells {
  const row: Cells = { ...USUAL, ...BESIDE[column], [column]: cell };
  const replaced = IN_PLACE[column];
  if (replaced !== undefined) delete row[replaced];
  return row;
}

/** The figure of a column. */
function figureOf(column: TapeColumn, { terms, collateral, loanAmount, loanValueUsd }: TapeLoan): unknown {
  if (column === 'loan_amount') return loanAmount;
  if (column === 'accrued_interest') return Number(loanAmount) - Number(USUAL.loan_amount);
  if (column === 'loan_value') return loanValueUsd;
  if (column === 'collateral_amount') return collateral[0].amount;
  if (column === 'collateral_value') return collateral[0].valueUsd;
  if (column === 'grace_days') return terms.grace_hours;
  // A loan is due at the end of its day.
  if (column === 'maturity') return Number(terms.maturity) - 86_400_000;
  return terms[column as keyof typeof terms];
}

const OF_CELLS = TAPE_COLUMN_NAMES.flatMap(column =>
  (CELLS[TAPE_COLUMNS[column].kind] ?? [])
    .filter(each => each.in?.test(column) ?? true)
    .map(each => ({ column, ...each })),
);

/** Columns whose figure no loan of the tape has: the tape's own LTV. */
const NO_FIGURE: readonly TapeColumn[] = ['ltv'];

describe('A remedy of a cell', () => {
  it.each(OF_CELLS.filter(({ column }) => !NO_FIGURE.includes(column)))(
    'leads to the right figure: $cell of $column',
    async ({ column, cell, is, person, options = () => ({}) }) => {
      const columns: TapeOptions =
        column === 'accrued_interest' ? { columns: { accrued_interest: 'accrued_interest' } } : {};
      const accepted = { ...options(column), ...columns, accept: ['a'] };
      const { faults } = await readTape(linesOf([rowOf(column, cell)]), accepted);
      const fault = faults.find(each => each.column === column && each.code !== 'missing');
      if (fault === undefined) throw new Error(`${cell} is read: ${JSON.stringify(faults)}`);
      followed.add(fault.remedy);
      const found = written(fault.remedy);
      const own = column === 'grace_days' ? String(Number(person) / 24) : person;
      const cells = found.length > 0 && !/^Write 2026-01-31/.test(fault.remedy) ? found : [own ?? ''];
      expect(cells, fault.remedy).not.toEqual([]);
      for (const again of cells) {
        const mended = await readTape(linesOf([rowOf(column, again)]), accepted);
        expect(
          mended.faults.filter(each => each.column === column && each.code === 'malformed'),
          again,
        ).toEqual([]);
        expect(figureOf(column, mended.loans[0]), `${again}: ${fault.remedy}`).toBeCloseTo(is, 9);
      }
    },
  );
});

describe('A remedy of a mark', () => {
  it.each([
    ['points', '15.000.000', 15_000_000],
    ['commas', '179,632', 179_632],
    ['mark', '1,79632', 179_632],
  ] as const)('leads to the right figure: %s', (kind, cell, is) => {
    const read = readCell('loan_amount', cell, { percent: new Set() });
    if ('value' in read || typeof read.remedy === 'string') throw new Error(`${cell} has no such remedy`);
    expect(read.remedy.kind).toBe(kind);
    const [again = String(is)] = remedyText(read.remedy, COMMAND_WORDS).match(/(?<=or write )\d+/) ?? [];
    expect(readCell('loan_amount', again, { percent: new Set() })).toEqual({ value: is });
  });

  it('leads to the right figure: no mark', () => {
    const forms = { percent: new Set<TapeColumn>(), decimal: 'point' } as const;
    const read = readCell('loan_amount', '17 96,32', forms);
    if ('value' in read) throw new Error('it is read');
    followed.add(String(read.remedy));
    expect(readCell('loan_amount', '179632', forms)).toEqual({ value: 179_632 });
  });
});

interface RowCase {
  /** Words of the remedy. */
  readonly says: RegExp;
  readonly lines: readonly string[];
  readonly options?: TapeOptions;
  /** The tape as the remedy says. */
  readonly mended: readonly string[];
  readonly of: (loan: TapeLoan, loans: readonly TapeLoan[]) => unknown;
  readonly is: unknown;
}

const withCells = (...rows: readonly Cells[]) => linesOf(rows.map(row => ({ ...USUAL, ...row })));
const without = (column: keyof typeof USUAL, more: Cells = {}) => {
  const { [column]: _, ...rest } = USUAL;
  return linesOf([{ ...rest, ...more }]);
};
const debt = ({ loanAmount }: TapeLoan) => loanAmount;
const units = ({ collateral }: TapeLoan) => collateral.map(({ amount }) => amount);
const count = (_: TapeLoan, loans: readonly TapeLoan[]) => loans.length;
const NEXT = '2026-03-05';

const ROWS: Readonly<Record<string, RowCase>> = {
  'a debt with a minus sign among others': {
    says: /Write 50000 if the sign marks a debt or a credit/,
    lines: withCells({ loan_amount: '-50000' }, { loan_id: 'b' }),
    mended: withCells({ loan_amount: '50000' }, { loan_id: 'b' }),
    of: debt,
    is: 50_000,
  },
  'another currency than the asset': {
    says: /Correct loan_asset, or write the amount in its units, or in USD in a column loan_value/,
    lines: withCells({ loan_amount: 'EUR 50000' }),
    mended: withCells({ loan_amount: '50000', loan_asset: 'EUR' }),
    of: loan => [loan.loanAsset, loan.loanAmount],
    is: ['EUR', 50_000],
  },
  'another currency than the collateral': {
    says: /Correct collateral_asset, or write the amount in its units/,
    lines: withCells({ collateral_amount: '2 ETH' }),
    mended: withCells({ collateral_amount: '2 ETH', collateral_asset: 'ETH', loan_amount: '2000' }),
    of: units,
    is: [2],
  },
  'a value in another currency': {
    says: /Write the value in USD, or the units in collateral_amount/,
    lines: without('collateral_amount', { collateral_value: 'EUR 100000' }),
    mended: withCells({}),
    of: units,
    is: [2],
  },
  'no asset': {
    says: /Write the symbol of the asset in every row: BTC/,
    lines: withCells({ collateral_asset: '' }),
    mended: withCells({}),
    of: loan => loan.collateral[0].asset,
    is: 'BTC',
  },
  'no units': {
    says: /Write the units of the asset, or their value in USD/,
    lines: withCells({ collateral_amount: '' }),
    mended: withCells({ collateral_value: '100000', collateral_amount: '' }),
    of: loan => loan.collateral[0].valueUsd,
    is: 100_000,
  },
  'a row without collateral': {
    says: /Leave out a row without collateral/,
    lines: withCells({}, { collateral_asset: 'ETH', collateral_amount: '0' }),
    mended: withCells({}),
    of: units,
    is: [2],
  },
  'an asset twice': {
    says: /Write an asset once for a loan, with its whole amount/,
    lines: withCells({}, { collateral_amount: '1' }),
    mended: withCells({ collateral_amount: '3' }),
    of: units,
    is: [3],
  },
  'two values of a loan': {
    says: /Say it once for a loan, or the same in all of its rows/,
    lines: withCells({}, { collateral_asset: 'ETH', loan_amount: '60000' }),
    mended: withCells({}, { collateral_asset: 'ETH', loan_amount: '' }),
    of: debt,
    is: 50_000,
  },
  'a threshold of one asset alone': {
    says: /Write the liquidation LTV of every asset, or the same in all rows/,
    lines: withCells(
      {},
      { collateral_asset: 'ETH', liquidation_ltv: '0.85' },
      { collateral_asset: 'USDC', liquidation_ltv: '' },
    ),
    mended: withCells(
      {},
      { collateral_asset: 'ETH', liquidation_ltv: '0.85' },
      { collateral_asset: 'USDC', liquidation_ltv: '0.95' },
    ),
    of: ({ collateral }) => collateral.map(({ liquidationLtv }) => liquidationLtv),
    is: [0.9, 0.85, 0.95],
  },
  'too many rows of one id': {
    says: /Give each loan an id of its own/,
    lines: withCells(...Array.from({ length: 33 }, () => ({}))),
    mended: withCells(...Array.from({ length: 33 }, (_, i) => ({ loan_id: `a${i}` }))),
    of: count,
    is: 33,
  },
  'no id': {
    says: /Give every row the id of its loan/,
    lines: withCells({}, { loan_id: '' }),
    mended: withCells({}, { loan_id: 'b' }),
    of: count,
    is: 2,
  },
  'ids in exponent form': {
    says: /Format the column of ids as text in the spreadsheet/,
    lines: withCells({ loan_id: '1.00245E+15' }, { loan_id: '1.00245E+15' }),
    mended: withCells({ loan_id: '1002450000000017' }, { loan_id: '1002450000000025' }),
    of: count,
    is: 2,
  },
  'no rows': {
    says: /Write a row for each loan below the names of the columns/,
    lines: linesOf([USUAL]).slice(0, 1),
    mended: withCells({}),
    of: count,
    is: 1,
  },
  'a mark inside a field': {
    says: /Put quotes around a field that holds the mark between fields/,
    lines: [...withCells({}), 'b,BTC,2,USD,50,000,0.8,0.9,24'],
    mended: [...withCells({}), 'b,BTC,2,USD,"50,000.00",0.8,0.9,24'],
    of: (_, loans) => loans[1].loanAmount,
    is: 50_000,
  },
  'too many columns': {
    says: /Leave out columns that are not of the loans/,
    lines: withCells({}).map(line => `${line}${',x'.repeat(1100)}`),
    mended: withCells({}),
    of: debt,
    is: 50_000,
  },
  'a smallest unit that is not known': {
    says: /Write the amount in units of the asset/,
    lines: withCells({ collateral_asset: 'EUR', collateral_amount: '100000' }),
    options: { smallestUnits: ['collateral_amount'] },
    mended: withCells({ collateral_asset: 'EUR', collateral_amount: '100000' }),
    of: units,
    is: [100_000],
  },
  'a day of a spreadsheet': {
    says: /Show the column as dates, and save the file again/,
    lines: withCells({ maturity: '46386' }),
    mended: withCells({ maturity: '2026-12-30' }),
    of: loan => new Date(Number(loan.terms.maturity) - 1).toISOString().slice(0, 10),
    is: '2026-12-30',
  },
  'a call in the future': {
    says: /Correct called_at \(UTC\), or leave it empty/,
    lines: withCells({ called_at: NEXT }),
    mended: withCells({ called_at: '' }),
    of: loan => loan.terms.called_at,
    is: undefined,
  },
  'an LTV of origination beyond the liquidation': {
    says: /Correct initial_ltv, or write the LTV at which a call is cured in recovery_ltv/,
    lines: withCells({ initial_ltv: '0.95' }),
    mended: withCells({ initial_ltv: '0.95', recovery_ltv: '0.7' }),
    of: loan => loan.terms.recovery_ltv,
    is: 0.7,
  },
  'an LTV of the cure beyond the liquidation': {
    says: /Correct the column recovery_ltv of the loan/,
    lines: withCells({ recovery_ltv: '0.95' }),
    mended: withCells({ recovery_ltv: '0.7' }),
    of: loan => loan.terms.recovery_ltv,
    is: 0.7,
  },
  'collateral of a loan that is almost repaid': {
    says: /Correct the units of collateral_amount or loan_amount, or leave out a loan/,
    lines: withCells({ collateral_amount: '2000' }),
    options: { accept: ['a'] },
    mended: withCells({ collateral_amount: '2' }),
    of: units,
    is: [2],
  },
  'an answer without the LTV that it restores': {
    says: /Write top_up_to_ltv, the LTV to which an answer brings the loan, below margin_call_ltv/,
    lines: withCells({ recovery_ltv: '0.85', top_up_share: '0.5', top_up_delay_hours: '4' }),
    mended: withCells({
      recovery_ltv: '0.85',
      top_up_share: '0.5',
      top_up_delay_hours: '4',
      top_up_to_ltv: '0.7',
    }),
    of: loan => loan.terms.top_up_to_ltv,
    is: 0.7,
  },
  'an answer that does not end the call': {
    says: /Lower top_up_to_ltv, or write the LTV at which a call is over in recovery_ltv/,
    lines: withCells({ top_up_share: '0.5', top_up_delay_hours: '4', top_up_to_ltv: '0.85' }),
    mended: withCells({ top_up_share: '0.5', top_up_delay_hours: '4', top_up_to_ltv: '0.4' }),
    of: loan => loan.terms.top_up_to_ltv,
    is: 0.4,
  },
  'an answer that does not end the call, with another end': {
    says: /Lower partial_sale_to_ltv, or write the LTV at which a call is over in recovery_ltv/,
    lines: withCells({ partial_sale_to_ltv: '0.7' }),
    mended: withCells({ partial_sale_to_ltv: '0.7', recovery_ltv: '0.75' }),
    of: loan => loan.terms.partial_sale_to_ltv,
    is: 0.7,
  },
};

describe('A remedy of rows', () => {
  it.each(Object.entries(ROWS))('leads to the right figure: %s', async (_, row) => {
    const options = row.options ?? {};
    const { faults } = await readTape(row.lines, options);
    const fault = faults.find(({ remedy }) => row.says.test(remedy));
    expect(fault, faults.map(({ remedy }) => remedy).join('\n')).toBeDefined();
    followed.add(String(fault?.remedy));
    const { smallestUnits: _units, ...others } = options;
    const mended = await readTape(row.mended, others);
    expect(mended.faults).toEqual([]);
    expect(row.of(mended.loans[0], mended.loans)).toEqual(row.is);
  });
});

/** Remedies of faults that follow from another one, or of a caller that is no tape. */
const OF_NO_CELL = /^(Correct those that are named first|Correct the tape or the options)/;

afterAll(() => {
  const folder = path.join(import.meta.dirname, '../../src/tape');
  const sources = readdirSync(folder).filter(name => name !== 'remedies.ts');
  const texts = sources.flatMap(name => [
    ...readFileSync(path.join(folder, name), 'utf8').matchAll(
      /(['`])((?:Write|Give|Say it|Correct|Leave|Put|Show|Format|Lower) [^'`\n]*\.)\1/g,
    ),
  ]);
  expect(texts.length).toBeGreaterThan(20);
  const missing = texts
    .map(([, , text]) => text)
    .filter(text => !OF_NO_CELL.test(text))
    .filter(text => {
      const words = text.split(/\$\{[^}]*(?:\}[^$}]*)?\}/).map(part => part.trim());
      return ![...followed].some(each => words.every(part => each.includes(part)));
    });
  expect(missing).toEqual([]);
});
