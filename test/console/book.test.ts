/** A book in the console: files as people have them, what is wrong with them, and the figures of /book_risk. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loansCsv, readBook } from '../../console/src/views/book-file.ts';
import { sampleBook } from '../../console/src/views/sample-book.ts';
import { hasBrowser } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import { type ConsoleUnderTest, settled, startConsole } from '../support/console.ts';

const HEAD = 'id,collateral_weights,loan_weights,loan_value,N,M,L,R,loan_duration,mc_top_up';
const ROWS = [
  'alpha,BTC:0.6;ETH:0.4,USD,250000,1.5,1.3,1.1,1.4,7,24',
  'beta,SOL,USD:1,100000,1.6,1.4,1.2,1.5,14,12',
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

describe('a file of loans', () => {
  it('is read from CSV', () => {
    expect(readBook('book.csv', CSV)).toEqual({ loans: LOANS, problems: [] });
  });

  it('is read from CSV with semicolons quoted, spaces and Windows lines', () => {
    const text = `${HEAD.replaceAll(',', ' , ')}\r\n${ROWS[0].replace('BTC:0.6;ETH:0.4', '" BTC : 0.6 ; ETH : 0.4 "')}\r\n`;
    expect(readBook('book.csv', text)).toEqual({ loans: [LOANS[0]], problems: [] });
  });

  it.each([
    ['a list', LOANS],
    ['a member', { loans: LOANS }],
    ['a request', { type: 'GBM', params: { loans: LOANS } }],
  ])('is read from JSON that is %s', (_, content) => {
    expect(readBook('Book.JSON', JSON.stringify(content))).toEqual({ loans: LOANS, problems: [] });
  });

  it('tells every problem with its row and column', () => {
    const text = [HEAD, ROWS[0].replace('250000', 'much'), ROWS[1].replace('SOL', 'SOL:x')].join('\n');
    const { loans, problems } = readBook('book.csv', text);
    expect(loans).toEqual([]);
    expect(problems).toEqual([
      'Row 2, loan_value: "much" is no number.',
      'Row 3, collateral_weights: "SOL:x" is no symbol with a weight.',
    ]);
  });

  it('names the columns that are missing', () => {
    expect(readBook('book.csv', 'id,N\na,1.5').problems[0]).toContain(
      'collateral_weights, loan_weights, loan_value',
    );
  });

  it('says what is wrong with JSON that holds no loans', () => {
    expect(readBook('book.json', '{"loan":1}').problems).toHaveLength(1);
    expect(readBook('book.json', '{').problems).toHaveLength(1);
  });

  it('can be made as a sample, with ids that are unique and ratios in order', () => {
    const loans = sampleBook(['BTC', 'ETH', 'SOL']);
    expect(new Set(loans.map(({ id }) => id)).size).toBe(loans.length);
    for (const { id, L, M, N } of loans as readonly { id: string; L: number; M: number; N: number }[])
      expect(L < M && M < N, id).toBe(true);
  });

  it('gives its figures as CSV, a loan a row', () => {
    const text = loansCsv({ alpha: { ExpectedLoss: 1.5, CVarContribution: { '0.99': 7 } } });
    expect(text.trim().split(/\r?\n/)).toEqual(['id,ExpectedLoss,CVarContribution 0.99', 'alpha,1.5,7']);
  });
});

checkEveryAnswer();

describe.skipIf(!hasBrowser)('the book view', { tags: ['slow'] }, () => {
  let under: ConsoleUnderTest;

  beforeAll(async () => {
    under = await startConsole();
  });

  afterAll(async () => under?.close());

  const upload = async (name: string, text: string) => {
    const watch = await under.open('#/book?paths=2000&quantiles=0.5%2C0.9%2C0.99');
    await watch.page.setInputFiles('#field-file', {
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
    return watch;
  };

  it.each([
    ['book.csv', CSV],
    ['book.json', JSON.stringify({ loans: LOANS })],
  ])('shows the figures of /book_risk for %s', async (name, text) => {
    const { page, errors } = await upload(name, text);
    await page.waitForSelector('text=2 loans');
    await page.click('text=/^Compute$/');
    expect(await settled(page)).toBe('done');
    const answer = await under.post('/book_risk', {
      type: 'GBM',
      params: {
        model_lookback: 90,
        mc_iter: 2000,
        volatility_shock: 0,
        sale_delay: 24,
        sale_cost: 0.01,
        quantile: [0.5, 0.9, 0.99],
        loans: LOANS,
      },
    });
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
      ).toBe(PeakDayCVar['0.99']);
    expect(await page.locator('[data-rows="2"] tbody tr').count()).toBe(2);
    await page.waitForSelector('.chart canvas');
    expect(errors).toEqual([]);
    await page.close();
  });

  it('says what is wrong with a file, and sends nothing', async () => {
    const watch = await upload('book.csv', CSV.replace('250000', 'much'));
    await watch.page.waitForSelector('text="much" is no number');
    expect(await watch.page.isDisabled('text=/^Compute$/')).toBe(true);
    expect(watch.requests.filter(url => url.includes('/book_risk'))).toEqual([]);
    await watch.page.close();
  });

  it('names the loan that the server refuses', async () => {
    const { page } = await upload('book.csv', CSV.replace('1.6,1.4,1.2', '1.6,1.4,1.5'));
    await page.waitForSelector('text=2 loans');
    await page.click('text=/^Compute$/');
    expect(await settled(page)).toBe('refused');
    expect(await page.textContent('.faults')).toContain('(beta)');
    await page.close();
  });

  it('has a sample book to try', async () => {
    const { page } = await under.open('#/book?paths=1000');
    await page.click('text=Use a sample book');
    await page.waitForSelector('text=60 loans');
    await page.click('text=/^Compute$/');
    expect(await settled(page)).toBe('done');
    await page.close();
  });
});
