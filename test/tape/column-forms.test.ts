/** How the cells of a column are written: what the column, the other columns or the caller decide, what is said and what is asked. */
import { describe, expect, it } from 'vitest';
import { readTape, type TapeOptions } from '#src/tape/read-tape.js';
import { COMMAND_WORDS, remedyText } from '#src/tape/remedies.js';
import { textTable } from '#src/tape/tables.js';
import type { ReadTape, TapeLoan } from '#src/tape/tape.js';

const FIXED: Readonly<Record<string, string>> = {
  collateral_asset: 'BTC',
  collateral_amount: '2',
  loan_asset: 'USD',
  loan_amount: '5000',
  margin_call_ltv: '0.8',
  liquidation_ltv: '0.9',
  grace_hours: '24',
};

/** A tape with the cells of some columns, by their headings; a column may have another heading. */
function tapeOf(
  cells: Readonly<Record<string, readonly string[]>>,
  options: TapeOptions = {},
  without: readonly string[] = [],
): ReadTape {
  const names = Object.keys(FIXED).filter(name => !(name in cells) && !without.includes(name));
  const count = Math.max(...Object.values(cells).map(({ length }) => length));
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = Array.from({ length: count }, (_, k) => [
    `L-${k}`,
    ...names.map(name => FIXED[name]),
    ...Object.values(cells).map(column => column[k] ?? ''),
  ]);
  const table = [['loan_id', ...names, ...Object.keys(cells)], ...rows];
  return readTape(textTable(table.map(row => row.map(quoted).join(',')).join('\n')), options);
}

const said = ({ faults }: ReadTape) =>
  faults.map(({ column, message, remedy }) => [column, message, remedyText(remedy, COMMAND_WORDS)]);
const term = (name: keyof TapeLoan['terms']) => (loan: TapeLoan) => loan.terms[name];
const day = (ms: number | undefined) => new Date(Number(ms) - 1).toISOString().slice(0, 10);

describe('Marks in the amounts of a column', () => {
  it.each<[string, readonly string[], readonly number[]]>([
    ['a second comma', ['179,632', '1,250,000'], [179_632, 1_250_000]],
    ['a point after a comma', ['179,632', '$1,235,818.06'], [179_632, 1_235_818.06]],
    ['no digit group but of three', ['179,632', '250,000', '90,500', '800'], [179_632, 250_000, 90_500, 800]],
    ['another number of digits behind a comma', ['179,632', '250,5'], [179.632, 250.5]],
    ['a comma behind points', ['179.632', '1.250,5'], [179_632, 1250.5]],
  ])('are decided by %s, which is said once', (_, cells, values) => {
    const { loans, faults, remarks } = tapeOf({ loan_amount: cells });
    expect(faults).toEqual([]);
    expect(loans.map(({ loanAmount, loanValueUsd }) => loanAmount ?? loanValueUsd)).toEqual(values);
    expect(remarks.filter(text => text.startsWith('In loan_amount a comma stands'))).toHaveLength(1);
  });

  it('are decided by the other columns where the column itself does not', () => {
    const amounts = (rate: string) =>
      tapeOf({ loan_amount: ['179,632'], collateral_amount: ['1,500'], interest: [rate] }).loans.map(
        ({ loanAmount, collateral }) => [loanAmount, collateral[0].amount],
      );
    expect(amounts('12.5 %')).toEqual([[179_632, 1500]]);
    expect(amounts('12,5 %')).toEqual([]);
    const comma = { margin_call_ltv: ['0,8'], liquidation_ltv: ['0,9'] };
    expect(tapeOf({ ...comma, loan_amount: ['179,632'] }).loans[0].loanAmount).toBe(179.632);
  });

  it('are asked once for a column that nothing decides, and decided by the option', () => {
    const open = {
      collateral_amount: ['1,500', '2,250'],
      margin_call_ltv: ['80 %', '80 %'],
      liquidation_ltv: ['90 %', '90 %'],
    };
    expect(said(tapeOf(open))).toEqual([
      [
        'collateral_amount',
        '"1,500" and 1 more cell: the comma may stand between thousands or before the fraction',
        'Say --decimal point if commas stand between thousands; say --decimal comma if they stand before the fraction.',
      ],
    ]);
    const units = (decimal: 'point' | 'comma') =>
      tapeOf(open, { decimal }).loans.map(({ collateral }) => collateral[0].amount);
    expect([units('point'), units('comma')]).toEqual([
      [1500, 2250],
      [1.5, 2.25],
    ]);
  });
});

describe('The LTV of a tape', () => {
  const read = (value: string, ltv: string) =>
    readTape(
      textTable(
        `loan_id,collateral_asset,collateral_value,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,grace_hours,LTV\na,BTC,${value},USD,"179,632",75%,85%,24,${ltv}\n`,
      ),
      {},
    );

  it.each([
    ['287411', '62%', 179_632],
    ['287', '63%', 179.632],
  ])('decides the mark before fractions where one reading alone meets it: %s, %s', (value, ltv, amount) => {
    const { loans, faults } = read(value, ltv);
    expect(faults).toEqual([]);
    expect(loans[0].loanAmount).toBe(amount);
  });

  it.each([
    ['"287,411"', '62%'],
    ['1000', '62%'],
  ])('decides nothing where both readings meet it, or none: %s, %s', (value, ltv) => {
    expect(read(value, ltv).faults.map(({ column }) => column)).toContain('loan_amount');
  });
});

describe('Signs and currencies of a column', () => {
  it('mark what is owed where every amount has one', () => {
    const { loans, remarks } = tapeOf({ loan_amount: ['(500)', '(1,250.00)'] });
    expect(loans.map(({ loanAmount }) => loanAmount)).toEqual([500, 1250]);
    expect(remarks).toEqual(['In loan_amount the sign marks what is owed: "(500)" is a debt (2 cells).']);
    expect(said(tapeOf({ loan_amount: ['(500)', '700'] })).map(([column]) => column)).toEqual([
      'loan_amount',
    ]);
  });

  it.each([
    ['the heading', 'Princ. Outst. (USD)', ['1000', '2000']],
    ['every cell', 'Principal', ['$1,000.00', 'USD 2000']],
    ['the first cell, as a form of accountants', 'Principal', ['$1,000.00', '2,000.00']],
  ])('make a debt one of dollars, by %s, whatever the asset of the loan', (_, heading, cells) => {
    const { loans, faults } = tapeOf({ loan_asset: ['BTC', 'USD'], [heading]: cells }, {}, ['loan_amount']);
    expect(faults).toEqual([]);
    expect(
      loans.map(({ loanAsset, loanAmount, loanValueUsd }) => [loanAsset, loanAmount, loanValueUsd]),
    ).toEqual([
      ['BTC', undefined, 1000],
      ['USD', 2000, undefined],
    ]);
  });

  it('stand for the asset of the loan where the tape has none', () => {
    const debts = (heading: string, ...cells: readonly string[]) =>
      tapeOf({ [heading]: cells }, {}, ['loan_asset', 'loan_amount']).loans.map(({ loanAsset }) => loanAsset);
    expect(debts('Debt (EUR)', '5')).toEqual(['EUR']);
    expect(debts('Debt', '5 USDC', '7 USDC')).toEqual(['USDC', 'USDC']);
  });

  it('are a fault where they contradict the asset', () => {
    const tape = tapeOf({ loan_asset: ['BTC'], 'Principal (EUR)': ['1000'] }, {}, ['loan_amount']);
    expect(said(tape)).toEqual([
      [
        'loan_amount',
        'the amount is in EUR, and loan_asset is BTC: which of them is the loan in?',
        'Correct loan_asset, or write the amount in its units, or in USD in a column loan_value.',
      ],
    ]);
  });

  it('make units of collateral a value', () => {
    const { loans } = tapeOf({ collateral_amount: ['$9,000.00'] });
    expect(loans[0].collateral).toEqual([{ asset: 'BTC', valueUsd: 9000 }]);
  });
});

describe('Dates of a column', () => {
  it.each<[string, Readonly<Record<string, readonly string[]>>, readonly string[]]>([
    ['a part above 12', { maturity: ['06/12/2026', '25/07/2026'] }, ['2026-12-06', '2026-07-25']],
    [
      'a part above 12 in the middle',
      { maturity: ['06/12/2026', '07/25/2026'] },
      ['2026-06-12', '2026-07-25'],
    ],
    ['another column', { maturity: ['06/12/2026'], 'Orig Dt': ['25/07/2025'] }, ['2026-12-06']],
    ['years of four digits', { maturity: ['14-Jul-26', '12-Apr-2026'] }, ['2026-07-14', '2026-04-12']],
    [
      'few years and many days',
      { maturity: ['14-Jul-26', '07-May-25', '03-May-26'] },
      ['2026-07-14', '2025-05-07', '2026-05-03'],
    ],
    [
      'numbers with short years',
      { maturity: ['14/07/26', '07/05/27', '03/05/27'] },
      ['2026-07-14', '2027-05-07', '2027-05-03'],
    ],
  ])('are decided by %s, which is said once', (_, cells, days) => {
    const { loans, faults, remarks } = tapeOf(cells);
    expect(faults).toEqual([]);
    expect(loans.map(term('maturity')).map(day)).toEqual(days);
    expect(remarks.filter(text => text.startsWith('In maturity other dates show'))).toHaveLength(1);
  });

  it('are asked once where nothing decides, or cells contradict each other', () => {
    const numbers = Array.from({ length: 148 }, () => '06/12/2026');
    expect(said(tapeOf({ maturity: numbers }))).toEqual([
      [
        'maturity',
        '"06/12/2026" and 147 more cells: which part is the day, which the month and which the year is not clear',
        'Say it: --dates dmy (31.01.2026) or --dates mdy (01/31/2026).',
      ],
    ]);
    expect(tapeOf({ maturity: numbers }, { dates: 'mdy' }).loans.map(term('maturity')).map(day)[0]).toBe(
      '2026-06-12',
    );
    expect(said(tapeOf({ maturity: ['31-Dec-24'] }))).toEqual([
      ['maturity', expect.stringContaining('"31-Dec-24"'), expect.stringContaining('--dates dmy')],
    ]);
    expect(said(tapeOf({ maturity: ['06/12/2026', '25/07/2026', '07/25/2026'] }))[0][1]).toMatch(
      /contradict/,
    );
  });

  it('say that a loan has no end', () => {
    expect(tapeOf({ maturity: ['Open', 'on demand', 'Perpetual'] }).loans.map(term('maturity'))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('Units of LTVs and rates', () => {
  it('are per cent where nothing else is possible, which is said', () => {
    const { loans, remarks } = tapeOf({
      margin_call_ltv: ['75', '80'],
      liquidation_ltv: ['85', '90'],
      Rate: ['9.5', '12'],
    });
    expect(loans.map(({ terms }) => [terms.margin_call_ltv, terms.liquidation_ltv, terms.interest])).toEqual([
      [0.75, 0.85, 0.095],
      [0.8, 0.9, 0.12],
    ]);
    expect(remarks).toContain('margin_call_ltv is in per cent: 75 is read as 75 %.');
  });

  it('are fractions though the name says per cent, as a spreadsheet stores them', () => {
    const { loans, remarks } = tapeOf({ 'MC LTV (%)': ['0.75', '0.8'] }, {}, ['margin_call_ltv']);
    expect(loans.map(term('margin_call_ltv'))).toEqual([0.75, 0.8]);
    expect(remarks).toEqual([
      'margin_call_ltv has fractions, though its name says per cent: 0.75 is read as 75 %.',
    ]);
  });

  it.each([
    ['fractions', ['1.3', '1.4'], ['1.1', '1.2'], {}],
    ['per cent with a sign', ['130 %', '140 %'], ['110 %', '120 %'], {}],
    [
      'per cent',
      ['130', '140'],
      ['110', '120'],
      { percent: ['margin_call_ltv', 'liquidation_ltv'] as const },
    ],
  ])('of collateral over loan in %s are asked once, and read as 1 / x', (_, calls, liquidations, options) => {
    const cells = { margin_call_ltv: calls, liquidation_ltv: liquidations };
    const [[column, message, remedy], ...others] = said(tapeOf(cells));
    expect(others).toEqual([]);
    expect([column, message]).toEqual([
      'margin_call_ltv',
      `"${calls[0]}" in margin_call_ltv, liquidation_ltv is above 100 % as loan over collateral: is it collateral over loan, an LTV of 76.92 %?`,
    ]);
    expect(remedy).toMatch(/^Say --ratios margin_call_ltv liquidation_ltv/);
    expect(remedy?.includes('--percent')).toBe('percent' in options);
    const ratios = ['margin_call_ltv', 'liquidation_ltv'] as const;
    expect(
      tapeOf(cells, { ...options, ratios }).loans.map(({ terms }) => [
        terms.margin_call_ltv?.toFixed(3),
        terms.liquidation_ltv?.toFixed(3),
      ]),
    ).toEqual([
      ['0.769', '0.909'],
      ['0.714', '0.833'],
    ]);
  });

  it('of collateral over loan are no LTVs above 100 % where the columns are exchanged', () => {
    expect(tapeOf({ margin_call_ltv: ['1.1', '1.2'], liquidation_ltv: ['1.3', '1.4'] }).loans).toEqual([]);
    const some = tapeOf({ margin_call_ltv: ['1.1', '0.8'], liquidation_ltv: ['1.3', '0.9'] });
    expect(some.loans.map(({ id }) => id)).toEqual(['L-1']);
  });

  it('of collateral over loan by their names are read', () => {
    const cells = { 'Margin call ratio': ['130%'], 'Liquidation CR': ['1.1'] };
    const { loans, remarks } = tapeOf(cells, {}, ['margin_call_ltv', 'liquidation_ltv']);
    expect(loans[0].terms).toMatchObject({
      margin_call_ltv: 0.769230769231,
      liquidation_ltv: 0.909090909091,
    });
    expect(remarks).toHaveLength(2);
  });
});
