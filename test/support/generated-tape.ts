/**
 * Tapes drawn from a grammar of exports: headings, orders, marks, money, dates, units, titles, totals and footnotes, each with its truth.
 *
 * A tape is the same for the same seed.
 */
import type { TapeColumn } from '#src/tape/columns.js';
import { type Sheet, sheetTable, type TapeTable, textTable } from '#src/tape/tables.js';

export const PRICES: ReadonlyMap<string, number> = new Map([
  ['BTC', 61_250],
  ['ETH', 3_020],
  ['SOL', 142.5],
  ['LINK', 13.4],
  ['DOGE', 0.1234],
  ['USD', 1],
  ['USDC', 0.9998],
  ['EUR', 1.083],
]);
/** End of the data. */
export const AS_OF_MS = Date.UTC(2026, 1, 28);
const DAY = 86_400_000;

export interface TrueLoan {
  readonly id: string;
  readonly collateral: readonly (readonly [asset: string, amount: number])[];
  readonly loanUsd: number;
  readonly terms: Readonly<
    Partial<Record<'margin_call_ltv' | 'liquidation_ltv' | 'grace_hours' | 'maturity' | 'interest', number>>
  >;
}

export interface GeneratedTape {
  readonly table: TapeTable;
  /** Of CSV; empty for a sheet. */
  readonly text: string;
  readonly loans: readonly TrueLoan[];
  /** Whether a spreadsheet has lost digits of the ids: no reading is right. */
  readonly hasLostIds: boolean;
  /** What a person who knows the tape answers to a question. */
  readonly knows: {
    readonly decimal: 'point' | 'comma';
    readonly dates: 'dmy' | 'mdy';
    /** Headings by column; of the debt the one that is meant. */
    readonly headings: Readonly<Partial<Record<TapeColumn, string>>>;
    readonly defaults: Readonly<Partial<Record<TapeColumn, string>>>;
    readonly ratios: boolean;
    /** Whether the column holds per cent. */
    readonly percent: boolean;
  };
}

/** Mulberry32. */
function draws(seed: number) {
  let state = (seed * 2_654_435_761) >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(of: readonly T[]): T => of[Math.floor(uniform() * of.length)] as T;
  const shuffled = <T>(of: readonly T[]): T[] =>
    of
      .map(value => ({ value, at: uniform() }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value);
  return { uniform, pick, shuffled, chance: (share: number) => uniform() < share };
}
type Draws = ReturnType<typeof draws>;

const HEADINGS = {
  loan_id: [
    'Loan ID',
    'Facility ID',
    'loan_id',
    'Deal ID',
    'Loan No.',
    'Loan Ref',
    'Facility',
    'Contract No',
    'LoanId',
    'Loan #',
    'Agreement No',
  ],
  borrower: ['Borrower', 'Obligor', 'Client', 'Counterparty', 'Cpty', 'Customer Name', 'Borrower Name'],
  collateral_asset: [
    'Collateral',
    'Collat Ccy',
    'Collateral Asset',
    'Coll. Ccy',
    'Collateral Coin',
    'Pledged Asset',
    'collateral_asset',
    'Collateral Token',
    'Security Asset',
    'Asset Pledged',
  ],
  collateral_amount: [
    'Collateral Qty',
    'Pledged Units',
    'Collateral Amount',
    'Coll Qty',
    'Collateral Units',
    'Pledged Amount',
    'collateralAmount',
    'Units Pledged',
    'Collateral Balance',
    'Qty Held as Collateral',
  ],
  loan_asset: ['Loan Ccy', 'Currency', 'Loan Currency', 'Ccy', 'Loan Asset', 'Principal Currency'],
  loan_amount: [
    'Principal',
    'Outstanding',
    'Loan Amount',
    'Princ. Outst.',
    'Outstanding Principal',
    'O/S Balance',
    'Loan Balance',
    'Debt',
    'Exposure',
    'Amount Outstanding',
    'Drawn Balance',
    'Notional',
  ],
  margin_call_ltv: [
    'Margin Call LTV',
    'MC LTV',
    'Margin Call',
    'margin_call_ltv',
    'Call LTV',
    'LTV Margin Call',
    'Margin Call Threshold',
    'MC Level',
    'MC Trigger LTV',
  ],
  liquidation_ltv: [
    'Liquidation LTV',
    'Liq LTV',
    'Liq. LTV',
    'LLTV',
    'Liquidation Threshold',
    'liquidation_ltv',
    'LTV Liquidation',
    'Liq Level',
  ],
  interest: ['Rate', 'Interest Rate', 'APR', 'Coupon', 'Int. Rate', 'Rate p.a.'],
  maturity: [
    'Maturity',
    'Maturity Date',
    'Maturity Dt',
    'Due Date',
    'Expiry',
    'End Date',
    'Mat. Date',
    'Loan Maturity',
    'Repayment Date',
  ],
  grace_hours: [
    'Grace (h)',
    'Cure hrs',
    'Grace Hours',
    'grace_hours',
    'Cure Period (hours)',
    'Grace Period (hrs)',
  ],
} as const satisfies Partial<Record<TapeColumn, readonly string[]>>;
type Column = keyof typeof HEADINGS;

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const two = (value: number) => String(value).padStart(2, '0');
type DateForm = (year: number, month: number, day: number) => string;
const DATES: Readonly<Record<string, DateForm>> = {
  iso: (y, m, d) => `${y}-${two(m)}-${two(d)}`,
  slashes: (y, m, d) => `${y}/${two(m)}/${two(d)}`,
  named: (y, m, d) => `${two(d)}-${MONTHS[m - 1]}-${y}`,
  short: (y, m, d) => `${two(d)}-${MONTHS[m - 1]}-${String(y).slice(2)}`,
  american: (y, m, d) => `${MONTHS[m - 1]} ${two(d)}, ${y}`,
  dmy: (y, m, d) => `${two(d)}/${two(m)}/${y}`,
  points: (y, m, d) => `${two(d)}.${two(m)}.${y}`,
  mdy: (y, m, d) => `${m}/${d}/${y}`,
  time: (y, m, d) => `${y}-${two(m)}-${two(d)}T00:00:00Z`,
};

/** Units as whole smallest ones. */
const smallest = (units: number, decimals: number): string =>
  (BigInt(Math.round(units * 1e6)) * 10n ** BigInt(decimals - 6)).toString();

/** A number with marks between thousands. */
function grouped(value: number, digits: number, comma: boolean): string {
  const [whole, fraction] = value.toFixed(digits).split('.');
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, comma ? '.' : ',');
  return fraction === undefined ? marked : `${marked}${comma ? ',' : '.'}${fraction}`;
}

type Money = (value: number) => string;

interface Loan {
  readonly id: string;
  readonly borrower: string;
  readonly collateral: readonly (readonly [asset: string, amount: number])[];
  readonly asset: string;
  /** In units of the column. */
  readonly amount: number;
  readonly call: number;
  readonly liquidation: number;
  readonly rate: number;
  readonly due: readonly [year: number, month: number, day: number] | undefined;
  readonly grace: number;
}

function loansOf(draw: Draws, count: number, inUsd: boolean, digits: number): Loan[] {
  const style = draw.pick(['FAC-2025', 'L-', '10', '0xab', 'MDC/26/']);
  return Array.from({ length: count }, (_, k): Loan => {
    const [call, liquidation] = draw.pick([
      [0.75, 0.8],
      [0.8, 0.85],
      [0.8, 0.9],
      [0.7, 0.775],
      [0.825, 0.9],
    ]);
    const asset = draw.chance(inUsd ? 0.1 : 0.03)
      ? draw.pick(['BTC', 'EUR'])
      : draw.pick(['USD', 'USD', 'USDC']);
    const usd = 40_000 * Math.exp(3.5 * draw.uniform());
    const units = inUsd ? usd : usd / (PRICES.get(asset) ?? 1);
    const amount = draw.chance(0.02) ? 0 : Number(units.toFixed(asset === 'BTC' && !inUsd ? 4 : digits));
    const ltv = 0.35 + 0.35 * draw.uniform();
    const coins = draw.chance(0.15)
      ? draw.shuffled(['BTC', 'ETH', 'SOL']).slice(0, 2 + Number(draw.chance(0.3)))
      : [draw.pick(['BTC', 'BTC', 'ETH', 'ETH', 'SOL', 'LINK', 'DOGE'])];
    const days = draw.chance(0.04) ? -Math.ceil(20 * draw.uniform()) : Math.ceil(500 * draw.uniform());
    const date = new Date(AS_OF_MS + days * DAY);
    return {
      id: `${style}${String(1001 + k)}`,
      borrower: `${draw.pick(['Pallas', 'Rook', 'Yarrow', 'Juniper'])} ${draw.pick(['Ventures', 'Trading Ltd', 'Digital, AG'])}`,
      collateral: coins.map(
        coin => [coin, Number((usd / ltv / coins.length / (PRICES.get(coin) ?? 1)).toFixed(4))] as const,
      ),
      asset,
      amount,
      call,
      liquidation,
      rate: draw.pick([0.08, 0.095, 0.1, 0.12, 0.135]),
      due: draw.chance(0.05) ? undefined : [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()],
      grace: draw.pick([12, 24, 24, 48, 72]),
    };
  });
}

/** What few tapes have: ids that a spreadsheet shortens or cuts, amounts in smallest units, names of columns in two rows. */
const RARE = ['exponents', 'cut ids', 'smallest units', 'two rows'] as const;
type Rare = (typeof RARE)[number];

const SHORTENED: Readonly<Partial<Record<Rare, (k: number) => string>>> = {
  exponents: () => '1.00245E+15',
  'cut ids': k => `${100_245_000_000_100 + k}00`,
};
/** A loan of ether against USDC, in wei and millionths. */
const inSmallestUnits = (loan: Loan): Loan => ({
  ...loan,
  asset: 'USDC',
  collateral: [['ETH', Number(((2 * loan.amount) / (PRICES.get('ETH') ?? 1)).toFixed(4))]],
});
/** Names in two rows: that of a group over its first column, and the rest below. */
const IN_TWO_ROWS: Readonly<Partial<Record<Column, readonly [group: string, names: readonly string[]]>>> = {
  collateral_asset: ['Collateral', ['Asset', 'Ccy', 'Coin']],
  collateral_amount: ['', ['Units', 'Qty', 'Amount']],
  loan_asset: ['Loan', ['Ccy', 'Currency', 'Asset']],
  loan_amount: ['', ['Amount', 'Principal', 'Balance']],
  margin_call_ltv: ['LTV', ['Margin Call', 'Call']],
  liquidation_ltv: ['', ['Liquidation', 'Liq.']],
};

export function generatedTape(seed: number): GeneratedTape {
  const draw = draws(seed);
  const own = draws(seed + 1_000_003);
  const rare = own.chance(0.15) ? own.pick(RARE) : undefined;
  const isSheet = draw.chance(0.25);
  const comma = !isSheet && draw.chance(0.15);
  const mark = comma ? draw.pick([';', '\t']) : draw.pick([',', ',', ',', ';', '\t', '|']);
  const inUsd = draw.chance(0.35) && rare !== 'smallest units' && rare !== 'two rows';
  const digits = draw.pick([0, 2, 2]);
  const drawn = loansOf(draw, draw.pick([8, 15, 30, 60]), inUsd, digits);
  const shortened = rare && SHORTENED[rare];
  const loans = drawn.map((loan, k) => ({
    ...(rare === 'smallest units' ? inSmallestUnits(loan) : loan),
    ...(shortened && { id: shortened(k) }),
  }));
  const present = (Object.keys(HEADINGS) as Column[]).filter(
    column => !['borrower', 'interest', 'maturity'].includes(column) || draw.chance(0.85),
  );
  const inOrder = draw.chance(0.5);
  const order = rare === 'two rows' || inOrder ? present : draw.shuffled(present);
  const headings = Object.fromEntries(present.map(column => [column, draw.pick(HEADINGS[column])])) as Record<
    Column,
    string
  >;
  if (inUsd) headings.loan_amount = `${headings.loan_amount} ${draw.pick(['(USD)', 'USD', '($)', 'in USD'])}`;
  // How shares are written.
  const ratios = draw.chance(0.08);
  const shareForm = isSheet
    ? draw.pick(['fraction', 'fraction', 'percent-heading'])
    : draw.pick(['sign', 'sign', 'fraction', 'percent-heading', 'bare']);
  const plain = (value: number) => (comma ? String(value).replace('.', ',') : String(value));
  const hundred = (value: number) => Number((100 * value).toPrecision(10));
  const share = (value: number) =>
    shareForm === 'sign'
      ? `${plain(hundred(value))}${draw.pick(['%', '%', ' %'])}`
      : plain(shareForm === 'fraction' ? value : hundred(value));
  const sharePercent = (heading: string) =>
    shareForm === 'percent-heading'
      ? draw.pick([`${heading} (%)`, `${heading} %`, `${heading} pct`])
      : heading;
  for (const column of ['margin_call_ltv', 'liquidation_ltv', 'interest'] as const)
    if (present.includes(column)) headings[column] = sharePercent(headings[column]);
  if (rare === 'two rows')
    for (const column of Object.keys(IN_TWO_ROWS) as Column[])
      headings[column] = own.pick(IN_TWO_ROWS[column]?.[1] ?? []);
  if (draw.chance(0.1) && present.includes('grace_hours'))
    headings.grace_hours = draw.pick(['Cure days', 'Grace (days)', 'Grace Period Days']);
  const inDays = /days/i.test(headings.grace_hours);
  // Money.
  const mixed = draw.chance(0.2);
  const forms: readonly Money[] = comma
    ? [value => grouped(value, digits, true), value => plain(value)]
    : [
        value => value.toFixed(digits),
        value => grouped(value, digits, false),
        ...(inUsd
          ? [
              (value: number) => `$${grouped(value, digits, false)}`,
              (value: number) => `USD ${grouped(value, digits, false)}`,
              (value: number) => ` $ ${grouped(value, digits, false)} `,
            ]
          : []),
        value => `(${grouped(value, digits, false)})`,
      ];
  const moneyForm = draw.pick(forms);
  const money: Money = value => {
    if (value === 0)
      return draw.pick(['-', '0', '0.00'].map(text => (comma ? text.replace('.', ',') : text)));
    if (!inUsd && value < 100) return moneyForm(1234).startsWith('(') ? `(${plain(value)})` : plain(value);
    return moneyForm(value);
  };
  const unitForm = draw.pick<Money>(
    comma ? [value => grouped(value, 4, true), plain] : [value => grouped(value, 4, false), plain, plain],
  );
  const dates = draw.pick(
    mixed
      ? [
          ['iso', 'named', 'dmy'],
          ['iso', 'american', 'mdy'],
          ['named', 'short', 'american'],
        ]
      : Object.keys(DATES).map(form => [form]),
  );
  const dateOf = (due: NonNullable<Loan['due']>) => (DATES[draw.pick(dates)] as DateForm)(...due);
  const once = (loan: Loan, column: Column): string => {
    const threshold = (ltv: number) => share(ratios ? Number((1 / ltv).toFixed(4)) : ltv);
    switch (column) {
      case 'loan_id':
        return loan.id;
      case 'borrower':
        return loan.borrower;
      case 'loan_asset':
        return loan.asset;
      case 'loan_amount':
        return rare === 'smallest units' ? smallest(loan.amount, 6) : money(loan.amount);
      case 'margin_call_ltv':
        return threshold(loan.call);
      case 'liquidation_ltv':
        return threshold(loan.liquidation);
      case 'interest':
        return share(loan.rate);
      case 'maturity':
        return loan.due === undefined ? draw.pick(['', 'Open']) : dateOf(loan.due);
      case 'grace_hours':
        return plain(inDays ? loan.grace / 24 : loan.grace);
      default:
        return '';
    }
  };
  const isMerged = draw.chance(0.4);
  const repeats = !isMerged && draw.chance(0.3);
  // Columns beside those of the loan; the debt is without the accrued interest.
  const words = () => draw.pick(['JK', 'AM', 'ok', '']);
  const beside: Readonly<Record<string, (loan: Loan, asset: string, amount: number) => string>> = {
    RM: words,
    Status: words,
    'Product Type': words,
    'Last Review': words,
    'Orig Dt': () => dateOf([2025, 1 + Math.floor(12 * draw.uniform()), 1 + Math.floor(28 * draw.uniform())]),
    'LTV @ Orig': () => share(0.6),
    'Current LTV': () => share(0.5 + 0.1 * Math.floor(2 * draw.uniform())),
    'Original Principal': () => plain(500_000),
    Commitment: () => plain(750_000),
    'Days Outstanding': () => plain(Math.floor(300 * draw.uniform())),
    'Accrued Interest': loan => plain(Math.round(loan.amount / 200)),
    'Collateral Value (USD)': (_, asset, amount) => plain(Math.round(amount * (PRICES.get(asset) ?? 1))),
  };
  const extra = draw.shuffled(Object.keys(beside)).slice(0, Math.floor(4 * draw.uniform()));
  const rows = loans.flatMap(loan =>
    loan.collateral.map(([asset, amount], k) => [
      ...order.map(column => {
        if (column === 'collateral_asset') return asset;
        if (column === 'collateral_amount')
          return rare === 'smallest units' ? smallest(amount, 18) : unitForm(amount);
        if (
          k === 0 ||
          (column === 'loan_id' && !isMerged) ||
          (repeats &&
            !['maturity', 'loan_amount', 'margin_call_ltv', 'liquidation_ltv', 'interest'].includes(column))
        )
          return once(loan, column);
        return '';
      }),
      ...extra.map(name =>
        k === 0 || name.startsWith('Coll') ? (beside[name]?.(loan, asset, amount) ?? '') : '',
      ),
    ]),
  );
  const width = order.length + extra.length;
  const header = [...order.map(column => headings[column]), ...extra];
  const blank = Array.from({ length: width }, () => '');
  const wide = (...texts: readonly string[]) => [...texts, ...blank].slice(0, width);
  const at = order.indexOf('loan_amount');
  const total = loans.reduce((sum, { amount }) => sum + amount, 0);
  const sumRow = blank.map((_, k) =>
    k === at
      ? money(total)
      : k === (at === 0 ? 1 : 0)
        ? draw.pick(['TOTAL', 'Total', 'Grand Total', 'Total:'])
        : '',
  );
  const lines = [
    ...(draw.chance(0.35)
      ? [
          wide(
            draw.pick([
              'Loan tape, close of business 27-Feb-2026',
              'Portfolio report',
              'Loans: all desks; USD',
            ]),
          ),
          ...(draw.chance(0.5) ? [blank] : []),
        ]
      : []),
    ...(rare === 'two rows' ? [header.map((_, k) => IN_TWO_ROWS[order[k]]?.[0] ?? '')] : []),
    ...(draw.chance(0.2) && rare !== 'two rows'
      ? [header.map((_, k) => (k === 0 ? 'Facility' : k === 3 ? 'Exposure' : k === 6 ? 'Covenants' : ''))]
      : []),
    header,
    ...(draw.chance(0.1) ? [blank] : []),
    ...rows,
    ...(draw.chance(0.35) ? [...(draw.chance(0.5) ? [blank] : []), sumRow] : []),
    ...(draw.chance(0.25)
      ? [
          wide(
            draw.pick([
              'Prepared by: Credit Ops.',
              '* zero-balance facilities are repaid',
              'Confidential - internal use only',
            ]),
          ),
        ]
      : []),
  ];
  const quoted = (text: string) =>
    /["\n]/.test(text) || text.includes(mark) ? `"${text.replaceAll('"', '""')}"` : text;
  const text = `${draw.chance(0.3) ? '\ufeff' : ''}${lines.map(line => line.map(quoted).join(mark)).join(draw.chance(0.5) ? '\r\n' : '\n')}\n`;
  return {
    table: isSheet ? sheetTable([sheetOf(lines)]) : textTable(text),
    text: isSheet ? '' : text,
    hasLostIds: shortened !== undefined,
    loans: loans.filter(({ amount }) => amount > 0).map(loan => truth(loan, inUsd, present, ratios)),
    knows: {
      decimal: comma ? 'comma' : 'point',
      dates: dates.includes('mdy') ? 'mdy' : 'dmy',
      headings,
      defaults: {},
      ratios,
      percent: shareForm !== 'fraction',
    },
  };
}

/** Numbers and dates of a sheet are no texts. */
function sheetOf(lines: readonly (readonly string[])[]): Sheet {
  const cell = (text: string) => {
    const plain = text.replace(/^\s*\$\s*|,(?=\d{3})|^USD /g, '');
    if (text === '') return null;
    if (/^-?\d+(\.\d+)?$/.test(plain) && !/^0\d|^\d{6,}$/.test(text)) return Number(plain);
    return /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : text;
  };
  return { sheet: 'Tape', data: lines.map(line => line.map(cell)) };
}

function truth(loan: Loan, inUsd: boolean, present: readonly Column[], ratios: boolean): TrueLoan {
  const threshold = (ltv: number) => (ratios ? 1 / Number((1 / ltv).toFixed(4)) : ltv);
  return {
    id: loan.id,
    collateral: loan.collateral,
    loanUsd: loan.amount * (inUsd ? 1 : (PRICES.get(loan.asset) ?? Number.NaN)),
    terms: {
      margin_call_ltv: threshold(loan.call),
      liquidation_ltv: threshold(loan.liquidation),
      grace_hours: loan.grace,
      ...(present.includes('interest') && { interest: loan.rate }),
      ...(present.includes('maturity') &&
        loan.due !== undefined && { maturity: Date.UTC(loan.due[0], loan.due[1] - 1, loan.due[2]) }),
    },
  };
}
