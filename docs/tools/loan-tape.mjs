/**
 * A tape of 200 loans as a lending desk may have it, on prices of the sample market of 30 June 2024: the same at every call. Five loans are in
 * margin call, and two have a fault.
 *
 *   node docs/tools/loan-tape.mjs > tape.csv
 *   node docs/tools/loan-tape.mjs xlsx > tape.xlsx
 */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { strToU8, zipSync } from 'fflate';
import { draws } from '../../scripts/draws.mjs';

/** Last day of the prices. */
export const TAPE_DAY = '2024-06-30';

/** USD per unit. */
const PRICES = {
  BTC: 65093.6,
  ETH: 2476.92,
  SOL: 189.572,
  BNB: 423.304,
  LINK: 10.5277,
  DOGE: 0.121488,
  USD: 1,
  USDC: 0.999757,
};
/** Collateral by how often it is pledged. */
const COLLATERAL = [
  [0.5, { BTC: 1 }],
  [0.24, { ETH: 1 }],
  [0.06, { SOL: 1 }],
  [0.1, { BTC: 0.6, ETH: 0.4 }],
  [0.05, { ETH: 0.5, SOL: 0.3, LINK: 0.2 }],
  [0.03, { BNB: 1 }],
  [0.02, { DOGE: 1 }],
];
const BORROWERS = 60;
const IN_CALL = 5;

export const TAPE_HEADER = [
  'loan_id',
  'borrower',
  'collateral_asset',
  'collateral_amount',
  'loan_asset',
  'loan_amount',
  'initial_ltv',
  'margin_call_ltv',
  'liquidation_ltv',
  'interest',
  'maturity',
  'grace_hours',
  'called_at',
];

/** Rows of the tape below its header; numbers, texts, and dates as texts. */
export function tapeRows(count = 200) {
  const { uniform, pick } = draws();
  const digits = (value, count) => Number(value.toPrecision(count));
  const dayAfter = days => new Date(Date.parse(TAPE_DAY) + days * 86_400_000).toISOString().slice(0, 10);
  const rows = Array.from({ length: count }, (_, i) => {
    const basket = pick(COLLATERAL);
    const initial = pick([
      [0.5, 0.5],
      [0.3, 0.6],
      [0.2, 0.65],
    ]);
    const [call, liquidation] = initial > 0.6 ? [0.8, 0.9] : [0.75, 0.85];
    const isCalled = i % 37 === 5 && i / 37 < IN_CALL;
    // Prices have moved since the loan was made.
    const ltv = isCalled
      ? call + 0.03 + 0.04 * uniform()
      : Math.min(call - 0.02, initial * (0.65 + 0.6 * uniform()));
    const loanAmount = Math.round(20_000 * Math.exp(3.2 * uniform())) * 1;
    const asset = uniform() < 0.3 ? 'USD' : 'USDC';
    const collateralUsd = (loanAmount * PRICES[asset]) / ltv;
    const once = [
      asset,
      loanAmount,
      initial,
      call,
      liquidation,
      digits(0.08 + 0.06 * uniform(), 3),
      uniform() < 0.2 ? '' : dayAfter(1 + Math.floor(360 * uniform())),
      uniform() < 0.7 ? 24 : 48,
      isCalled ? `${dayAfter(0)}T${String(8 + Math.floor(12 * uniform())).padStart(2, '0')}:00Z` : '',
    ];
    const borrower = `client-${String(1 + Math.floor(BORROWERS * uniform() ** 2)).padStart(2, '0')}`;
    const id = `L-${String(i + 1).padStart(4, '0')}`;
    return Object.entries(basket).map(([coin, share], k) => [
      id,
      borrower,
      coin,
      digits((collateralUsd * share) / PRICES[coin], 6),
      ...(k === 0 ? once : once.map(() => '')),
    ]);
  });
  // Faults that people make: a word beside a number, and no date where one is to come.
  rows[49][0][3] = `${rows[49][0][3]} est.`;
  rows[149][0][10] = 'TBC';
  return rows.flat();
}

export const tapeCsv = () => `${[TAPE_HEADER, ...tapeRows()].map(row => row.join(',')).join('\n')}\n`;

/** The same as a spreadsheet: dates and shares are numbers with a form, as Excel writes them. */
export function tapeXlsx() {
  const [date, percent] = [1, 2];
  const isShare = column => /ltv|interest/.test(TAPE_HEADER[column]);
  const cell = (value, column) => {
    if (value === '') return '<c/>';
    if (typeof value === 'number') return `<c${isShare(column) ? ` s="${percent}"` : ''}><v>${value}</v></c>`;
    if (/^\d{4}-\d{2}-\d{2}$/.test(value))
      return `<c s="${date}"><v>${Date.parse(value) / 86_400_000 + 25_569}</v></c>`;
    return `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  };
  const letters = 'ABCDEFGHIJKLM';
  const placed = (text, row, column) => text.replace('<c', `<c r="${letters[column]}${row}"`);
  const sheet = [TAPE_HEADER, ...tapeRows()]
    .map(
      (row, r) =>
        `<row r="${r + 1}">${row.map((value, c) => placed(cell(value, c), r + 1, c)).join('')}</row>`,
    )
    .join('');
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const files = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Loans" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/><xf numFmtId="10" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
  };
  // The same bytes at every call: ZIP holds the time of each file.
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(head + xml)])),
    { mtime: '2024-06-30T00:00:00' },
  );
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.stdout.write(process.argv[2] === 'xlsx' ? Buffer.from(tapeXlsx()) : tapeCsv());
