/** A loan tape sent to /book_risk as text/csv: it is answered as the JSON body that it stands for. */
import { describe, expect, it } from 'vitest';
import { TAPE_DAY, tapeCsv } from '../../../docs/tools/loan-tape.mjs';
import { eventually } from '../../support/eventually.ts';
import { useSampleService } from '../../support/sample-service.ts';

const { post, get } = useSampleService();

const CSV = { 'content-type': 'text/csv; charset=utf-8', 'x-seed': '7' };
const [year, month, day] = TAPE_DAY.split('-');
const DATE = `${month}-${day}-${year}`;
const QUERY = `type=GBM&analysis_date=${DATE}&model_lookback=60&mc_iter=50&quantile=0.9&days=10`;
const HEADER =
  'loan_id,collateral_asset,collateral_amount,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,grace_hours';
const LOANS = [
  HEADER,
  'a,BTC,1.5,USDC,50000,0.75,0.85,24',
  'b,ETH,10,USD,12000,0.75,0.85,24',
  'b,BTC,0.1,,,,,',
  '',
].join('\n');

interface Problem {
  readonly detail: string;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}
const problemOf = async (response: Response) => (await response.json()) as Problem;

describe('A tape for /book_risk', () => {
  it('is answered like the equivalent body, to the byte', async () => {
    const sent = await post(`/book_risk?${QUERY}&include=warnings`, LOANS, CSV);
    expect(sent.status).toBe(200);
    const text = await sent.text();
    const prices = (await (await get(`/prices?symbols=BTC,ETH,USDC&date=${DATE}`)).json()) as {
      readonly prices: readonly { readonly price: number }[];
    };
    const [btc, eth, usdc] = prices.prices.map(({ price }) => price);
    const terms = {
      ...{ margin_call_ltv: 0.75, liquidation_ltv: 0.85, loan_duration: 10 },
      ...{ mc_top_up: 24, maturity_days: null },
    };
    const body = {
      type: 'GBM',
      params: {
        analysis_date: DATE,
        model_lookback: 60,
        mc_iter: 50,
        quantile: [0.9],
        prices: { BTC: btc, ETH: eth, USDC: usdc, USD: 1 },
        loans: [
          { id: 'a', collateral: { BTC: 1.5 }, loan: { USDC: 50_000 }, ...terms },
          { id: 'b', collateral: { ETH: 10, BTC: 0.1 }, loan: { USD: 12_000 }, ...terms },
        ],
      },
    };
    const same = await post('/book_risk?include=warnings', body, { 'x-seed': '7' });
    // The warnings on the tape stand before those of the answer.
    expect(await same.text()).toBe(text.replace(/\{"code":"tape-remark","message":"[^"]*"\},/g, ''));
  });

  it('can be one of two hundred loans, answered as CSV, and a job', async () => {
    const good = tapeCsv()
      .split('\n')
      .filter(line => !/^L-0(050|150)/.test(line))
      .join('\n');
    const csv = await post(`/book_risk?${QUERY}`, good, { ...CSV, accept: 'text/csv' });
    expect(csv.status).toBe(200);
    expect(await csv.text()).toContain('Output,Loans,L-0200,PrMarginCall,');
    const job = await post(`/book_risk?${QUERY}`, LOANS, { ...CSV, prefer: 'respond-async' });
    expect(job.status).toBe(202);
  });

  it('has warnings on what it says twice and differently, on decisions and on unused columns, in jobs, too', async () => {
    interface Warned {
      readonly Warnings: readonly { readonly code: string; readonly message: string }[];
    }
    const remarksOf = ({ Warnings }: Warned) =>
      Warnings.filter(({ code }) => code === 'tape-remark').map(({ message }) => message);
    const text = [
      `${HEADER},borrower,collateral_value,called_at,initial_ltv,Desk`,
      'a,BTC,1.5,USDC,50000,0.75,0.85,24,Ann,1,,,',
      `b,ETH,10,USD,12000,0.75,0.85,24,ANN,,${TAPE_DAY},0.4,Zug`,
      '',
    ].join('\n');
    const expected = [
      expect.stringMatching(
        /^Names of borrowers that differ only in case or white space are different borrowers: "Ann" and "ANN" \([\d,]+ USD together\)\.$/,
      ),
      expect.stringMatching(
        /^In 1 row collateral_amount times the close differs from collateral_value by more than 10 %; the amount is used: a \(1.5 BTC are [\d,]+ USD, the tape has 1.00\)\.$/,
      ),
      '2 loans (a, b) without a maturity: followed to the horizon.',
      expect.stringMatching(/^1 loan \(a\) without recovery_ltv and initial_ltv: /),
      expect.stringMatching(/^2 loans \(a, b\) without top_up_share: nobody answers a call/),
      expect.stringMatching(
        /^1 loan \(b\) with called_at, and an LTV between .* the call is open, and is not/,
      ),
      'Columns of the tape that are not used: Desk.',
    ];
    const query = `/book_risk?${QUERY}&include=warnings`;
    const sent = await post(query, text, CSV);
    expect(sent.headers.get('x-warnings')).toMatch(/^tape-remark,/);
    expect(remarksOf((await sent.json()) as Warned)).toEqual(expected);
    const { headers } = await post(query, text, { ...CSV, prefer: 'respond-async' });
    const result = `${headers.get('location')}/result`;
    await eventually(async () => (await get(result)).status === 200);
    expect(remarksOf((await (await get(result)).json()) as Warned)).toEqual(expected);
    // The amounts are the same; another remark makes another job of the same key.
    const once = { ...CSV, prefer: 'respond-async', 'idempotency-key': 'tape' };
    expect((await post(query, text, once)).status).toBe(202);
    expect((await post(query, text, once)).status).toBe(202);
    expect((await post(query, text.replace(',Ann,1,', ',Ann,2,'), once)).status).toBe(422);
    // With every term that a decision would stand for.
    const whole = `${HEADER},maturity,recovery_ltv,top_up_share,top_up_delay_hours,top_up_to_ltv\na,BTC,1.5,USDC,50000,0.75,0.85,24,2024-07-08,0.7,0.5,12,0.65\n`;
    const none = await post(query, whole, CSV);
    expect(remarksOf((await none.json()) as Warned)).toEqual([]);
    expect(none.headers.get('x-warnings')).not.toContain('tape-remark');
  });

  it('reports all faults at once, with line, loan, column and remedy', async () => {
    const response = await post(
      `/book_risk?${QUERY}`,
      tapeCsv().replace('L-0001,client-11,BNB', 'L-0001,client-11,'),
      CSV,
    );
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors).toMatchObject([
      {
        path: 'line.2.collateral_asset',
        message:
          'line 2, loan L-0001, collateral_asset: collateral_asset is missing. Write the symbol of the asset in every row: BTC.',
      },
      {
        path: 'line.63.collateral_amount',
        message: expect.stringContaining('is not a number. Write 2.44421: collateral_amount'),
      },
      {
        path: 'line.172.maturity',
        message: expect.stringContaining('"TBC" is not a date'),
      },
    ]);
  });

  it('reports two hundred faults, and the number of the others', async () => {
    const lastOf = async (faults: number) => {
      const rows = Array.from({ length: faults }, (_, i) => `${i},BTC,none,USD,1,0.75,0.85,24`);
      const response = await post(`/book_risk?${QUERY}`, [HEADER, ...rows].join('\n'), CSV);
      return (await problemOf(response)).errors.slice(200);
    };
    expect(await lastOf(200)).toEqual([]);
    expect(await lastOf(201)).toMatchObject([{ path: 'body', message: 'The tape has 1 more fault.' }]);
    expect(await lastOf(202)).toMatchObject([{ path: 'body', message: 'The tape has 2 more faults.' }]);
  });

  it('reports faults of its dates and of its terms in the same way', async () => {
    const dates = await post(
      `/book_risk?${QUERY}`,
      `${HEADER},called_at\na,BTC,1,USD,50000,0.75,0.85,24,2031-01-31\n`,
      CSV,
    );
    expect((await problemOf(dates)).errors).toMatchObject([
      {
        path: 'line.2.called_at',
        message: expect.stringContaining('the call of the end of 2031-01-30 lies after the end of the data'),
      },
    ]);
    const terms = await post(
      `/book_risk?${QUERY}&sale_cost=2`,
      LOANS.replace('0.75,0.85,24', '0.75,0.85,-1'),
      CSV,
    );
    expect((await problemOf(terms)).errors).toMatchObject([
      { path: 'query.sale_cost', message: 'sale_cost must be from 0 to 0.5; got 2' },
      {
        path: 'line.2.grace_hours',
        message:
          'line 2, loan a, grace_hours: mc_top_up must be from 0 to 8760 hours; got -1. Correct the column grace_hours of the loan.',
      },
    ]);
  });

  it('names options as members of the query', async () => {
    const messagesOf = async (text: string) => {
      const response = await post(`/book_risk?${QUERY}`, text, CSV);
      return (await problemOf(response)).errors.map(({ message }) => message);
    };
    expect(await messagesOf(`${HEADER}\na,BTC,"1,500",USD,50000,3,85 %,24\n`)).toEqual([
      'collateral_amount: "1,500": the comma may stand between thousands or before the fraction. Say decimal=point in the query if commas stand between thousands; say decimal=comma in the query if they stand before the fraction.',
      'margin_call_ltv: "3" in margin_call_ltv is above 100 % as loan over collateral: is it collateral over loan, an LTV of 33.33 %? Say ratios=margin_call_ltv in the query, and they are read as 1 / x.',
    ]);
    expect(await messagesOf(`${HEADER}\na,BTC,1.5,USD,50000,0.75,0.85,\n`)).toMatchObject([
      'line 2, loan a, grace_hours: grace_hours is missing. Write it in a row of the loan, or give all loans without one the same: default=grace_hours=... in the query',
    ]);
  });

  it('is read by the parameters of its query: columns, defaults, per cent, commas and dates of a locale', async () => {
    const text = 'Nr;Pfand;Menge;Betrag;Call;liquidation_ltv;maturity\na;BTC;1,5;50000;75;85;31.12.2024\n';
    const query = `${QUERY}&columns=Nr=loan_id,Pfand=collateral_asset,Menge=collateral_amount,Betrag=loan_amount,Call=margin_call_ltv&default=loan_asset=USD,grace_hours=24&percent=margin_call_ltv,liquidation_ltv&dates=dmy&decimal=comma`;
    const response = await post(`/book_risk?${query}`, text, CSV);
    expect(response.status).toBe(200);
    const { Arguments } = (await response.json()) as { Arguments: { loans: readonly unknown[] } };
    expect(Arguments.loans).toEqual([
      expect.objectContaining({
        id: 'a',
        loan_value: 50_000,
        margin_call_ltv: 0.75,
        liquidation_ltv: 0.85,
        mc_top_up: 24,
      }),
    ]);
  });

  it.each([
    ['days=0', 'query.days', 'days must be a number above 0 and at most 3650; got "0"'],
    ['dates=ymd', 'query.dates', 'dates must be one of dmy, mdy; got "ymd"'],
    [
      'percent=lvt',
      'query.percent',
      expect.stringMatching(/^percent must be of columns; there are loan_id, .*; got "lvt"$/),
    ],
    [
      'columns=loan_id',
      'query.columns',
      'columns must be a list of pairs with = between, and commas between pairs; got "loan_id"',
    ],
    [
      'default=loan_id=7',
      'query.default',
      'default must be of columns that are said once for a loan; got "loan_id"',
    ],
    ['type=GBM', 'query.type', 'type is given 2 times; once is allowed'],
  ])('with a faulty query is refused: %s', async (parameter, path, message) => {
    const response = await post(
      `/book_risk?${parameter}${parameter.startsWith('days') ? '' : `&${QUERY}`}`,
      LOANS,
      CSV,
    );
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors).toMatchObject([{ path, message }]);
  });

  it('that names assets without prices, or too many of them, is refused', async () => {
    const unknown = await post(`/book_risk?${QUERY}`, LOANS.replace('a,BTC', 'a,WXYZ'), CSV);
    expect(unknown.status).toBe(422);
    expect((await problemOf(unknown)).errors).toMatchObject([
      {
        path: 'line.2.collateral_asset',
        message: expect.stringMatching(
          /^line 2, loan a, collateral_asset: there is no price of WXYZ: .* Correct the symbol/,
        ),
      },
    ]);
    const many = Array.from({ length: 33 }, (_, k) => `l${k},C${k},1,USD,1,0.75,0.85,24`).join('\n');
    const response = await post(`/book_risk?${QUERY}`, `${HEADER}\n${many}\n`, CSV);
    expect((await problemOf(response)).errors).toMatchObject([
      { path: 'body', message: 'the loans of a tape name at most 32 distinct symbols; got 34. Split it.' },
    ]);
  });

  it('is refused with 400 or 413 where it is not CSV, empty or too large; other operations accept JSON only', async () => {
    expect(await problemOf(await post('/book_risk', '"a', CSV))).toMatchObject({
      detail: expect.stringContaining('The body is no CSV'),
    });
    expect(await problemOf(await post('/book_risk', '', CSV))).toMatchObject({
      detail: 'The body is empty; it must be CSV.',
    });
    expect((await post('/book_risk', ' '.repeat(16 * 2 ** 20 + 1), CSV)).status).toBe(413);
    const stress = await post('/stress', LOANS, CSV);
    expect(stress.status).toBe(415);
    expect(await problemOf(await post('/book_risk', LOANS, { 'content-type': 'text/plain' }))).toMatchObject({
      detail: 'The body must be sent with Content-Type: application/json or text/csv (UTF-8).',
    });
  });
});
