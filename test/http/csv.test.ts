/** Answers as flat rows, and pages of other origins. */
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, it } from 'vitest';
import { csvText } from '#src/http/csv.js';
import type { RunningServer } from '#src/http/server.js';
import { GOOD_BODIES, LOAN_RISK, VALUE_AT_RISK } from '../../support/request-bodies.ts';
import { KEY, post, problem, serve } from '../support/http-app.ts';
import { ANSWERS } from '../support/test-answers.ts';

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

  it.each(Object.entries(GOOD_BODIES))('holds every value that the JSON of %s holds', async (path, body) => {
    server = await serve();
    const answer = (await (await post(server, path, body)).json()) as object;
    const rows = parse(await (await post(server, path, body, { accept: 'text/csv' })).text(), {
      columns: true,
    });
    const leaves = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce((sum: number, each) => sum + leaves(each), 0)
        : 1;
    expect(rows).toHaveLength(leaves(answer));
  });

  it('is refused as JSON, like everything', async () => {
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

  it('quotes what would break a row, and joins names that lie too deep', () => {
    const text = csvText({ a: 'x,"y"\n', b: { c: [{ d: { e: null } }] } });
    expect(text).toBe('member,key1,key2,key3,value\r\na,,,,"x,""y""\n"\r\nb,c,0,d.e,\r\n');
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

  it('lets pages of the named origins ask, and read the headers of answers and refusals', async () => {
    server = await serve({ corsOrigins: [origin] });
    const first = await preflight(origin);
    expect([first.status, allowed(first)]).toEqual([204, origin]);
    expect(first.headers.get('access-control-allow-headers')?.split(',')).toEqual(
      expect.arrayContaining(['content-type', 'x-api-key', 'x-seed', 'x-compute']),
    );
    for (const key of [KEY, 'wrong']) {
      const response = await post(server, '/loan_risk', LOAN_RISK, { origin, 'x-api-key': key });
      expect([response.status, allowed(response)]).toEqual([key === KEY ? 200 : 401, origin]);
      expect(response.headers.get('access-control-expose-headers')).toContain('x-request-id');
      expect(response.headers.get('vary')).toContain('Origin');
    }
  });

  it('lets no other origin read an answer', async () => {
    server = await serve({ corsOrigins: [origin] });
    expect(allowed(await preflight('https://other.example'))).toBeNull();
    const response = await post(server, '/loan_risk', LOAN_RISK, { origin: 'https://other.example' });
    expect(allowed(response)).toBeNull();
  });

  it('lets every origin in for *, and none where it is not set', async () => {
    server = await serve({ corsOrigins: ['*'] });
    expect(allowed(await preflight('https://other.example'))).toBe('*');
    await server.drain(1000);
    server = await serve();
    const response = await preflight(origin);
    expect([response.status, allowed(response)]).toEqual([405, null]);
  });
});
