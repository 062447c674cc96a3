/** /book_report: the bytes of the command, its faults, and its jobs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addBookCommand } from '#src/cli/book-command.js';
import type { DeskResult } from '#src/desk/result.js';
import { textTable } from '#src/tape/tables.js';
import { tapeCsv } from '../../../docs/tools/loan-tape.mjs';
import { recorded } from '../../support/recorded-output.ts';
import { useSampleService } from '../../support/sample-service.ts';

const app = useSampleService();
const HTML = { accept: 'text/html' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.useRealTimers();
});

/** The first loans of the tape, with those that have faults. */
const TAPE = tapeCsv().split('\n').slice(0, 81).join('\n');
const LIMITS = [
  'called loans <= 0 # none',
  'LossCVar 0.99 <= 1000000000',
  'EconomicCapital 0.99 <= 1000000000',
  'tranche class A ExpectedLossPct <= 90%',
  'reverse ltv 99% >= 1%',
  '',
].join('\n');
const BODY = {
  tape: TAPE,
  analysis_date: '06-30-2024',
  skip_faulty: true,
  types: ['GBM', 'FHS'],
  model_lookback: 90,
  mc_iter: 200,
  backtest_days: 5,
  falls: [0.3],
  tranches: [
    { name: 'equity', attach: 0, detach: 0.03 },
    { name: 'class A', attach_for: { figure: 'ExpectedLossPct', value: 0.5 }, detach: 1 },
  ],
  reserve: 0.002,
  excess_spread: 0.05,
  economic_capital: true,
  until: ['ltv 90% along BTC', 'tranche equity loss 40%'],
  limits: LIMITS,
};
/** One model and no search by paths: the first test has all that a report can have. */
const SHORT = {
  ...BODY,
  types: ['GBM'],
  mc_iter: 100,
  days: 7,
  falls: [],
  backtest_days: 0,
  until: ['ltv 90% along BTC'],
};
const ask = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
  const response = await app.post('/book_report', body, headers);
  return { response, text: await response.text() };
};
const resultOf = async (body: object) => {
  const { response, text } = await ask(body);
  expect(response.status, text.slice(0, 2000)).toBe(200);
  return JSON.parse(text) as DeskResult;
};
const faultsOf = async (body: object) => {
  const { response, text } = await ask(body);
  expect(response.status).toBe(422);
  const { errors } = JSON.parse(text) as { errors: { path: string; message: string }[] };
  return errors;
};
const pathsOf = async (body: object) => (await faultsOf(body)).map(({ path }) => path);

/** Runs a command line with its files in the folder. */
async function runCommand(line: string): Promise<number> {
  const words = [...line.matchAll(/'([^']*)'|\S+/g)].slice(1).map(([word, quoted]) => quoted ?? word);
  const files = ['limits.txt', 'earlier.json', 'report.html', 'report.json'];
  const placed = words.map(word => (files.includes(word) ? join(folder, word) : word));
  const before = process.exitCode;
  const { err } = await recorded(async output => {
    const program = new Command().exitOverride();
    addBookCommand(program, { MARKET_DB: 'sample', COMPUTE: 'cpu', CPU_THREADS: '2' }, words, output);
    await program.parseAsync(placed, { from: 'user' });
    return 0;
  });
  const code = Number(process.exitCode);
  process.exitCode = before;
  expect(err.replace(/^.* done.*$/gm, '').trim()).toBe('');
  return code;
}

describe('/book_report', () => {
  it('answers the bytes of the command that it names, as JSON and as a page', {
    tags: ['slow'],
  }, async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-29T08:00:00Z') });
    const earlier = await resultOf({
      ...BODY,
      types: ['GBM'],
      falls: [],
      backtest_days: 0,
      analysis_date: '06-29-2024',
    });
    const file = join(folder, 'tape.csv');
    const body = { ...BODY, file, title: 'Loans of June', earlier };
    const { response, text } = await ask(body, { 'x-seed': '7' });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const page = await ask(body, { 'x-seed': '7', ...HTML });
    expect(page.response.headers.get('content-type')).toMatch(/^text\/html/);
    writeFileSync(file, TAPE);
    writeFileSync(join(folder, 'limits.txt'), LIMITS);
    writeFileSync(join(folder, 'earlier.json'), JSON.stringify(earlier));
    const result = JSON.parse(text) as DeskResult;
    // The earlier file is named as it was sent, and lies in the folder.
    expect(await runCommand(result.Run.Command)).toBe(3);
    const here = (name: string) =>
      readFileSync(join(folder, name), 'utf8').replaceAll(join(folder, 'earlier.json'), 'earlier.json');
    expect(text).toBe(here('report.json'));
    expect(page.text).toBe(here('report.html'));
    expect(result.Limits?.map(({ Status }) => Status)).toEqual(['breached', 'ok', 'ok', 'ok', 'ok']);
    expect(result.Compared?.Steps).toHaveLength(5);
    expect(Object.keys(result.Backtest?.Models ?? {})).toEqual(['GBM', 'FHS']);
    expect(result.Calls.length).toBeGreaterThan(0);
  });

  it('takes the tape alone as CSV, with the other members in the query', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-29T08:00:00Z') });
    const members = { ...SHORT, accept: ['7'], title: 'A, B' };
    const { tape, ...sent } = { ...members, proxy: { DOGE: { asset: 'BTC' } } };
    const query = new URLSearchParams(
      Object.entries(sent).map(([name, value]) => [
        name,
        typeof value === 'string'
          ? value
          : Array.isArray(value) && typeof value[0] !== 'object'
            ? value.join()
            : JSON.stringify(value),
      ]),
    );
    const csv = (of: URLSearchParams, body = tape) =>
      app.post(`/book_report?${of}`, body, { 'content-type': 'text/csv' });
    const answer = await csv(query);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe((await ask({ tape, ...sent })).text);
    query.set('days', 'many');
    query.append('types', 'FHS');
    const { errors } = (await (await csv(query)).json()) as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path)).toEqual(['query.types']);
    query.delete('types');
    const wrong = (await (await csv(query)).json()) as { errors: { path: string }[] };
    expect(wrong.errors.map(({ path }) => path)).toEqual(['days']);
  });

  it('reads rows of cells as the same tape', async () => {
    const tape = textTable(TAPE).rows;
    const [text, rows] = [await resultOf(SHORT), await resultOf({ ...SHORT, tape })];
    expect(rows.Loans).toEqual(text.Loans);
    expect(rows.Tape.Sha256).toBe('');
  });

  it('is answered as a job, whose result has both forms', async () => {
    const body = { ...SHORT, backtest_days: 3 };
    const direct = await resultOf(body);
    const accepted = await app.post('/book_report', body, { prefer: 'respond-async' });
    expect(accepted.status).toBe(202);
    const job = accepted.headers.get('location') ?? '';
    const events = await (await app.get(job, { accept: 'text/event-stream' })).text();
    expect(events).toMatch(/"operation":"\/book_report","state":"done"/);
    const json = await app.get(`${job}/result`);
    expect({ ...(await json.json()), MadeAt: '' }).toEqual({ ...direct, MadeAt: '' });
    const page = await app.get(`${job}/result`, HTML);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toContain('<section id="limits">');
    expect((await app.get(`${job}/result`, { accept: 'image/png' })).status).toBe(406);
  });

  it('names every faulty member, line of limits and row of the tape at once', async () => {
    const paths = await pathsOf({
      ...BODY,
      skip_faulty: false,
      mc_iter: 0,
      falls: [2],
      limits: 'LossCVar 0.5 <= 1\n\nnonsense',
      tranches: [{ name: 'a', attach: 0.5, detach: 0.2 }],
      until: ['ltv 80%', 'losses 5m', 'tranche a loss 1%'],
      earlier: { Data: { AsOf: 'today', Prices: {} } },
      unknown: 1,
    });
    expect(paths).toEqual(
      expect.arrayContaining([
        ...['mc_iter', 'falls.0', 'limits.1', 'limits.3', 'earlier.Data.AsOf', 'earlier.Tape', 'unknown'],
        ...['tranches.0.detach', 'until.1', 'until.2'],
      ]),
    );
    expect(paths.filter(path => path.startsWith('line.')).length).toBeGreaterThan(0);
    expect(await pathsOf({})).toEqual(['tape']);
    expect(await pathsOf({ ...BODY, tape_format: { dates: 'ymd' } })).toEqual(['tape_format']);
    expect(await pathsOf({ ...BODY, tape: [['a', {}]] })).toEqual(['tape']);
    const [fault] = await faultsOf({ ...BODY, tape: TAPE.replace('collateral_asset', 'what') });
    expect(fault.message).toContain('tape_format with "columns": {"name in the file": "collateral_asset"}');
  });

  it('names the member behind the refusal of a question, and what an earlier book lacks', async () => {
    expect(await pathsOf({ ...BODY, mc_iter: 1_000_000 })).toEqual(['mc_iter']);
    const tooLong = await pathsOf({ ...BODY, model_lookback: 3650 });
    expect(tooLong.filter(path => !path.startsWith('line.'))).toEqual([]);
    const loan = {
      id: 'a',
      collateral: [{ asset: 'NONE', amount: 1 }],
      loanAsset: 'USD',
      loanAmount: 1,
      terms: {},
    };
    const late = { ...loan, collateral: [{ asset: 'USD', amount: 1 }], terms: { maturity: 1e300 } };
    const Data = { AsOf: '2024-06-29T00:00Z', Prices: { USD: 1 } };
    expect(await pathsOf({ ...BODY, earlier: { Data, Tape: { Source: [late] } } })).toEqual([
      'earlier.Tape.Source.0.terms.maturity',
    ]);
    const earlier = { Data: { AsOf: '2024-06-29T00:00Z', Prices: { USD: 1 } }, Tape: { Source: [loan] } };
    expect(await pathsOf({ ...BODY, earlier })).toEqual(['earlier']);
    expect((await ask(BODY, { accept: 'image/png' })).response.status).toBe(406);
    expect((await app.post('/book_report?include=warnings', BODY)).status).toBe(422);
  });
});
