/** Answers as flat rows, and pages of other origins. */
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, it } from 'vitest';
import { csvInPieces, csvText } from '#src/server/answers/csv.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { KEY, post, problem, serve } from '../../support/http-app.ts';
import { GOOD_BODIES, LOAN_RISK, VALUE_AT_RISK } from '../../support/request-bodies.ts';
import { ANSWERS } from '../../support/test-answers.ts';

let server: RunningServer;
afterEach(() => server?.drain(1000));

describe('Accept: text/csv', () => {
  it('answers one row per value', async () => {
    server = await serve();
    const response = await post(server, '/var', VALUE_AT_RISK, { accept: 'text/csv' });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('vary')).toBe('Accept');
    const rows = parse(await response.text(), { columns: true }) as Record<string, string>[];
    const found = rows.filter(({ key1, key2 }) => key1 === '30' && key2 === '0.99');
    const { '30': horizon } = ANSWERS['/var'].result;
    expect(found.map(({ member, key3, value }) => [member, key3, Number(value)])).toEqual(
      Object.entries(horizon['0.99']).map(([name, value]) => ['Output', name, value]),
    );
    expect(rows.at(-1)).toEqual({
      member: 'Risk engine version',
      key1: '',
      key2: '',
      key3: '',
      value: '1.2.3',
    });
  });

  it.each(Object.entries(GOOD_BODIES))('has every value of the JSON of %s', async (path, body) => {
    server = await serve();
    const answer = (await (await post(server, path, body)).json()) as object;
    const rows = parse(await (await post(server, path, body, { accept: 'text/csv' })).text(), {
      columns: true,
    });
    const leaves = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? // An empty list or object has a row, too.
          Math.max(
            1,
            Object.values(value).reduce((sum: number, each) => sum + leaves(each), 0),
          )
        : 1;
    expect(rows).toHaveLength(leaves(answer));
  });

  it('has refusals as JSON', async () => {
    server = await serve();
    const response = await post(server, '/var', {}, { accept: 'text/csv' });
    expect((await problem(response)).status).toBe(422);
  });

  it.each([undefined, '*/*', 'application/json', 'text/html', 'text/csv;q=0.5, application/json'])(
    'is not taken for: %s',
    async accept => {
      server = await serve();
      const response = await post(server, '/loan_risk', LOAN_RISK, { accept: accept ?? null });
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );

  it('quotes texts that would break a row, and joins names below the third key', () => {
    const text = csvText({ a: 'x,"y"\n', b: { c: [{ d: { e: null } }] } });
    expect(text).toBe('member,key1,key2,key3,value\r\na,,,,"x,""y""\n"\r\nb,c,0,d.e,\r\n');
  });

  it('has a row with an empty value for an empty list and an empty object', () => {
    const text = csvText({ Warnings: [], a: { b: {}, c: 1 } });
    expect(text).toBe('member,key1,key2,key3,value\r\nWarnings,,,,\r\na,b,,,\r\na,c,,,1\r\n');
  });

  it.each([
    ["=cmd|'/C calc'!A0", "'=cmd|'/C calc'!A0"],
    ['+a', "'+a"],
    ['-a', "'-a"],
    ['@SUM(1)', "'@SUM(1)"],
    ['\ta', "'\ta"],
    ['\ra', '"\'\ra"'],
    ['=1,2', '"\'=1,2"'],
    ['-', "'-"],
    ['-1.5e-7', '-1.5e-7'],
    ['+2', '+2'],
    ['a=b', 'a=b'],
    [' =1', "' =1"],
    ['\n=1', '"\n\'=1"'],
    ['=1\nb', '"\'=1\nb"'],
    ['a;=1', "a;'=1"],
    ['a; "@b', '"a;\' ""@b"'],
    ['a\t-1', "a\t'-1"],
    ['\uff1d1', "'\uff1d1"],
    ['a,-1', '"a,-1"'],
  ])('writes %j as a text that no spreadsheet evaluates', (text, shown) => {
    expect(csvText({ a: { [text]: text } }).split('\r\n')[1]).toBe(`a,${shown},,,${shown}`);
  });

  it('writes numbers below zero as numbers', () => {
    expect(csvText({ a: -1.5, b: -1e-7 }).split('\r\n').slice(1, 3)).toEqual(['a,,,,-1.5', 'b,,,,-1e-7']);
  });
});

describe('A large table', () => {
  const LOANS = 1200;
  const figures = (i: number) => ({ ExpectedLoss: i / 7, Unsold: { '0.99': -i, text: null }, list: [] });
  const ids = Array.from({ length: LOANS }, (_, i) => `loan ${i}, "}]`);
  const echo = ids.map((id, i) => ({ id, weights: { BTC: i, ETH: [1, [2]] }, value: 1e9 + i }));
  const answer = (row: (i: number) => unknown = figures) => ({
    Arguments: { analysis_date: '06-30-2024', loans: echo, absent: undefined },
    Output: { Loans: new Map(ids.map((id, i) => [id, row(i)])), Book: { LossVar: 3 } },
  });

  it('is made in small pieces on demand, and yields after each', async () => {
    let turns = 0;
    const made = csvInPieces(answer());
    let pieces = 0;
    let ended = false;
    const count = () => {
      turns++;
      if (!ended) setImmediate(count);
    };
    setImmediate(count);
    for await (const piece of made) {
      pieces++;
      expect(piece.length).toBeLessThan(40_000);
    }
    ended = true;
    expect(pieces).toBeGreaterThan(10);
    expect(turns).toBeGreaterThanOrEqual(pieces);
  });

  it('has the rows of the JSON of the answer', async () => {
    const Loans = Object.fromEntries(ids.map((id, i) => [id, figures(i)]));
    const { Arguments, Output } = answer();
    const whole = csvText({
      Arguments: { analysis_date: Arguments.analysis_date, loans: echo },
      Output: { ...Output, Loans },
    });
    let text = '';
    for await (const piece of csvInPieces(answer())) text += piece;
    expect(text === whole).toBe(true);
    expect(parse(text, { columns: true })).toHaveLength(1 + LOANS * 5 + LOANS * 4 + 1);
  });

  it('is cut as soon as a piece has 32,768 characters', async () => {
    const lengthsOf = async (length: number) => {
      const lengths: number[] = [];
      const first = length - 'member,key1,key2,key3,value\r\na,,,,\r\n'.length;
      for await (const piece of csvInPieces({ a: 'x'.repeat(first), b: 1 })) lengths.push(piece.length);
      return lengths;
    };
    const row = 'b,,,,1\r\n'.length;
    expect(await lengthsOf(32_768)).toEqual([32_768, row]);
    expect(await lengthsOf(32_767)).toEqual([32_767 + row, 0]);
    expect(await lengthsOf(100)).toEqual([100 + row]);
  });

  it('is no answer where a figure is not a finite number', () => {
    expect(() => csvText(answer(() => ({ Unsold: Number.NaN })))).toThrow('The figure Unsold is NaN.');
  });
});

describe('CORS_ORIGINS', () => {
  const origin = 'https://desk.example';
  const preflight = (from: string) =>
    fetch(`${server.url}/loan_risk`, {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-api-key,x-seed',
      },
    });
  const allowed = (response: Response) => response.headers.get('access-control-allow-origin');

  it('lets pages of the named origins send requests, and read the headers of answers and refusals', async () => {
    server = await serve({ corsOrigins: [origin] });
    const first = await preflight(origin);
    expect([first.status, allowed(first)]).toEqual([204, origin]);
    expect(first.headers.get('access-control-allow-headers')?.split(',')).toEqual(
      expect.arrayContaining(['content-type', 'x-api-key', 'x-seed', 'x-compute']),
    );
    for (const key of [KEY, 'wrong']) {
      const response = await post(server, '/loan_risk', LOAN_RISK, { origin, 'x-api-key': key });
      expect([response.status, allowed(response)]).toEqual([key === KEY ? 200 : 401, origin]);
      expect(response.headers.get('access-control-expose-headers')?.split(',')).toEqual(
        expect.arrayContaining(['x-request-id', 'RateLimit', 'RateLimit-Policy']),
      );
      expect(response.headers.get('vary')).toContain('Origin');
    }
  });

  it('lets no other origin read an answer', async () => {
    server = await serve({ corsOrigins: [origin] });
    expect(allowed(await preflight('https://other.example'))).toBeNull();
    const response = await post(server, '/loan_risk', LOAN_RISK, { origin: 'https://other.example' });
    expect(allowed(response)).toBeNull();
  });

  it('accepts every origin for *, and none where it is not set', async () => {
    server = await serve({ corsOrigins: ['*'] });
    expect(allowed(await preflight('https://other.example'))).toBe('*');
    await server.drain(1000);
    server = await serve();
    const response = await preflight(origin);
    expect([response.status, allowed(response)]).toEqual([405, null]);
  });
});
