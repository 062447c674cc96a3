/** The query of a tape: its defaults, its bounds, and every fault. */
import { describe, expect, it } from 'vitest';
import { readTapeQuery } from '#src/question/request/tape-query.js';
import { TAPE_COLUMN_NAMES } from '#src/tape/columns.js';

const read = (query: string) => readTapeQuery(new URLSearchParams(query));
function queryOf(query: string) {
  const checked = read(query);
  if ('faults' in checked) throw new Error(JSON.stringify(checked.faults));
  return checked.value;
}
const messagesOf = (query: string) => {
  const checked = read(query);
  return 'faults' in checked ? checked.faults.map(({ path, message }) => `${path}: ${message}`) : [];
};
const STANDARD = { model_lookback: 365, mc_iter: 20_000, quantile: [0.95, 0.99] };
const NO_OPTIONS = {
  columns: {},
  ignored: [],
  defaults: {},
  percent: [],
  fractions: [],
  ratios: [],
  smallestUnits: [],
  headerRow: undefined,
  accept: [],
  dates: undefined,
  decimal: undefined,
};

describe('The query of a tape', () => {
  it('without parameters has the defaults of docs/choosing.md', () => {
    expect(queryOf('')).toEqual({
      type: 'STUDENT_T',
      params: STANDARD,
      horizonDays: 30,
      options: NO_OPTIONS,
    });
  });

  it('has no number of paths for HISTORICAL, unless one is sent', () => {
    const { mc_iter: _, ...others } = STANDARD;
    expect(queryOf('type=HISTORICAL').params).toEqual(others);
    expect(queryOf('type=HISTORICAL&mc_iter=5').params).toEqual({ ...others, mc_iter: 5 });
  });

  it.each<[string, string, unknown]>([
    ['mc_iter', '100', 100],
    ['mc_iter', '1e3', 1000],
    ['sale_cost', '.5', 0.5],
    ['sale_cost', '5.', 5],
    ['sale_delay', '-1', -1],
    ['sale_delay', '+1', 1],
    ['sale_delay', ' 2 ', 2],
    ['sale_delay', '', ''],
    ['mc_iter', '0x10', '0x10'],
    ['mc_iter', '1e', '1e'],
    ['mc_iter', 'many', 'many'],
    ['analysis_date', '01-31-2026', '01-31-2026'],
    ['quantile', '0.9', [0.9]],
    ['quantile', '0.9,0.99,x', [0.9, 0.99, 'x']],
  ])('has numbers as numbers, and other text for its schema to refuse: %s=%j', (name, sent, value) => {
    expect(queryOf(new URLSearchParams({ [name]: sent }).toString()).params).toEqual({
      ...STANDARD,
      [name]: value,
    });
  });

  it('has columns by the last equals sign, defaults by the first one, and per cent', () => {
    const query = new URLSearchParams({
      columns: 'a=b=loan_id, Betrag=loan_amount, Desk=-',
      ratios: 'recovery_ltv',
      smallest_units: 'loan_amount',
      header_row: '4',
      accept: 'a-1,b',
      default: 'borrower=A=B, loan_asset=usd',
      percent: 'interest, margin_call_ltv',
      fractions: 'sale_cost',
      dates: 'mdy',
      decimal: 'comma',
    });
    expect(queryOf(query.toString()).options).toEqual({
      columns: { loan_id: 'a=b', loan_amount: 'Betrag' },
      ignored: ['Desk'],
      ratios: ['recovery_ltv'],
      smallestUnits: ['loan_amount'],
      headerRow: 4,
      accept: ['a-1', 'b'],
      defaults: { borrower: 'A=B', loan_asset: 'usd' },
      percent: ['interest', 'margin_call_ltv'],
      fractions: ['sale_cost'],
      dates: 'mdy',
      decimal: 'comma',
    });
  });

  it('follows loans for more than 0 and at most 3650 days', () => {
    for (const days of [1e-9, 1, 3650]) expect(queryOf(`days=${days}`).horizonDays, `${days}`).toBe(days);
    for (const days of ['0', '-1', '3650.001', '3651', 'x', 'Infinity', ''])
      expect(messagesOf(`days=${days}`), days).toEqual([
        `query.days: days must be a number above 0 and at most 3650; got ${JSON.stringify(days)}`,
      ]);
  });

  it('reports every fault at once', () => {
    const query =
      'dates=ymd&decimal=dot&columns=loan_id,=loan_id,a=&default=collateral_asset=BTC&days=0&type=GBM&type=GBM';
    expect(messagesOf(query)).toEqual([
      'query.type: type is given 2 times; once is allowed',
      'query.columns: columns must be a list of pairs with = between, and commas between pairs; got "loan_id"',
      'query.columns: columns must be a list of pairs with = between, and commas between pairs; got "=loan_id"',
      'query.columns: columns must be a list of pairs with = between, and commas between pairs; got "a="',
      'query.default: default must be of columns that are said once for a loan; got "collateral_asset"',
      'query.dates: dates must be one of dmy, mdy; got "ymd"',
      'query.decimal: decimal must be one of point, comma; got "dot"',
      'query.days: days must be a number above 0 and at most 3650; got "0"',
    ]);
    expect(messagesOf('columns=a=lvt')).toEqual([
      expect.stringMatching(/^query\.columns: columns must be of columns; there are loan_id, .*; got "lvt"$/),
    ]);
  });

  it('takes defaults of every column but those that differ by row', () => {
    const perRow = TAPE_COLUMN_NAMES.filter(name => messagesOf(`default=${name}=1`).length > 0);
    expect(perRow).toEqual(['loan_id', 'collateral_asset', 'collateral_amount', 'collateral_value']);
  });
});
