/** `book`: the risk of the loans of a tape, on the sample market. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bookCommand } from '#src/cli/book.js';
import type { BookOptions } from '#src/cli/tape-options.js';
import type { DeskResult } from '#src/desk/result.js';
import { TAPE_DAY, tapeCsv, tapeXlsx } from '../../docs/tools/loan-tape.mjs';
import { recorded } from '../support/recorded-output.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'book-'));
  writeFileSync(join(folder, 'tape.csv'), tapeCsv());
  writeFileSync(join(folder, 'tape.xlsx'), tapeXlsx());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS: BookOptions = {
  tape: {},
  skipFaulty: true,
  asOf: Date.parse(TAPE_DAY) / 86_400_000,
  horizonDays: 30,
  types: ['STUDENT_T', 'HISTORICAL'],
  lookbackDays: 180,
  paths: 100,
  levels: [0.95, 0.99],
  saleDelayHours: 24,
  saleCost: 0.01,
  seed: 7,
  falls: [],
  backtestDays: 0,
  title: 'Loans of June',
  command: 'collateral-risk-engine book tape.csv',
};

async function run(
  file: string,
  options: Partial<BookOptions> = {},
  others: Readonly<Record<string, string>> = {},
) {
  const environment = { MARKET_DB: 'sample', COMPUTE: 'cpu', CPU_THREADS: '1', ...others };
  const { code, out, err } = await recorded(output =>
    bookCommand(join(folder, file), { ...OPTIONS, ...options }, environment, output),
  );
  return { code, out, err: err.replaceAll(folder, '') };
}

/** A channel that keeps the messages to its address. */
async function openChannel() {
  const texts: string[] = [];
  const channel = createServer((request, response) => {
    request.on('data', piece => texts.push(String(piece))).on('end', () => response.end());
  });
  await new Promise<void>(resolve => channel.listen(0, '127.0.0.1', resolve));
  const notify = `http://127.0.0.1:${(channel.address() as AddressInfo).port}/secret`;
  const close = () => {
    channel.closeAllConnections();
    channel.close();
  };
  return { texts, notify, close };
}

async function resultOf(file: string, options: Partial<BookOptions> = {}): Promise<DeskResult> {
  const { code, out, err } = await run(file, { ...options, json: '-' });
  expect(code, err).toBe(0);
  return JSON.parse(out) as DeskResult;
}

describe('A run of book with every output', () => {
  const at = (name: string) => join(folder, name);
  const [html, json, csv, calls] = ['report.html', 'result.json', 'loans.csv', 'calls.xlsx'];
  let ended: Awaited<ReturnType<typeof run>>;
  let listened = 0;
  let texts: readonly string[];
  beforeAll(async () => {
    writeFileSync(
      at('limits.txt'),
      'called loans <= 4\nPeakDay <= 20% of daily volume\nscenario loss <= 1e9\n',
    );
    const { notify: address, texts: received, close } = await openChannel();
    texts = received;
    const { host } = new URL(address);
    const listening = vi.spyOn(Server.prototype, 'listen');
    const outputs = {
      html: at(html),
      json: at(json),
      csv: at(csv),
      calls: at(calls),
      limits: at('limits.txt'),
    };
    try {
      ended = await run(
        'tape.csv',
        { ...outputs, types: ['GBM'] },
        {
          ...{ REDIS_URL: `redis://${host}`, FLEET_NAME: 'desk', API_KEYS: 'no', PORT: 'none' },
          ...{ KEYS_FILE: at('no-keys'), CORS_ORIGINS: 'none', HEALTH_PORT: host.slice(-5) },
        },
      );
      listened = listening.mock.calls.length;
    } finally {
      listening.mockRestore();
      close();
    }
  });

  it('opens no port, and reads no variable of a server', () => {
    expect([ended.code, listened, texts]).toEqual([3, 0, []]);
  });

  it('has a report, judges limits, and ends with 3 for a breach, though one cannot be judged', () => {
    expect(ended.code).toBe(3);
    expect(ended.out).toContain(
      '\nbreached  called loans <= 4  (5)\nok        PeakDay <= 20% of daily volume  (',
    );
    const page = readFileSync(at(html), 'utf8');
    expect(page).toContain('1 limit of 3 is breached.');
    expect(page).toContain('<p class="synthetic">');
    const [, loans] = page.split('<section id="loans">');
    // Two tables of the same twelve loans.
    expect(loans.match(/<tr><td><span class="whole">L-\d{4}/g)).toHaveLength(24);
  });

  it('has the loans as CSV, and warnings and left-out loans in a file beside it', () => {
    expect(ended.out).toContain(
      'Loans of June\nData as of 2024-06-30, 24:00 UTC, synthetic prices of the sample market',
    );
    const notes = readFileSync(at('loans.notes.txt'), 'utf8').split('\r\n');
    expect(notes.filter(line => line.startsWith('warning gbm-tail (GBM): '))).toHaveLength(1);
    expect(notes.filter(line => line.startsWith('left out: line '))).toHaveLength(2);
    const lines = readFileSync(at(csv), 'utf8').split('\r\n');
    expect(lines[0]).toMatch(/^loan_id,/);
    expect(lines.filter(line => /^L-\d{4},/.test(line))).toHaveLength(198);
  });

  it('has the open margin calls as a spreadsheet with typed cells', async () => {
    const { Calls } = JSON.parse(readFileSync(at(json), 'utf8')) as DeskResult;
    const [sheet, byAsset] = await readSheets(readFileSync(at(calls)));
    const [header, ...rows] = sheet.data;
    const column = (name: string) => rows.map(row => row[header.indexOf(name)]);
    expect(column('loan_id')).toEqual(Calls.map(({ Id }) => Id));
    expect(column('deadline_utc')).toEqual(Calls.map(({ Deadline }) => new Date(Deadline)));
    expect(column('ltv')).toEqual(Calls.map(({ Ltv }) => Ltv));
    expect(column('add_collateral_usd')).toEqual(Calls.map(({ TopUpUsd }) => TopUpUsd));
    expect(column('or_repay_usd')).toEqual(Calls.map(({ RepayUsd }) => RepayUsd));
    expect(byAsset.data).toHaveLength(1 + Calls.reduce((sum, { TopUp }) => sum + TopUp.length + 1, 0));
  });
});

describe('The command book', () => {
  it('names the faulty rows of a tape with line, id and remedy, and computes nothing', async () => {
    const { code, out, err } = await run('tape.csv', { skipFaulty: false });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.split('\n')).toEqual([
      expect.stringMatching(
        /^\/tape\.csv:\d+: loan L-0050, collateral_amount: "[\d.]+ est\." is not a number$/,
      ),
      expect.stringMatching(/^ {2}Write [\d.]+: collateral_amount is in units of collateral_asset\.$/),
      expect.stringMatching(/^\/tape\.csv:\d+: loan L-0150, maturity: "TBC" is not a date$/),
      '  Write 2026-01-31, or 2026-01-31T15:00Z (UTC).',
      expect.stringMatching(/^Nothing was computed: 2 faults\. With --skip-faulty /),
      '',
    ]);
  });

  const FAULTY =
    'loan_id,collateral_asset,collateral_amount,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,grace_hours';

  it('names a fault of every row once, with its first rows and their number', async () => {
    const endOf = async (faults: number) => {
      const rows = Array.from({ length: faults }, (_, i) => `${i},BTC,none,USD,1,0.8,0.9,24`);
      writeFileSync(join(folder, 'faulty.csv'), [FAULTY, ...rows, ''].join('\n'));
      const { err } = await run('faulty.csv', { skipFaulty: false });
      return err.trimEnd().split('\n').slice(1);
    };
    const remedy = '  Write the units of the asset, or their value in USD.';
    expect(await endOf(1)).toEqual([remedy, 'Nothing was computed: 1 fault.']);
    expect(await endOf(2000)).toEqual([
      remedy,
      '  The same in 1,999 more rows: line 3 (loan 1), line 4 (loan 2), line 5 (loan 3), line 6 (loan 4) and 1,995 more.',
      'Nothing was computed: 2,000 faults of 1 kind.',
    ]);
  });

  it('names a hundred kinds of faults of a tape, and counts the others', async () => {
    const endOf = async (kinds: number) => {
      const rows = Array.from({ length: kinds }, (_, i) => `${i},X${i},1,USD,1,0.8,0.9,24`);
      writeFileSync(join(folder, 'faulty.csv'), [FAULTY, ...rows, ''].join('\n'));
      const { err } = await run('faulty.csv', { skipFaulty: false });
      return err.trimEnd().split('\n').slice(200);
    };
    expect(await endOf(100)).toEqual(['Nothing was computed: 100 faults.']);
    expect(await endOf(101)).toEqual(['1 more kind of faults.', 'Nothing was computed: 101 faults.']);
    expect(await endOf(102)).toEqual(['2 more kinds of faults.', 'Nothing was computed: 102 faults.']);
  });

  it('leaves out every loan with a fault of its terms, however many there are', async () => {
    const rows = Array.from({ length: 150 }, (_, k) => `${k},BTC,1,USD,1000,0.9,0.8,24`);
    const small = 'tiny,BTC,10,USD,100,0.8,0.9,24';
    const text = [FAULTY, ...rows, small, 'good,BTC,1,USD,10000,0.8,0.9,24', ''].join('\n');
    writeFileSync(join(folder, 'terms.csv'), text);
    const { Tape } = await resultOf('terms.csv', { types: ['GBM'], paths: 10 });
    expect(Tape.Loans).toBe(1);
    expect(new Set(Tape.LeftOut.map(({ Id }) => Id)).size).toBe(151);
    expect(Tape.LeftOut.at(-1)).toEqual({
      Code: 'out_of_range',
      Line: 152,
      Id: 'tiny',
      Column: 'collateral_amount',
      Message: expect.stringMatching(/^the LTV today is 0\.01\d* %, and must be at least 1 %$/),
      Remedy:
        'Correct the units of collateral_amount or loan_amount, or leave out a loan that is almost repaid.',
    });
  });

  it('computes nothing under --skip-faulty where a fault is of the options', async () => {
    writeFileSync(join(folder, 'good.csv'), `${FAULTY}\na,BTC,1,USD,1000,0.8,0.9,24\n`);
    const { code, err } = await run('good.csv', { tape: { defaults: { interest: 'x' } } });
    expect(code).toBe(1);
    expect(err).toContain('interest: the default: "x" is not a number');
    expect(err).toMatch(/\nNothing was computed: a fault without a line is not one of a loan\.\n$/);
  });

  it('offers to leave out loans only where some would remain', async () => {
    writeFileSync(join(folder, 'foreign.csv'), 'Nr;Pfand\n1;BTC\n');
    const { code, err } = await run('foreign.csv', { skipFaulty: false });
    expect(code).toBe(1);
    expect(err).toMatch(/\nNothing was computed: \d+ faults\.\n$/);
  });

  it('leaves them out on request, and names them in the result', { tags: ['slow'] }, async () => {
    const { Tape, Today, Data, Models, Loans } = await resultOf('tape.csv', { paths: 500 });
    expect(Tape).toMatchObject({ Rows: 233, Loans: 198 });
    expect(Tape.LeftOut.map(({ Id, Column }) => [Id, Column])).toEqual([
      ['L-0050', 'collateral_amount'],
      ['L-0150', 'maturity'],
    ]);
    expect(Today).toMatchObject({ Called: 5, Liquidated: 0 });
    expect(Data).toMatchObject({ AsOf: '2024-07-01T00:00Z', Market: 'sample', Synthetic: true });
    expect(Object.keys(Models)).toEqual(['STUDENT_T', 'HISTORICAL']);
    expect(
      Loans.filter(({ Status }) => Status === 'called').map(({ Figures }) => Figures.PrMarginCall),
    ).toEqual([1, 1, 1, 1, 1]);
    const total = Loans.reduce((sum, { Figures }) => sum + Figures.CVarContribution['0.99'], 0);
    expect(total).toBeCloseTo(Models.STUDENT_T.Book.LossCVar['0.99'], 6);
    expect(Loans.reduce((sum, { LoanUsd }) => sum + LoanUsd, 0)).toBeCloseTo(
      Models.STUDENT_T.Book.LoanValue,
      4,
    );
  });

  it('reads the same loans from a spreadsheet', { tags: ['slow'] }, async () => {
    const short = { types: ['GBM' as const], paths: 50 };
    const [csv, sheet] = [await resultOf('tape.csv', short), await resultOf('tape.xlsx', short)];
    expect(sheet.Loans).toEqual(csv.Loans);
    expect(sheet.Tape.LeftOut).toEqual(csv.Tape.LeftOut);
  });

  it('judges the methodologies on past days on request', { tags: ['slow'] }, async () => {
    const { Backtest } = await resultOf('tape.csv', { backtestDays: 20, types: ['HISTORICAL'] });
    expect(Backtest?.Models.HISTORICAL.Forecasts).toBe(20);
    expect(Object.values(Backtest?.Basket ?? {}).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  });

  it('names methodologies without a back-test for the same reason together', { tags: ['slow'] }, async () => {
    const { Missing } = await resultOf('tape.csv', { backtestDays: 3000, types: ['GBM', 'STUDENT_T'] });
    expect(Missing).toEqual([expect.stringMatching(/^The back-test of GBM, STUDENT_T is left out: .*BNB/)]);
  });

  it('simulates the book under falls of all prices and every window of the program', {
    tags: ['slow'],
  }, async () => {
    const { Stress, Today, Loans, Models, Warnings } = await resultOf('tape.csv', {
      falls: [0.3],
      types: ['GBM'],
      paths: 50,
    });
    const [base, fall, ...windows] = Stress?.Scenarios ?? [];
    expect(base).toMatchObject({ Name: 'base', Replay: null, Called: { Loans: 5 } });
    expect(base.Ltv).toBeCloseTo(Today.Ltv, 10);
    // The book as it is has the figures of the first page, on the same paths.
    expect(Models.GBM.Book).toMatchObject(base.Then as object);
    expect(fall.Name).toBe('fall 30 %');
    const called = Loans.filter(({ Ltv, MarginCallLtv }) => Ltv / 0.7 > MarginCallLtv);
    expect(fall.Called.Loans + fall.Liquidated.Loans).toBe(called.length);
    expect(windows.map(({ Name }) => Name)).toContain('covid-2020');
    expect(windows.every(({ Replay }) => Replay !== null)).toBe(true);
    expect(Warnings).toContainEqual(expect.objectContaining({ Code: 'replay-proxy', Models: ['scenarios'] }));
  });

  it('ends with 4 where no limit is breached and one cannot be judged, and with 0 where all are met', async () => {
    const limits = join(folder, 'not-judged.txt');
    writeFileSync(limits, 'called loans <= 6\nscenario loss <= 1e9\n');
    const { code, out } = await run('tape.csv', { limits, types: ['GBM'], paths: 10 });
    expect(code).toBe(4);
    expect(out).toContain('\nunknown   scenario loss <= 1e9; no scenarios were computed\n');
    writeFileSync(limits, 'called loans <= 6\n');
    expect(await run('tape.csv', { limits, types: ['GBM'], paths: 10 })).toMatchObject({ code: 0 });
  });

  it('explains the changes since an earlier result, step by step on the same draws', {
    tags: ['slow'],
  }, async () => {
    const [before, rows] = [join(folder, 'before.json'), tapeCsv().split('\n')];
    const then = rows.filter(line => !line.startsWith('L-0001,'));
    const now = rows
      .filter(line => !line.startsWith('L-0002,'))
      .map(line => line.replace('client-07,BNB', 'client-08,BNB'));
    writeFileSync(join(folder, 'then.csv'), then.join('\n'));
    writeFileSync(join(folder, 'now.csv'), now.join('\n'));
    const credit = { effective_rate: 'interest' };
    const week = { types: ['GBM' as const], asOf: (OPTIONS.asOf as number) - 7, credit };
    expect((await run('then.csv', { ...week, json: before })).code).toBe(0);
    const earlier = JSON.parse(readFileSync(before, 'utf8')) as DeskResult;
    const creditCsv = join(folder, 'credit.csv');
    const { Compared, Models, Tape, Loans } = await resultOf('now.csv', {
      types: ['GBM'],
      compare: before,
      credit,
      creditCsv,
    });
    const { Changes, Steps, Allowance } = Compared as NonNullable<typeof Compared>;
    expect(Changes.New).toContain('L-0001');
    expect(Changes.Gone).toContain('L-0002');
    expect(Changes.Changed).toEqual([
      { Id: 'L-0003', Term: 'borrower', Then: 'client-07', Now: 'client-08' },
    ]);
    expect(Steps.map(({ Step }) => Step)).toEqual([
      'earlier book',
      'prices',
      'window and fit',
      'composition',
      'terms',
    ]);
    const figures = (result: Pick<DeskResult, 'Models'>) => {
      const { Book } = result.Models.GBM;
      return { LossCVar: Book.LossCVar['0.99'], ExpectedLoss: Book.ExpectedLoss, LoanUsd: Book.LoanValue };
    };
    expect(Steps[0].Figures).toMatchObject({ ...figures(earlier), Loans: earlier.Tape.Loans });
    expect(Steps[4].Figures).toMatchObject({ ...figures({ Models }), Loans: Tape.Loans });
    expect(Steps[3].Figures).toEqual(Steps[4].Figures);
    expect(Steps[1].Figures.Loans).toBe(earlier.Tape.Loans);
    // The allowance of each stage begins with that of the earlier book and ends with that of this one.
    for (const [stage, row] of Object.entries(Allowance?.Stages ?? {})) {
      expect(row.Opening).toBeCloseTo(earlier.Models.GBM.Book.Credit?.Stages[stage].ECL ?? Number.NaN, 6);
      expect(row.Closing).toBeCloseTo(Models.GBM.Book.Credit?.Stages[stage].ECL ?? Number.NaN, 6);
    }
    expect(Object.keys(Allowance?.Stages ?? {})).toEqual(['1', '2', '3']);
    expect(Loans.every(({ Figures }) => Figures.Credit?.Error !== undefined)).toBe(true);
    expect(readFileSync(creditCsv, 'utf8').split('\r\n').length).toBe(Loans.length + 9);
  });

  it('compares the units of collateral of which the tape has the value', async () => {
    const before = join(folder, 'of-values.json');
    writeFileSync(
      join(folder, 'values.csv'),
      `${FAULTY.replace('collateral_amount', 'collateral_value')},maturity\na,BTC,100000,USD,78000,0.8,0.9,24,2024-07-05\n`,
    );
    const quick = { types: ['GBM' as const], paths: 100 };
    expect((await run('values.csv', { ...quick, json: before })).code).toBe(0);
    const { Compared } = await resultOf('values.csv', { ...quick, compare: before });
    expect(Compared?.Changes.Changed).toEqual([]);
    // Every step follows the loan to its maturity, as the run before has.
    expect(new Set(Compared?.Steps.map(({ Figures }) => JSON.stringify(Figures))).size).toBe(1);
  });

  it('adds dated runs to a folder, compares with the last one, and reports breaches and failures to a channel', {
    tags: ['slow'],
  }, async () => {
    const [runs, limits] = [join(folder, 'runs'), join(folder, 'limits-of-runs.txt')];
    writeFileSync(limits, 'called loans <= 4\n');
    const { texts, notify, close } = await openChannel();
    try {
      const options = { types: ['GBM' as const], paths: 50, runs, limits, notify };
      const first = await run('tape.csv', { ...options, compare: 'last' });
      expect(first).toMatchObject({
        code: 3,
        out: expect.stringContaining('There is no earlier run to compare with.'),
      });
      const { code, out, err } = await run('tape.csv', { ...options, compare: 'last', json: '-' });
      expect(code, err).toBe(3);
      const { Compared, Run } = JSON.parse(out) as DeskResult;
      expect(Compared?.File).toMatch(/runs\/[^/]+\/result\.json$/);
      expect(Compared?.Changes).toEqual({ New: [], Gone: [], LeftOut: [], Changed: [] });
      expect(new Set(Compared?.Steps.map(({ Figures }) => JSON.stringify(Figures))).size).toBe(1);
      expect(Run.Command).not.toContain('secret');
      expect(readdirSync(runs).filter(name => name !== 'index.html')).toHaveLength(2);
      expect((await run('absent.csv', options)).code).toBe(2);
    } finally {
      close();
    }
    expect(texts).toHaveLength(3);
    expect(texts[0]).toContain(
      'Loans of June: 1 of 1 limits breached, data as of 2024-06-30, 24:00 UTC (synthetic prices).\\ncalled loans &lt;= 4: 5',
    );
    expect(texts[2]).toContain('Loans of June: the run has failed.\\n');
  });

  it('reports to a channel that a run could not begin', async () => {
    const { texts, notify, close } = await openChannel();
    const begun = recorded(output =>
      bookCommand(join(folder, 'tape.csv'), { ...OPTIONS, notify }, { COMPUTE: 'none' }, output),
    );
    await expect(begun.finally(close)).rejects.toThrow('COMPUTE must be one of');
    expect(texts).toEqual([
      expect.stringContaining('Loans of June: the run has failed: COMPUTE must be one of'),
    ]);
  });

  it('refuses a file that is no earlier result', async () => {
    const other = join(folder, 'other.json');
    writeFileSync(other, '{"Tape":{}}');
    expect(await run('tape.csv', { compare: other })).toMatchObject({
      code: 2,
      err: '/other.json: it is no result of `book`; name a file that --json wrote\n',
    });
    writeFileSync(other, 'text');
    expect(await run('tape.csv', { compare: other })).toMatchObject({
      code: 2,
      err: expect.stringContaining('not JSON'),
    });
  });

  it('refuses invalid limits before it computes anything', async () => {
    const limits = join(folder, 'faulty.txt');
    writeFileSync(limits, 'called loans <= 4\nLossCVar <= 5\nloan LTV <= 80\n');
    const { code, err } = await run('tape.csv', { limits });
    expect(code).toBe(2);
    expect(err).toBe(
      '/faulty.txt:2: LossCVar <= 5: LossCVar needs a level: LossCVar 0.99\n' +
        '/faulty.txt:3: loan LTV <= 80: the bound is a share: 80% or 0.8?\n',
    );
  });

  it('names every output file that it could not write, before it computes anything', async () => {
    const at = (...names: string[]) => join(folder, ...names);
    const outputs = {
      html: at('none', 'a.html'),
      json: folder,
      csv: at('new.csv'),
      runs: at('tape.csv', 'runs'),
    };
    const { code, err } = await run('tape.csv', outputs);
    expect([code, err]).toEqual([
      2,
      '/none/a.html cannot be written: there is no folder /none\n is a folder\n' +
        '/tape.csv/runs cannot be created: /tape.csv is a file\n',
    ]);
    expect(existsSync(at('new.csv'))).toBe(false);
  });

  it('refuses loans of assets without prices at their lines', async () => {
    const text = tapeCsv().split('\n').slice(0, 3).join('\n');
    writeFileSync(join(folder, 'unknown.csv'), text.replace('BNB', 'WXYZ'));
    const { code, err } = await run('unknown.csv', { skipFaulty: false });
    expect(code).toBe(1);
    expect(err).toContain(
      '/unknown.csv:2: loan L-0001, collateral_asset: the market store has no price of WXYZ',
    );
  });

  it('ends with 2 for a missing file, and for a file without a table', async () => {
    expect(await run('absent.csv')).toMatchObject({ code: 2, err: expect.stringContaining('ENOENT') });
    writeFileSync(join(folder, 'broken.xlsx'), Buffer.from('PK\u0003\u0004 and no more', 'latin1'));
    expect(await run('broken.xlsx')).toMatchObject({
      code: 2,
      err: expect.stringContaining('the spreadsheet cannot be read'),
    });
    const parts = unzipSync(tapeXlsx());
    const sheet = 'xl/worksheets/sheet1.xml';
    const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>';
    const scattered = strToU8(strFromU8(parts[sheet]).replace('</sheetData>', far));
    writeFileSync(join(folder, 'scattered.xlsx'), zipSync({ ...parts, [sheet]: scattered }));
    expect(await run('scattered.xlsx')).toMatchObject({
      code: 2,
      err: expect.stringContaining('its sheets span more than 10000000 cells'),
    });
    writeFileSync(join(folder, 'latin.csv'), Buffer.from('loan_id;Schuldner\na;M\xfcller\n', 'latin1'));
    expect(await run('latin.csv')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Save it as "CSV UTF-8"'),
    });
  });
});
