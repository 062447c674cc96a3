/** A book in the console: tapes as the command line reads them, what is wrong with them, and the figures of /book_risk. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { levelOfParts } from '#core/figures/usual.js';
import { REMEDY_KINDS, remedy, remedyText } from '#src/tape/remedies.js';
import { faultsCsv, loansCsv, readBookFile, readTapeText } from '../../console/src/book/book-file.ts';
import { sampleTape } from '../../console/src/book/sample-tape.ts';
import { storeBook, storedBook } from '../../console/src/book/stored-books.ts';
import { choicesOf, filledColumn, withColumn, withFilled } from '../../console/src/book/tape-choices.ts';
import { FORM_WORDS, TAPE_FIELDS, tapeTerms, unitOf, withUnit } from '../../console/src/book/tape-terms.ts';
import { tapeXlsx } from '../../docs/tools/loan-tape.mjs';
import { hasBrowser } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import { CONSOLE_KEY, type ConsoleUnderTest, sentBody, settled, startConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { pdfPages } from '../support/pdf-text.ts';

const HEAD =
  'loan_id,borrower,collateral_asset,collateral_amount,loan_asset,loan_amount,initial_ltv,margin_call_ltv,liquidation_ltv,grace_hours';
const ROWS = [
  'alpha,north,BTC,4,USD,250000,0.6,0.75,0.85,24',
  'alpha,,ETH,20,,,,,,',
  'beta,south,SOL,1000,USD,100000,0.6,0.7,0.8,12',
];
const CSV = [HEAD, ...ROWS, ''].join('\n');
const LOANS = [
  {
    id: 'alpha',
    collateral_weights: { BTC: 0.6, ETH: 0.4 },
    loan_weights: { USD: 1 },
    loan_value: 250_000,
    N: 1.5,
    M: 1.3,
    L: 1.1,
    R: 1.4,
    loan_duration: 7,
    mc_top_up: 24,
  },
  {
    id: 'beta',
    collateral_weights: { SOL: 1 },
    loan_weights: { USD: 1 },
    loan_value: 100_000,
    N: 1.6,
    M: 1.4,
    L: 1.2,
    R: 1.5,
    loan_duration: 14,
    mc_top_up: 12,
  },
];

const bytes = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

/** The spreadsheet of the example tape behind a sheet of notes. */
function notesAndLoans(): Uint8Array<ArrayBuffer> {
  const files = unzipSync(tapeXlsx());
  const changed = (name: string, change: (text: string) => string) => strToU8(change(strFromU8(files[name])));
  const loans = 'xl/worksheets/sheet1.xml';
  return zipSync({
    ...files,
    '[Content_Types].xml': changed('[Content_Types].xml', text =>
      text.replace(
        /<Override PartName="[^"]*sheet1.xml"[^>]*>/,
        all => all + all.replace('sheet1', 'sheet2'),
      ),
    ),
    'xl/workbook.xml': changed('xl/workbook.xml', text =>
      text.replace('<sheets>', '<sheets><sheet name="Notes" sheetId="2" r:id="rId3"/>'),
    ),
    'xl/_rels/workbook.xml.rels': changed('xl/_rels/workbook.xml.rels', text =>
      text.replace(
        /<Relationship Id="rId1"[^>]*>/,
        all => all + all.replace('rId1', 'rId3').replace('sheet1', 'sheet2'),
      ),
    ),
    'xl/worksheets/sheet2.xml': changed(loans, text =>
      text.replace(/<sheetData>.*<\/sheetData>/s, '<sheetData/>'),
    ),
  }) as Uint8Array<ArrayBuffer>;
}

/** What a browser stores, without one. */
function storage(): Storage {
  const held = new Map<string, string>();
  return {
    get length() {
      return held.size;
    },
    key: index => [...held.keys()][index] ?? null,
    getItem: key => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: key => void held.delete(key),
    clear: () => held.clear(),
  };
}

describe('a file with a book', () => {
  it('is a tape where it is CSV, with the line of every row', async () => {
    const read = await readBookFile('tape.csv', bytes(`# of Monday\n${CSV}`));
    expect(read).toMatchObject({ kind: 'tape', lines: [2, 3, 4, 5] });
  });

  it.each([
    ['a list', LOANS],
    ['a member', { loans: LOANS }],
    ['a request', { type: 'GBM', params: { loans: LOANS } }],
  ])('holds rows where it is JSON that is %s', async (_, content) => {
    expect(await readBookFile('Book.JSON', bytes(JSON.stringify(content)))).toEqual({
      kind: 'rows',
      name: 'Book.JSON',
      loans: LOANS,
    });
  });

  it.each([
    ['JSON without loans', 'book.json', '{"loan":1}', /no list of loans/],
    ['broken JSON', 'book.json', '{', /JSON/],
    ['an empty text', 'tape.csv', '', /empty/],
    ['an open quote', 'tape.csv', 'loan_id\n"a', /quote/i],
  ])('says why it cannot be read: %s', async (_, name, text, reason) => {
    expect(await readBookFile(name, bytes(text))).toMatchObject({
      kind: 'unreadable',
      problem: expect.stringMatching(reason),
    });
  });

  it('says that bytes are neither text nor a spreadsheet', async () => {
    const read = await readBookFile('tape.csv', new Uint8Array([0xff, 0xfe, 0x41, 0]));
    expect(read).toMatchObject({ kind: 'unreadable', problem: expect.stringContaining('UTF-8') });
  });

  it('can be the sample, whose loans have LTVs in order', () => {
    const read = readTapeText('Sample tape', sampleTape(['BTC', 'ETH', 'SOL']));
    if (read.kind !== 'tape') throw new Error(read.kind);
    const [header, ...rows] = read.rows;
    const at = (name: string) => header.indexOf(name);
    expect(new Set(rows.map(row => row[at('loan_id')])).size).toBe(60);
    for (const row of rows)
      expect(
        Number(row[at('initial_ltv')]) < Number(row[at('margin_call_ltv')]) &&
          Number(row[at('margin_call_ltv')]) < Number(row[at('liquidation_ltv')]),
        String(row),
      ).toBe(true);
  });

  it('is unreadable where a cell lies so far from the others that the page would end', async () => {
    const parts = unzipSync(tapeXlsx());
    const sheet = 'xl/worksheets/sheet1.xml';
    const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>';
    const scattered = strToU8(strFromU8(parts[sheet]).replace('</sheetData>', far));
    expect(await readBookFile('a.xlsx', zipSync({ ...parts, [sheet]: scattered }))).toEqual({
      kind: 'unreadable',
      name: 'a.xlsx',
      problem: expect.stringContaining('its sheets span more than 10000000 cells'),
    });
  });

  it('gives figures as CSV, a loan a row, shares as fractions', () => {
    const text = loansCsv({ alpha: { ExpectedLoss: 1.5, AvgLossPct: 2, CVarContribution: { '0.99': 7 } } });
    expect(text.trim().split(/\r?\n/)).toEqual([
      'id,ExpectedLoss,AvgLossPct as fraction,CVarContribution 0.99',
      'alpha,1.5,0.02,7',
    ]);
    expect(loansCsv({ '=1+1\nx': { ExpectedLoss: 1 } })).toBe(`id,ExpectedLoss\r\n"'=1+1\nx",1\r\n`);
  });
});

describe('the fields of a tape', () => {
  const fieldsWith = (more: Record<string, string>) => ({ ...TAPE_FIELDS, ...more });

  it('are the options of the query of text/csv, and its faults', () => {
    expect(tapeTerms(fieldsWith({}))).toEqual({
      terms: { horizonDays: 30, options: expect.objectContaining({ percent: [], fractions: [] }) },
    });
    const all = {
      horizon: '7',
      dates: 'dmy',
      decimal: 'comma',
      percent: 'margin_call_ltv,liquidation_ltv',
      fractions: 'interest',
      columns: 'Nr=loan_id, Net = Debt=loan_amount, Desk=-',
      headerRow: '4',
      accept: 'a, b',
      empty: 'grace_hours=24',
    };
    expect(tapeTerms(fieldsWith(all))).toMatchObject({
      terms: {
        horizonDays: 7,
        options: {
          dates: 'dmy',
          decimal: 'comma',
          percent: ['margin_call_ltv', 'liquidation_ltv'],
          fractions: ['interest'],
          columns: { loan_id: 'Nr', loan_amount: 'Net = Debt' },
          ignored: ['Desk'],
          defaults: { grace_hours: '24' },
          ratios: [],
          headerRow: 4,
          accept: ['a', 'b'],
        },
      },
    });
    expect(tapeTerms(fieldsWith({ horizon: '', empty: 'grace=24' }))).toMatchObject({
      faults: [
        { path: 'query.default', message: expect.stringContaining('got "grace"') },
        { path: 'query.days', message: expect.stringContaining('above 0') },
      ],
    });
  });

  it('say of each column of LTVs, rates and shares of the tape whether it is per cent or fractions', () => {
    const fields = fieldsWith({ percent: 'liquidation_ltv,margin_call_ltv' });
    expect(unitOf(fields, 'margin_call_ltv')).toBe('percent');
    expect(unitOf(fields, 'interest')).toBe('');
    expect(withUnit(fields, 'margin_call_ltv', 'fractions')).toEqual({
      percent: 'liquidation_ltv',
      fractions: 'margin_call_ltv',
      ratios: '',
    });
    expect(withUnit(fields, 'margin_call_ltv', '')).toEqual({
      percent: 'liquidation_ltv',
      fractions: '',
      ratios: '',
    });
    expect(unitOf(withUnit(fields, 'margin_call_ltv', 'ratios'), 'margin_call_ltv')).toBe('ratios');
  });

  it('stand in the remedies in the place of options of the command line', () => {
    const inForm = (...of: Parameters<typeof remedy>) => remedyText(remedy(...of), FORM_WORDS);
    const found = REMEDY_KINDS.map(kind => inForm(kind, 'a=b', 'c', 'd')).join('\n');
    expect(found).not.toMatch(/--\w|in the query/);
    expect(found).toContain('Perhaps a is b.');
    expect(found).toContain('Or give all loans one, in the field below.');
    expect(inForm('fractions', 'interest', 12)).toContain('choose fractions for interest if');
    expect(inForm('percent', 'interest', 12, 0.12)).toMatch(
      /^Choose per cent for interest if the column is /,
    );
    expect(inForm('dates')).toMatch(/^Choose day\.month\.year \(31\.01\.2026\) or month/);
    expect(inForm('importPrices', 'ABC')).toMatch(/\. The view Data shows what there is\.$/);
    expect(inForm('mark')).toMatch(/^Choose the decimal comma if the comma /);
    expect(inForm('newerData')).toContain('a later day of the analysis');
  });

  it.each<readonly [Parameters<typeof remedy>, string, Record<string, string>]>([
    [['dates'], 'month/day/year', { dates: 'mdy' }],
    [['commas', 1000], 'Decimal comma', { decimal: 'comma' }],
    [['decimal'], 'Decimal point', { decimal: 'point' }],
    [
      ['ratios', 'margin_call_ltv liquidation_ltv', ''],
      'They are collateral over loan',
      { ratios: 'liquidation_ltv,margin_call_ltv', percent: '', fractions: '' },
    ],
    [
      ['percent', 'interest', 12, 0.12],
      'interest is in per cent',
      { percent: 'interest', fractions: '', ratios: '' },
    ],
    [['accept', 'b'], 'b is right', { accept: 'a,b' }],
    [['smallestUnits', 'loan_amount'], 'Smallest units, such as wei', { smallestUnits: 'loan_amount' }],
    [['nameColumn', 'Qty=loan_amount', ''], 'Qty is loan_amount', { columns: 'Qty=loan_amount' }],
    [['chooseColumn', 'A=loan_id', 'B=loan_id'], 'B is loan_id', { columns: 'B=loan_id' }],
    [
      ['chooseDebt', 'Accrued', 'A=loan_amount', 'B=loan_value'],
      'The first, with the interest',
      { columns: 'A=loan_amount,Accrued=accrued_interest' },
    ],
    [['addInterest', 'Accrued, USD'], 'The debt alone', { columns: 'Accrued  USD=-' }],
  ])('have the remedy %j as a choice: %s', (of, label, set) => {
    const choice = choicesOf(remedy(...of), fieldsWith({ accept: 'a' })).find(each => each.label === label);
    expect(choice?.set).toEqual(set);
    expect(tapeTerms({ ...TAPE_FIELDS, ...set })).toHaveProperty('terms');
  });

  it('give a column another meaning in place of the one before, and a value to its empty cells', () => {
    const fields = fieldsWith({ columns: 'Nr=loan_id,Desk=-', empty: 'grace_hours=24' });
    expect(withColumn(fields, 'Nr', 'borrower')).toEqual({ columns: 'Desk=-,Nr=borrower' });
    expect(withColumn(fields, 'Id', 'loan_id')).toEqual({ columns: 'Desk=-,Id=loan_id' });
    expect(withFilled(fields, 'grace_hours', ' 12 ')).toEqual({ empty: 'grace_hours=12' });
    expect(filledColumn(remedy('nameOrFill', 'a=b', 'c', 'd'))).toBe('d');
    expect(choicesOf(remedy('nameOrFill', 'name in the file=loan_asset', 'c', 'loan_asset'), fields)).toEqual(
      [],
    );
  });

  it('have their faults as CSV, without formulas', () => {
    const fault = {
      code: 'malformed' as const,
      line: 3,
      id: '=1+1',
      column: 'interest',
      message: '"x" is not a number',
      remedy: 'Correct it.',
    };
    expect(
      faultsCsv([fault, { code: 'missing', message: 'no rows', remedy: 'Write one.' }]).split(/\r?\n/),
    ).toMatchObject([
      'line,loan_id,column,code,message,remedy',
      `3,'=1+1,interest,malformed,"""x"" is not a number",Correct it.`,
      ',,,missing,no rows,Write one.',
      '',
    ]);
    expect(faultsCsv([{ ...fault, id: '=1+1\nx' }])).toContain(`3,"'=1+1\nx",interest`);
  });
});

describe('a kept book', () => {
  const book = (name: string) => {
    const read = readTapeText(name, CSV);
    if (read.kind === 'unreadable') throw new Error(read.problem);
    return read;
  };

  it('is found again by its number, which is the same for the same book', () => {
    const held = storage();
    const number = storeBook(book('a.csv'), held) ?? '';
    expect(storedBook(number, held)).toEqual(book('a.csv'));
    expect(storeBook(book('a.csv'), held)).toBe(number);
    expect(storedBook('00000000', held)).toBeUndefined();
  });

  it('makes room for the newest, and leaves what is not its own', () => {
    const held = storage();
    held.setItem('something else', 'x');
    const numbers = Array.from({ length: 12 }, (_, i) => storeBook(book(`${i}.csv`), held) ?? '');
    expect(numbers.filter(number => storedBook(number, held) !== undefined)).toHaveLength(8);
    expect(storedBook(numbers[11], held)).toBeDefined();
    expect(held.getItem('something else')).toBe('x');
  });

  it('is not kept where it is too large or nothing more is taken', () => {
    const full = {
      ...storage(),
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(storeBook(book('a.csv'), full)).toBeUndefined();
    expect(
      storeBook({ kind: 'rows', name: 'large', loans: [{ id: 'x'.repeat(2_000_001) }] }, storage()),
    ).toBeUndefined();
  });
});

checkEveryAnswer();

describe.skipIf(!hasBrowser)('the book view', { tags: ['slow'] }, () => {
  let under: ConsoleUnderTest;

  beforeAll(async () => {
    under = await startConsole();
  });

  afterAll(async () => under?.close());

  const upload = async (name: string, content: string | Buffer, fields = '') => {
    const watch = await under.open(
      `#/book?type=GBM&lookback=90&paths=2000&quantiles=0.5%2C0.9%2C0.99${fields}`,
    );
    await watch.page.setInputFiles('#field-file', {
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content),
    });
    return watch;
  };

  const TERMS = {
    model_lookback: 90,
    mc_iter: 2000,
    volatility_shock: 0,
    sale_delay: 24,
    sale_cost: 0.01,
    quantile: [0.5, 0.9, 0.99],
  };

  it('shows the figures of /book_risk for rows in JSON, with their intervals', async () => {
    const { page, errors } = await upload('book.json', JSON.stringify({ loans: LOANS }));
    await page.waitForSelector('text=2 loans');
    await page.click('text=/^Compute$/');
    expect(await settled(page)).toBe('done');
    const answer = await under.post(
      '/book_risk',
      { type: 'GBM', params: { ...TERMS, loans: LOANS } },
      { 'x-seed': '1' },
    );
    const book = answer.Output.Book as Record<string, unknown>;
    const value = async (figure: string) =>
      Number(
        await page.getAttribute(
          `[data-figure="${figure}"] td[data-value], td[data-figure="${figure}"]`,
          'data-value',
        ),
      );
    for (const name of ['LoanValue', 'ExpectedLoss', 'PrLoss'])
      expect(await value(name), name).toBe(book[name]);
    const tails = book as Record<string, Record<string, number>>;
    for (const quantile of ['0.5', '0.9', '0.99']) {
      expect(await value(`LossVar ${quantile}`)).toBe(tails.LossVar[quantile]);
      expect(await value(`LossCVar ${quantile}`)).toBe(tails.LossCVar[quantile]);
      expect(await value(`PeakDay CVar ${quantile}`)).toBe(
        (book.PeakDay as Record<string, Record<string, number>>).CVar[quantile],
      );
    }
    const assets = book.Assets as Record<string, { PeakDayCVar: Record<string, number> }>;
    for (const [symbol, { PeakDayCVar }] of Object.entries(assets))
      expect(
        Number(await page.getAttribute(`tr[data-asset="${symbol}"] td[data-value]`, 'data-value')),
        symbol,
      ).toBe(PeakDayCVar[String(levelOfParts([0.5, 0.9, 0.99], TERMS.mc_iter))]);
    expect(await page.locator('[data-rows="2"] tbody tr').count()).toBe(2);
    expect(await page.locator('tr[data-figure="PrLoss"] .interval').textContent()).toMatch(/ to .*%/);
    expect(await page.textContent('.headline')).toContain('Synthetic prices');
    await page.waitForSelector('.chart canvas');
    expect(errors).toEqual([]);
    await page.close();
  });

  it('values a tape as the command line does, and shows the loans with their LTV', async () => {
    const watch = await upload('tape.csv', CSV);
    const { page } = watch;
    await page.waitForSelector('text=/tape.csv: 2 loans, closes of/');
    await page.click('text=/^Compute$/');
    const { params } = (await sentBody(page, '/book_risk')) as {
      params: { loans: Record<string, unknown>[]; prices: Record<string, number> };
    };
    expect(params.loans.map(({ id, collateral, loan }) => ({ id, collateral, loan }))).toEqual([
      { id: 'alpha', collateral: { BTC: 4, ETH: 20 }, loan: { USD: 250_000 } },
      { id: 'beta', collateral: { SOL: 1000 }, loan: { USD: 100_000 } },
    ]);
    expect(await settled(page)).toBe('done');
    const { BTC, ETH } = params.prices;
    const ltv = 250_000 / (4 * BTC + 20 * ETH);
    const row = await page.textContent('[data-rows="2"] tbody tr:has-text("alpha")');
    expect(row).toContain(`${Number((100 * ltv).toFixed(1))}\u00a0%`);
    expect(row).toContain('250,000');
    await page.close();
  });

  it('says what is wrong with a tape and how to mend it, and sends nothing until that is done', async () => {
    const watch = await upload('tape.csv', CSV.replace('100000', 'much').replace('SOL', 'NONE'));
    const { page } = watch;
    await page.waitForSelector('text=/line 4, loan beta, loan_amount: "much" is not/');
    expect(await page.isDisabled('text=/^Compute$/')).toBe(true);
    expect(watch.requests.filter(url => url.includes('/book_risk'))).toEqual([]);
    await page.check('#field-skip');
    await page.waitForSelector('text=Left out for their faults: 1');
    await page.locator('#field-fall').fill('30');
    await page.click('text=/^Compute$/');
    expect(await settled(page)).toBe('done');
    const words = await page.textContent('.headline');
    expect(words).toContain('Before the first step all coins fall by 30\u00a0%.');
    expect(words).toContain(
      '1 loan of the tape (the debt of 1 loan is not known) is left out for faults and not in any figure or limit: beta.',
    );
    await page.close();
  });

  it('reads per cent, fractions, names of columns and empty cells as the form says', async () => {
    const text = [
      'Xyz,collateral_asset,collateral_amount,loan_amount,margin_call_ltv,liquidation_ltv,interest (%)',
      'alpha,BTC,4,100000,75,85,0.12',
      'beta,SOL,1000,20000,70,80,0.09',
      '',
    ].join('\n');
    const { page, errors } = await upload('tape.csv', text);
    await page.waitForSelector('text=/no column is loan_id/');
    expect(await page.textContent('.faults-of-tape li')).toMatch(
      /^no column is loan_id\.\s+Perhaps Xyz is|^no column is loan_id\.\s+Choose it/,
    );
    await page.click('text=How the tape is written');
    await page.fill('#field-columns', 'Xyz=loan_id');
    await page.fill('#field-empty', 'loan_asset=USD, grace_hours=24');
    await page.waitForSelector('text=/margin_call_ltv is in per cent: 75 is read as 75 %/');
    await page.selectOption('#field-margin_call_ltv', 'percent');
    await page.selectOption('#field-liquidation_ltv', 'percent');
    await page.selectOption('#field-interest', 'fractions');
    await page.waitForSelector('text=/tape.csv: 2 loans, closes of/');
    await page.click('text=/^Compute$/');
    const { params } = (await sentBody(page, '/book_risk')) as {
      params: { loans: Record<string, unknown>[] };
    };
    expect(params.loans).toMatchObject([
      { id: 'alpha', margin_call_ltv: 0.75, liquidation_ltv: 0.85, interest_rate: 0.12, mc_top_up: 24 },
      { id: 'beta', margin_call_ltv: 0.7, liquidation_ltv: 0.8, interest_rate: 0.09 },
    ]);
    expect(await settled(page)).toBe('done');
    expect(await page.textContent('.headline')).toContain('The book holds 2 loans of');
    expect(await page.locator('text=/The form has changed/').count()).toBe(0);
    await page.click('.intake-line');
    await page.fill('#field-empty', 'nothing');
    await page.waitForSelector('text=/The form has changed since/');
    await page.waitForSelector('#fault-empty');
    expect(await page.isDisabled('text=/^Compute$/')).toBe(true);
    expect(errors).toEqual([]);
    await page.close();
  });

  it('takes the columns and the remedies of a tape by choices, and marks the cells at fault', async () => {
    const text = [
      'Facility,Client,Asset,Qty,Ccy,Principal,Call LTV,Liq LTV,Maturity',
      'A-1,Alpha,BTC,12.5,USD,400000,75%,85%,03/04/2036',
      'A-2,Beta,ETH,300,USD,much,75%,85%,05/06/2036',
      '',
    ].join('\n');
    const { page, errors } = await upload('tape.csv', text);
    await page.selectOption('[aria-label="Asset is"]', 'collateral_asset');
    await page.selectOption('[aria-label="Ccy is"]', 'loan_asset');
    await page.fill('[aria-label="grace_hours of all loans without one"]', '24');
    // What is typed beside a fault is kept while the tape is read again.
    await page.click('button:has-text("Qty is collateral_amount")');
    await page.waitForSelector('button:has-text("Qty is collateral_amount")', { state: 'detached' });
    await page.click('.fill-all button');
    await page.waitForSelector('th.at-fault:has-text("Maturity")');
    await page.click('button:has-text("day.month.year")');
    await page.waitForSelector('th.at-fault', { state: 'detached' });
    await page.waitForSelector('td.at-fault:has-text("much")');
    expect(await page.locator('.at-fault').count()).toBe(1);
    await page.check('#field-skip');
    await page.click('text=/^Compute$/');
    const { params } = (await sentBody(page, '/book_risk')) as { params: { loans: object[] } };
    expect(params.loans).toMatchObject([
      { id: 'A-1', collateral: { BTC: 12.5 }, loan: { USD: 400_000 }, mc_top_up: 24, margin_call_ltv: 0.75 },
    ]);
    expect(await settled(page)).toBe('done');
    expect(await page.isVisible('.preview')).toBe(false);
    expect(errors).toEqual([]);
    await page.close();
  });

  it('lists the loans of a tape that the server refuses, and leaves them out, however many there are', async () => {
    const rows = Array.from({ length: 120 }, (_, k) => `l${k},,BTC,4,USD,100000,0.6,0.9,0.8,24`);
    const { page } = await upload('tape.csv', [HEAD, ...rows, ...ROWS, ''].join('\n'));
    await page.waitForSelector('text=/tape.csv: 122 loans/');
    await page.click('text=/^Compute$/');
    expect(await settled(page)).toBe('refused');
    await page.waitForSelector('text=/line 2, loan l0, margin_call_ltv/ >> visible=true');
    expect(await page.textContent('.faults-of-tape')).toContain('The same in 99 more rows: line 3 (loan l1)');
    await page.check('#field-skip');
    await page.click('text=/^Compute$/');
    expect(await settled(page)).toBe('done');
    expect(await page.textContent('.headline')).toContain(
      '120 loans of the tape of 12 million USD are left out for faults',
    );
    expect(await page.locator('[data-rows="2"] tbody tr').count()).toBe(2);
    await page.close();
  });

  it('reads the sheet of a spreadsheet that is chosen, also where the first one has no loans', async () => {
    const { page, errors } = await upload(
      'tape.xlsx',
      Buffer.from(notesAndLoans()),
      '&date=2024-06-30&skip=1',
    );
    await page.waitForSelector('text=/tape.xlsx cannot be read: the sheet Notes is empty/');
    expect(await page.locator('#field-sheet option').allTextContents()).toEqual(['Notes', 'Loans']);
    await page.selectOption('#field-sheet', 'Loans');
    await page.waitForSelector('text=/tape.xlsx, sheet Loans: 198 loans/');
    // The content is stored, and the file is not.
    await page.waitForFunction(() => /book=[0-9a-f]{8}/.test(location.hash));
    await page.reload();
    await page.waitForSelector('text=/tape.xlsx, sheet Loans: 198 loans/');
    expect(await page.locator('#field-sheet').count()).toBe(0);
    expect(errors).toEqual([]);
    await page.close();
  });

  it('names the loan that the server refuses', async () => {
    const refused = JSON.stringify([LOANS[0], { ...LOANS[1], L: 1.5 }]);
    const { page } = await upload('book.json', refused);
    await page.waitForSelector('text=2 loans');
    await page.click('text=/^Compute$/');
    expect(await settled(page)).toBe('refused');
    expect(await page.textContent('.faults')).toContain('loan beta');
    await page.close();
  });

  it('has rises where a loan is in a coin, and falls alone where none is', async () => {
    const short = (asset: string) => [
      HEAD,
      'alpha,north,USDC,100000,USD,70000,0.6,0.75,0.85,24',
      `beta,south,USDC,100000,${asset},${asset === 'BTC' ? 0.5 : 20000},0.2,0.75,0.85,24`,
    ];
    const { page } = await upload('tape.csv', short('USD').join('\n'));
    await page.waitForSelector('text=/tape.csv: 2 loans/');
    expect(await page.getAttribute('#field-fall', 'max')).toBe('90');
    await page.setInputFiles('#field-file', {
      name: 'short.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(short('BTC').join('\n')),
    });
    await page.waitForSelector('#field-fall[max="200"]');
    await page.locator('#field-fall').fill('50');
    await page.selectOption('#field-fallOf', 'BTC');
    await page.waitForFunction(() => location.hash.includes('fall=-50'));
    await page.click('text=/^Compute$/');
    const { params } = (await sentBody(page, '/book_risk')) as { params: { price_shock: unknown } };
    expect(params.price_shock).toEqual({ BTC: 0.5 });
    expect(await settled(page)).toBe('done');
    expect(await page.textContent('.headline')).toContain('Before the first step BTC rises by 50\u00a0%.');
    // Of loans without a loss those with the highest LTV come first.
    expect(await page.textContent('[data-rows="2"] tbody tr')).toContain('alpha');
    await page.click('text=/^Run \\d+ scenarios$/');
    await page.waitForSelector('tr[data-scenario="rise 30 %"]:has-text("All prices rise by 30 %")');
    await page.close();
  });

  it('lets all coins fall, and keeps the currencies of a book', async () => {
    const row = { id: 'a', collateral_weights: { BTC: 1 }, loan_weights: { EUR: 1 }, loan_value: 1e5 };
    const terms = { N: 1.5, M: 1.3, L: 1.1, R: 1.4, loan_duration: 30, mc_top_up: 24 };
    const { page } = await upload('book.json', JSON.stringify([{ ...row, ...terms }]), '&fall=30');
    await page.waitForSelector('text=/book.json: 1 loan/');
    await page.click('text=/^Compute$/');
    const { params } = (await sentBody(page, '/book_risk')) as { params: { price_shock: unknown } };
    expect(params.price_shock).toEqual({ '*': -0.3, EUR: 0 });
    await page.close();
  });

  it('opens the book of a link again in the same browser, and says so in another', async () => {
    const { page } = await upload('tape.csv', CSV);
    await page.waitForFunction(() => /book=[0-9a-f]{8}/.test(location.hash));
    await page.waitForSelector('text=/stored in this browser/');
    const address = page.url().slice(page.url().indexOf('#'));
    await page.close();
    const { page: again } = await under.open(address);
    await again.waitForSelector('text=/tape.csv: 2 loans/');
    await again.evaluate(() => localStorage.clear());
    await again.reload();
    await again.waitForSelector('text=/and not in this one/');
    await again.close();
  });

  it('leaves no job of its report on the server where the page is left', async () => {
    const { page } = await under.open('#/book?paths=1000');
    await page.click('text=Use the sample tape');
    await page.waitForSelector('text=/60 loans/');
    await page.click('text=/^Compute$/');
    expect(await settled(page)).toBe('done');
    // The page does not learn that its job has ended.
    await page.route('**/jobs/*', route =>
      route.request().method() === 'GET' ? undefined : route.continue(),
    );
    const following = page.waitForRequest(
      request => request.url().includes('/jobs/') && request.method() === 'GET',
    );
    await page.click('text=/^Make the report$/');
    const job = new URL((await following).url()).pathname;
    const stateOf = async () => {
      const headers = { 'x-api-key': CONSOLE_KEY };
      const response = await fetch(under.service.url + job, { headers });
      return response.status === 404 ? 'removed' : ((await response.json()) as { state: string }).state;
    };
    expect(await stateOf()).not.toMatch(/removed|cancelled/);
    await page.goto('about:blank');
    await eventually(async () => /removed|cancelled/.test(await stateOf()));
    await page.close();
  });

  it('has a sample tape, runs it under scenarios, and saves a report for print', async () => {
    const { page, errors } = await under.open('#/book?paths=1000');
    await page.click('text=Use the sample tape');
    await page.waitForSelector('text=/60 loans/');
    await page.click('text=/^Compute$/');
    expect(await settled(page)).toBe('done');
    // Numbers of loans are whole, but for their means; amounts are written out.
    const texts = await page.$$eval(
      'td[data-figure^="MarginCalls"], td[data-figure^="ForcedSaleUsd"]',
      cells => cells.map(cell => [cell.getAttribute('data-figure'), cell.firstChild?.textContent] as const),
    );
    expect(texts.length).toBeGreaterThan(7);
    for (const [figure, text] of texts) {
      const form = figure?.endsWith('MarginCalls Mean') ? /^\d+\.\d$/ : /^[\d,]+$/;
      expect(text, String(figure)).toMatch(form);
    }
    await page.click('text=Show the scenario');
    await page.waitForSelector('[data-scenario-path] >> text=/^A loss of .* of scenarios lose more/');
    const [table] = await page.$$('[data-scenario-path] table');
    expect(await table.textContent()).toMatch(/called in hour \d+ at [\d.]+\s%/);
    await page.click('label:has-text("with the largest loss")');
    await page.click('text=Show the scenario');
    await page.waitForSelector('[data-scenario-path] >> text=/no scenario loses more/');
    await page.click('text=/^Run \\d+ scenarios$/');
    await page.waitForSelector('tr[data-scenario="covid-2020"]');
    await page.waitForSelector('.scenarios .chart canvas');
    const sent: string[] = [];
    page.on('request', request => {
      const { prefer } = request.headers();
      if (prefer !== undefined) sent.push(`${new URL(request.url()).pathname} ${prefer}`);
      if (request.method() === 'DELETE') sent.push('deleted');
    });
    await page.fill('#report-limits', 'called loans <= 1000\nLossCVar 0.5 <= 1');
    await page.click('text=/^Make the report$/');
    // A faulty limit is named, and nothing is computed.
    await page.waitForSelector('text=/limits, line 2: .*the level 0.5 is not computed/');
    await page.fill('#report-limits', 'called loans <= 1000');
    await page.click('text=/^Make the report$/');
    await page.waitForSelector('text=/The report is ready/');
    expect(
      await page.$$eval('tr[data-limit]', rows => rows.map(row => row.getAttribute('data-limit'))),
    ).toEqual(['ok']);
    const saved = async (button: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
    };
    const { name, bytes } = await saved('text=/^Save report.html$/');
    const report = bytes.toString();
    expect(name).toBe('report.html');
    expect(report).toContain('Risk of the loan book');
    expect(report).toContain('Synthetic');
    expect(report).toContain('The book holds 60 loans');
    const printed = await under.context.newPage();
    await printed.setContent(report);
    expect(pdfPages(await printed.pdf({ preferCSSPageSize: true, printBackground: true }))).toHaveLength(6);
    await printed.close();
    // A job may take longer than a request. The server keeps none of its results.
    expect(sent.filter(each => each === '/book_report respond-async')).toHaveLength(2);
    expect(sent.filter(each => each === 'deleted')).toHaveLength(1);
    const { bytes: json } = await saved('text=/Save report.json/');
    const [first] = await readSheets((await saved('text=/^Save calls.xlsx$/')).bytes);
    const { Calls } = JSON.parse(json.toString()) as { Calls: { Id: string }[] };
    expect(first.data.slice(1).map(([id]) => id)).toEqual(Calls.map(({ Id }) => Id));
    for (const type of ['FHS', 'GBM', 'STUDENT_T', 'BOOTSTRAP', 'HISTORICAL']) expect(report).toContain(type);
    expect(report).not.toMatch(/NaN|undefined|null/);
    // The browser notes the refusal of the faulty limit.
    expect(errors).toEqual([expect.stringContaining('status of 422')]);
    await page.close();
  });
});
