/** Columns of a loan tape, by their names. */
import { describe, expect, it } from 'vitest';
import { KNOWN_HEADINGS, TAPE_COLUMN_NAMES, TAPE_COLUMNS, type TapeColumn } from '#src/tape/columns.js';
import { findColumns } from '#src/tape/find-columns.js';
import { COMMAND_WORDS, remedyText } from '#src/tape/remedies.js';
import { simpleName } from '#src/text/nearest-name.js';

const HEADER = [
  'loan_id',
  'collateral_asset',
  'collateral_amount',
  'loan_asset',
  'loan_amount',
  'margin_call_ltv',
  'liquidation_ltv',
  'grace_hours',
];

type Mapped = Readonly<Partial<Record<TapeColumn, string>>>;

function found(header: readonly string[], columns: Mapped = {}) {
  const read = findColumns(header, { columns });
  expect(read.faults).toEqual([]);
  return read;
}

const faults = (header: readonly string[], columns: Mapped = {}, withDefault?: ReadonlySet<TapeColumn>) =>
  findColumns(header, { columns }, withDefault).faults.map(({ message, remedy }) => ({
    message,
    remedy: remedyText(remedy, COMMAND_WORDS),
  }));

describe('The columns of a tape', () => {
  it('have no name in common', () => {
    const names = TAPE_COLUMN_NAMES.flatMap(column => [
      simpleName(column),
      ...TAPE_COLUMNS[column].synonyms.map(simpleName),
    ]);
    expect(names.filter((name, k) => names.indexOf(name) !== k)).toEqual([]);
    const owners = new Map<string, Set<TapeColumn>>();
    for (const [column, headings] of KNOWN_HEADINGS)
      for (const { phrase } of headings) owners.set(phrase, (owners.get(phrase) ?? new Set()).add(column));
    // A call has an LTV and a time, a grace period hours or days: the first of them has the words.
    expect([...owners].filter(([, of]) => of.size > 1).map(([phrase]) => phrase)).toEqual([
      'call margin',
      'grace',
      'grace period',
    ]);
  });

  it('have days past due where the heading says days, and no amount that is past due', () => {
    for (const heading of ['days_past_due', 'Days Past Due', 'DPD', 'Past due (days)', 'Days in arrears'])
      expect(found([...HEADER, heading]).index.get('days_past_due'), heading).toBe(HEADER.length);
    expect(found([...HEADER, 'Past due']).index.get('days_past_due')).toBeUndefined();
    expect(found([...HEADER, 'IFRS 9 stage']).index.get('stage')).toBe(HEADER.length);
    expect(found([...HEADER, 'PD at origination']).index.get('origination_pd')).toBe(HEADER.length);
  });

  it('are found by their names and by synonyms of lenders, in any order and spelling', () => {
    const header = [
      'Principal',
      'Loan ID',
      'Collateral',
      'Collateral Qty',
      'Currency',
      'Margin LTV',
      'Liq. LTV',
      'Grace period',
    ];
    const { index, notUsed } = found(header);
    expect(Object.fromEntries(index)).toEqual({
      loan_amount: 0,
      loan_id: 1,
      collateral_asset: 2,
      collateral_amount: 3,
      loan_asset: 4,
      margin_call_ltv: 5,
      liquidation_ltv: 6,
      grace_hours: 7,
    });
    expect(notUsed).toEqual([]);
  });

  it('are found by the short names of spreadsheets', () => {
    const header = [
      'Loan No.',
      'Collateral',
      'Coll. Qty',
      'Ccy',
      'Outstanding',
      'Margin Call LTV',
      'Liq. LTV',
    ];
    const more = ['Grace (h)', 'Rate p.a.', 'LTV orig.', 'Call since'];
    const { index, notUsed } = found([...header, ...more]);
    expect(notUsed).toEqual([]);
    expect(Object.fromEntries(index)).toMatchObject({
      ...{ collateral_amount: 2, loan_asset: 3, grace_hours: 7, interest: 8, initial_ltv: 9, called_at: 10 },
    });
  });

  it('follow the mapping of the caller before known names', () => {
    const { index, notUsed } = found([...HEADER, 'Exposure today'], { loan_amount: 'Exposure today' });
    expect(index.get('loan_amount')).toBe(8);
    expect(notUsed).toEqual(['loan_amount']);
  });

  it('are in per cent only if their name has the mark', () => {
    const header = [
      ...HEADER.slice(0, 5),
      'Margin call LTV (%)',
      'liquidation_ltv_pct',
      'grace_hours',
      'Interest rate %',
      'percentile',
    ];
    const { inPercent, notUsed } = found(header);
    expect([...inPercent].sort()).toEqual(['interest', 'liquidation_ltv', 'margin_call_ltv']);
    expect(notUsed).toEqual(['percentile']);
  });

  it('are named all at once if missing, with the nearest name of the file', () => {
    const header = [
      'loan_id',
      'collateral_asset',
      'collateral_amount',
      'loan_asset',
      'loan_amunt',
      'liquidation_ltv',
    ];
    expect(faults(header)).toEqual([
      {
        message: 'no column is loan_amount',
        remedy: `Name it: --columns "loan_amunt=loan_amount". There are: ${header.join(', ')}. Or give all loans one: --default loan_amount=...`,
      },
      expect.objectContaining({ message: 'no column is margin_call_ltv' }),
      expect.objectContaining({ message: 'no column is grace_hours' }),
    ]);
  });

  it('may be missing if all loans have a default', () => {
    expect(faults(HEADER.slice(0, -1), {}, new Set(['grace_hours'] as const))).toEqual([]);
  });

  it('are refused with the choice if two names match', () => {
    expect(faults([...HEADER, 'Outstanding'])).toEqual([
      {
        message: 'loan_amount, Outstanding: several columns may be the debt',
        remedy: 'Say which: --columns "loan_amount=loan_amount" or --columns "Outstanding=loan_amount".',
      },
    ]);
  });

  it('are refused if mapped from a missing name', () => {
    expect(faults(HEADER, { borrower: 'Kunde' })).toEqual([
      { message: 'there is no column Kunde', remedy: `There are: ${HEADER.join(', ')}.` },
    ]);
  });

  it('may be 500, and no more', () => {
    const more = (count: number) => [
      ...HEADER,
      ...Array.from({ length: count - HEADER.length }, (_, k) => `x${k}`),
    ];
    expect(faults(more(500))).toEqual([]);
    expect(faults(more(501))).toEqual([
      {
        message: 'the tape has 501 columns, and at most 500 are read',
        remedy: 'Leave out columns that are not of the loans.',
      },
    ]);
  });

  it('are listed in a remedy up to 40, each with up to 40 letters', () => {
    const header = (count: number) => Array.from({ length: count }, (_, k) => `x${k}`);
    const listed = (names: readonly string[]) => faults(names, { borrower: 'Kunde' })[0].remedy;
    expect(listed(header(40))).toBe(`There are: ${header(40).join(', ')}.`);
    expect(listed(header(41))).toBe(`There are: ${header(40).join(', ')} and 1 more.`);
    expect(listed(['y'.repeat(40), 'z'.repeat(41)])).toBe(
      `There are: ${'y'.repeat(40)}, ${'z'.repeat(40)}….`,
    );
  });

  it('are mapped from a name in any spelling, and from the exact one first', () => {
    expect(found([...HEADER, 'Kunden Nr.'], { borrower: 'kunden nr' }).index.get('borrower')).toBe(8);
    expect(found(['KUNDE', ...HEADER, ' Kunde'], { borrower: 'Kunde ' }).index.get('borrower')).toBe(9);
    expect(found(['rate pct', ...HEADER], { interest: 'rate pct' }).index.get('interest')).toBe(0);
    expect(found(['Zins', ...HEADER], { interest: 'zins' }).index.get('interest')).toBe(0);
  });

  it('are in per cent with the mark before the name, too', () => {
    expect([...found([...HEADER, '% interest']).inPercent]).toEqual(['interest']);
  });

  it('need an amount or a value of collateral, with the nearest name of the file', () => {
    const header = HEADER.map(name => (name === 'collateral_amount' ? 'colateral_amount' : name));
    expect(faults(header)).toEqual([
      {
        message: 'no column is collateral_amount, and none is collateral_value',
        remedy: `Name it: --columns "colateral_amount=collateral_amount". There are: ${header.join(', ')}.`,
      },
    ]);
    expect(faults(HEADER.map(name => (name === 'collateral_amount' ? 'collateral_value' : name)))).toEqual(
      [],
    );
    const unlike = HEADER.map(name => (name === 'collateral_amount' ? 'zz' : name));
    expect(faults(unlike)[0].remedy).toMatch(/^Name it: --columns "name in the file=collateral_amount"\. /);
  });

  it('of one row each have no default', () => {
    const [{ message, remedy }] = faults(HEADER.filter(name => name !== 'collateral_asset'));
    expect(message).toBe('no column is collateral_asset');
    expect(remedy).not.toContain('--default');
  });
});
