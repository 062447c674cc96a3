/** Every refusal of methodology part 10 that comes before the question itself, and the order they come in. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '#src/cli/keys.js';
import { createLogger } from '#src/host/log.js';
import { methodologiesOf } from '#src/models/methodology/methodologies.js';
import type { AnyQuestion } from '#src/question/question.js';
import { openKeyRing } from '#src/server/keys/key-ring.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { KEY, NOW, post, problem, serve, testRoutes } from '../../support/http-app.ts';
import { GOOD_BODIES, LOAN_RISK, withMember } from '../../support/request-bodies.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.drain(1000));

const paths = Object.keys(GOOD_BODIES) as (keyof typeof GOOD_BODIES)[];
const TOO_LARGE = `{"type":"${'x'.repeat(1_048_577)}"}`;

/** Answers to what fetch would not send: text straight to the socket. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.end(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', chunk => {
      answer += chunk;
    });
    socket.once('close', () => resolve(answer)).once('error', reject);
  });
}

describe('Every path', () => {
  it('that does not exist is answered 404, with and without a key', async () => {
    for (const path of [
      '/',
      '/loan',
      '/loan_risk/',
      '/LOAN_RISK',
      '/loan_risk/x',
      '/v1/loan_risk',
      '//',
      '/%zz',
    ])
      for (const key of [KEY, null]) {
        const response = await post(server, path, LOAN_RISK, { 'x-api-key': key });
        expect(response.status, path).toBe(404);
        expect((await problem(response)).title).toBe('Not Found');
      }
  });

  it.each(paths)(
    '%s is answered 405 with Allow for any method but POST, with and without a key',
    async path => {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await fetch(server.url + path, { method });
        expect(response.status, method).toBe(405);
        expect(response.headers.get('allow')).toBe('POST');
        await problem(response);
      }
      const head = await fetch(server.url + path, { method: 'HEAD' });
      expect([head.status, head.headers.get('allow')]).toEqual([405, 'POST']);
    },
  );

  it.each(paths)('%s refuses an unknown parameter of the query, with the faults of the body', async path => {
    const response = await post(server, `${path}?x=1&confidence=1`, {});
    expect(response.status).toBe(422);
    const { errors } = await problem(response);
    expect(errors.slice(0, 2)).toMatchObject([
      {
        path: 'query.x',
        message: 'query.x is an unknown parameter; known here are include, confidence, sampling',
      },
      {
        path: 'query.confidence',
        message:
          'confidence must be a decimal number above 0.5 and below 1 with at most 12 decimals; got "1"',
      },
    ]);
    expect(errors.length).toBeGreaterThan(2);
  });

  it('ignores a query at the health check', async () => {
    expect((await fetch(`${server.url}/healthz?x=1`)).status).toBe(200);
  });

  it('/healthz is answered without a key, to GET and HEAD only', async () => {
    const response = await fetch(`${server.url}/healthz`);
    const health = {
      status: 'ok',
      version: '1.2.3',
      interface: expect.any(String),
      gpu: 'none',
      market: 'sample',
    };
    expect([response.status, await response.json()]).toEqual([200, health]);
    expect((await fetch(`${server.url}/healthz`, { method: 'HEAD' })).status).toBe(200);
    const posted = await post(server, '/healthz', {});
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('A key', () => {
  it('that is missing or wrong is answered 401 in the same words', async () => {
    const answers: unknown[] = [];
    for (const key of [null, '', 'wrong', `${KEY}x`, KEY.slice(1), KEY.toUpperCase(), `${KEY}, ${KEY}`]) {
      const response = await post(server, '/loan_risk', LOAN_RISK, {
        'x-api-key': key,
        'x-request-id': 'same',
      });
      expect(response.status, String(key)).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^ApiKey /);
      answers.push(await problem(response));
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('is not accepted by its own digest', async () => {
    const digest = 'sha256:0000000000000000000000000000000000000000000000000000000000000000';
    expect((await post(server, '/loan_risk', LOAN_RISK, { 'x-api-key': digest })).status).toBe(401);
  });

  it('is required by every operation', async () => {
    for (const path of paths)
      expect((await post(server, path, {}, { 'x-api-key': null })).status, path).toBe(401);
  });
});

describe('A content type', () => {
  it('of JSON in UTF-8 is accepted', async () => {
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json; profile=x',
    ])
      expect((await post(server, '/loan_risk', LOAN_RISK, { 'content-type': type })).status, type).toBe(200);
  });

  it('of any other kind, or none, is answered 415', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/problem+json',
      'application/jsonp',
      'application/json, text/plain',
      'application/json; charset=latin1',
      'multipart/form-data; boundary=x',
      ';',
    ]) {
      const response = await post(server, '/loan_risk', LOAN_RISK, { 'content-type': type });
      expect(response.status, type).toBe(415);
      await problem(response);
    }
    const none = await fetch(`${server.url}/loan_risk`, {
      method: 'POST',
      headers: { 'x-api-key': KEY },
      body: new Uint8Array([123, 125]),
    });
    expect(none.status).toBe(415);
  });

  it('with another content encoding than gzip is answered 415, and told what is taken', async () => {
    const response = await post(server, '/loan_risk', LOAN_RISK, { 'content-encoding': 'br' });
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'gzip']);
  });
});

describe('A body in gzip', () => {
  const sendPacked = (body: Uint8Array, path = '/loan_risk', type = 'application/json') =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': type, 'content-encoding': 'gzip' },
      body: new Uint8Array(body),
    });

  it('is answered as it is without', async () => {
    const text = JSON.stringify(LOAN_RISK);
    const plain = await (await post(server, '/loan_risk', text)).text();
    expect(await (await sendPacked(gzipSync(text))).text()).toBe(plain);
    const line = `{"id":"a","path":"/loan_risk","body":${text}}\n`;
    const lines = await sendPacked(gzipSync(line), '/batch', 'application/x-ndjson');
    expect(await lines.text()).toContain(`"body":${plain}`);
  });

  it('counts by what it unpacks to, and is refused where it is no gzip', async () => {
    const large = gzipSync(JSON.stringify(LOAN_RISK).padEnd(65_537));
    expect(large.length).toBeLessThan(1000);
    const refused = [large, Buffer.from('{}'), gzipSync('{}').subarray(0, 12)].map(body => sendPacked(body));
    const statuses = (await Promise.all(refused)).map(({ status }) => status);
    expect(statuses).toEqual([413, 400, 400]);
  });
});

it('Long answers are in gzip for clients that take it', async () => {
  const plain = await fetch(`${server.url}/openapi.json`, { headers: { 'accept-encoding': 'identity' } });
  const packed = await fetch(`${server.url}/openapi.json`, { headers: { 'accept-encoding': 'gzip' } });
  expect([plain, packed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
  expect(packed.headers.get('vary')).toContain('Accept-Encoding');
  expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
  expect(await packed.text()).toBe(await plain.text());
});

describe('The size of a body', () => {
  it('may be 64 KiB', async () => {
    const text = JSON.stringify(LOAN_RISK);
    expect((await post(server, '/loan_risk', text.padEnd(65_536))).status).toBe(200);
  });

  it('above that is answered 413, with and without a Content-Length', async () => {
    const said = await post(server, '/loan_risk', JSON.stringify(LOAN_RISK).padEnd(65_537));
    expect(said.status).toBe(413);
    await problem(said);
    const chunk = 'x'.repeat(7_000);
    const chunks = Array.from({ length: 16 }, () => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
    const unsaid = await raw(
      `POST /loan_risk HTTP/1.1\r\nHost: x\r\nx-api-key: ${KEY}\r\nContent-Type: application/json\r\n` +
        `Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks}0\r\n\r\n`,
    );
    expect(unsaid.split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large');
  });

  it('that was refused leaves the connection usable', async () => {
    for (let i = 0; i < 3; i++) {
      expect((await post(server, '/loan_risk', TOO_LARGE)).status).toBe(413);
      expect((await post(server, '/loan_risk', TOO_LARGE, { 'x-api-key': null })).status).toBe(401);
      expect((await post(server, '/loan_risk', LOAN_RISK)).status).toBe(200);
    }
  });
});

describe('The order of refusals', () => {
  it('is 404, 405, 401, 415, 413, 400, 422', async () => {
    const wrong = { 'x-api-key': 'wrong', 'content-type': 'text/plain', 'x-seed': 'x' };
    expect((await post(server, '/none', TOO_LARGE, wrong)).status).toBe(404);
    const put = await fetch(`${server.url}/loan_risk`, { method: 'PUT', headers: wrong, body: TOO_LARGE });
    expect(put.status).toBe(405);
    expect((await post(server, '/loan_risk', TOO_LARGE, wrong)).status).toBe(401);
    const known = { ...wrong, 'x-api-key': KEY };
    expect((await post(server, '/loan_risk', TOO_LARGE, known)).status).toBe(415);
    const json = { ...known, 'content-type': 'application/json' };
    expect((await post(server, '/loan_risk', `{${TOO_LARGE}`, json)).status).toBe(413);
    expect((await post(server, '/loan_risk', '{', json)).status).toBe(400);
    expect((await post(server, '/loan_risk', '{}', json)).status).toBe(422);
  });
});

describe('Every answer', () => {
  it('has the request id that was sent if it is valid, else a new one', async () => {
    const sane = await post(server, '/loan_risk', LOAN_RISK, { 'x-request-id': 'abc-123_X.y:z' });
    expect(sane.headers.get('x-request-id')).toBe('abc-123_X.y:z');
    const ids = new Set<string | null>();
    for (const id of [null, '', 'a b', 'x'.repeat(65), '<script>']) {
      const response = await post(server, '/loan_risk', {}, { 'x-request-id': id });
      const { request_id } = await problem(response);
      expect(request_id, String(id)).toMatch(/^[0-9a-f-]{36}$/);
      ids.add(request_id);
    }
    expect(ids.size).toBe(5);
  });

  it('forbids browsers to guess its type, frame it or cache it', async () => {
    for (const response of [await post(server, '/loan_risk', LOAN_RISK), await post(server, '/none', {})]) {
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-security-policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      );
      expect(response.headers.get('x-powered-by')).toBeNull();
    }
  });

  it('to unreadable HTTP is a problem document too', async () => {
    const answer = await raw('POST /loan_risk HTTP/9.9\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json\r\n/);
    const long = await raw(`GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`);
    expect(long).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  });
});

describe('More work than the key may use', () => {
  const folder = mkdtempSync(join(tmpdir(), 'refusals-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(paths)('is refused by %s with the member that decides on the paths', async path => {
    const file = join(folder, `${path.slice(1)}.json`);
    const key = createKey(file, { name: 'desk', scopes: ['operate'], days: 1, workPerMinute: 1 }, NOW);
    const keys = openKeyRing({ hashes: [], file, log: createLogger('silent'), now: () => NOW });
    const limited = await serve({ keys });
    const body = GOOD_BODIES[path];
    const { name } = testRoutes().find(route => route.path === path) as AnyQuestion;
    for (const { name: type, draws } of methodologiesOf(name)) {
      const typed = { ...body, ['model' in body ? 'model' : 'type']: type };
      const sent = withMember(typed, 'params' in body ? 'params.model_lookback' : 'model_lookback', 365);
      const response = await post(limited, path, sent, { 'x-api-key': key });
      expect(response.status, type).toBe(422);
      const member = draws ? 'mc_iter' : 'model_lookback';
      expect(await problem(response)).toMatchObject({
        title: 'Work limit exceeded',
        errors: [
          {
            path: 'params' in body ? `params.${member}` : member,
            message: expect.stringMatching(`^${member} takes .* the key may use 1 a minute: lower it$`),
          },
        ],
      });
    }
    await limited.drain(0);
    keys.close();
  });
});
