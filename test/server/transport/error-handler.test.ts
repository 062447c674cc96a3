/** The first middleware: the name and headers of an answer, problems, and the line of a request in the log. */
import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { faultFacts, keyFacts } from '#src/server/answers/log-facts.js';
import { HttpRefusal } from '#src/server/answers/problem.js';
import { NO_SPAN } from '#src/server/tracing/trace.js';
import type { Middleware, RequestState } from '#src/server/transport/context.js';
import { CallerGone } from '#src/server/transport/deadline.js';
import { errorHandler, outcomeLog } from '#src/server/transport/error-handler.js';
import { problem, serve } from '../../support/http-app.ts';
import { collectLog } from '../../support/log-lines.ts';

it('The line of a request has its route, and no path that a caller has made up', async () => {
  const { log, lines } = collectLog();
  const server = await serve({ log });
  const path = '/made-up';
  const response = await fetch(server.url + path);
  expect((await problem(response)).status).toBe(404);
  await server.drain(1000);
  expect(lines.map(line => line.path)).toEqual(['<unknown>']);
});

describe('The line of an end', () => {
  const lineOf = (status: number, error?: unknown, countFault = () => {}) => {
    const { log, lines } = collectLog();
    const logOutcome = outcomeLog(log, countFault);
    logOutcome({ path: '/var', status }, status, error === undefined ? undefined : { error });
    expect(lines).toHaveLength(1);
    return lines[0];
  };

  it.each<[number, unknown, number, string]>([
    [200, undefined, 30, 'answered'],
    [422, new RiskError('invalid-request', 'm'), 30, 'refused'],
    [499, new RiskError('queue-full', 'm'), 30, 'refused'],
    [503, new HttpRefusal(503, 'm'), 30, 'refused'],
    [500, new RiskError('engine-failed', 'm'), 50, 'failed'],
    [501, new RiskError('engine-unavailable', 'm'), 40, 'not served'],
    [500, new TypeError('m'), 50, 'failed'],
  ])('of %i after %s is at level %i: %s', (status, error, level, msg) => {
    const countFault = vi.fn();
    expect(lineOf(status, error, countFault)).toMatchObject({ level, msg, path: '/var', status });
    expect(countFault).toHaveBeenCalledTimes(msg === 'failed' ? 1 : 0);
  });

  it('has no status where the caller has gone', () => {
    const line = lineOf(500, new CallerGone());
    expect(line).toMatchObject({ level: 30, msg: 'the caller has gone' });
    expect(line).not.toHaveProperty('status');
  });

  it('has the cause of what is not served, and of a failure the error', () => {
    const cause = new Error('away');
    expect(lineOf(503, new RiskError('engine-unavailable', 'm', { cause }))).toMatchObject({
      ...{ reason: 'engine-unavailable', detail: 'm', err: { message: 'away' } },
    });
    expect(lineOf(503, new RiskError('engine-unavailable', 'm'))).not.toHaveProperty('err');
    expect(lineOf(500, new TypeError('m'))).toMatchObject({ err: { message: 'm' } });
  });

  it('has the faults of a refusal: their number, and the first 20 paths', () => {
    const faults = Array.from({ length: 21 }, (_, k) => ({
      code: 'malformed' as const,
      path: `params.loans.${k}.N`,
      message: 'm',
    }));
    const line = lineOf(422, new RiskError('invalid-request', 'm', { faults }));
    expect(line).toMatchObject({ reason: 'invalid-request', faults: 21 });
    expect(line.paths).toEqual(faults.slice(0, 20).map(({ path }) => path));
    expect(lineOf(422, new RiskError('invalid-request', 'm'))).not.toHaveProperty('faults');
    expect(faultFacts([])).toEqual({});
  });

  it('has eight digits of a key, and its name where it has one', () => {
    expect(keyFacts('0123456789', 'desk')).toEqual({ key: '01234567', key_name: 'desk' });
    expect(keyFacts('0123456789', undefined)).toEqual({ key: '01234567' });
  });
});

describe('The first middleware', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  /** The address of an application of this middleware and another, and the lines of its log. */
  async function serving(next: Middleware, traceId?: string) {
    const { log, lines } = collectLog();
    const app = new Koa<RequestState>();
    app.use((ctx, following) => {
      ctx.state.span = { ...NO_SPAN, traceId };
      return following();
    });
    app.use(
      errorHandler(
        log,
        outcomeLog(log, () => {}),
        new Set(['/livez']),
        path => path,
      ),
    );
    app.use(next);
    app.silent = true;
    server = createServer(app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lines };
  }
  const answering: Middleware = ctx => {
    ctx.body = { request: ctx.state.requestId, caller: ctx.state.caller, facts: ctx.state.facts };
  };
  const sending = (url: string, id?: string) =>
    fetch(url, id === undefined ? {} : { headers: { 'x-request-id': id } });

  it.each(['a', 'Aa0._:-', 'x'.repeat(64)])('names a request as its caller does: %s', async id => {
    const { url, lines } = await serving(answering);
    const response = await sending(url, id);
    expect(response.headers.get('x-request-id')).toBe(id);
    expect(await response.json()).toEqual({ request: id, caller: '', facts: {} });
    expect(lines).toMatchObject([{ request_id: id }]);
  });

  it.each([undefined, '', 'x'.repeat(65), 'a b', 'a\tb', 'é', '{"a":1}'])(
    'names a request itself where it is called %j',
    async id => {
      const { url, lines } = await serving(answering);
      const [one, other] = [await sending(url, id), await sending(url, id)].map(({ headers }) =>
        headers.get('x-request-id'),
      );
      expect(one).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(other).not.toBe(one);
      expect(lines.map(line => line.request_id)).toEqual([one, other]);
    },
  );

  const SECURITY = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };

  it('gives every answer headers that keep a browser from using it otherwise', async () => {
    for (const next of [answering, () => Promise.reject(new TypeError('m'))]) {
      const { url } = await serving(next);
      const headers = Object.fromEntries((await sending(url)).headers);
      expect(headers).toMatchObject(SECURITY);
      server?.close();
    }
  });

  it('has the trace of the request in its facts', async () => {
    const { url, lines } = await serving(answering, 'a-trace');
    expect(await (await sending(url)).json()).toMatchObject({ facts: { trace_id: 'a-trace' } });
    expect(lines).toMatchObject([{ trace_id: 'a-trace' }]);
  });

  it('answers an error with a problem, its headers and the name of the request', async () => {
    const { url, lines } = await serving(ctx => {
      ctx.set('x-seed', '7');
      throw new RiskError('queue-full', 'Later.', { retryAfterSeconds: 3 });
    });
    const response = await sending(url, 'mine');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('x-seed')).toBe('7');
    expect(await response.json()).toEqual({
      ...{ type: 'urn:collateral-risk-engine:queue-full', title: 'Queue full', status: 429 },
      ...{ detail: 'Later.', errors: [], request_id: 'mine' },
    });
    expect(lines).toMatchObject([{ status: 429, request_id: 'mine', msg: 'refused', reason: 'queue-full' }]);
  });

  it('answers a fault of the program without its message', async () => {
    const { url, lines } = await serving(() => Promise.reject(new TypeError('internals')));
    const response = await sending(url);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('internals');
    expect(lines).toMatchObject([{ status: 500, msg: 'failed', err: { message: 'internals' } }]);
  });

  it('closes the connection where a part of the answer has been sent', async () => {
    const { url, lines } = await serving(async ctx => {
      ctx.respond = false;
      ctx.res.write('a part');
      await new Promise(setImmediate);
      throw new TypeError('m');
    });
    await expect(sending(url).then(response => response.text())).rejects.toThrow();
    expect(lines).toMatchObject([{ msg: 'failed' }]);
  });

  it('reads the rest of a body, so that the next request of the connection can begin', async () => {
    const { url } = await serving(() => Promise.reject(new HttpRefusal(415, 'm')));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statuses: unknown[] = [];
    for (let requests = 0; requests < 2; requests++) {
      const asked = request(url, { agent, method: 'POST' });
      asked.end('x'.repeat(2 ** 20));
      const [response] = await once(asked, 'response');
      statuses.push([response.statusCode, asked.reusedSocket]);
      response.resume();
      await once(response, 'close');
    }
    agent.destroy();
    expect(statuses).toEqual([
      [415, false],
      [415, true],
    ]);
  });

  it('logs the success of a polled path at level debug, and its failure as any other', async () => {
    let fails = false;
    const { url, lines } = await serving(ctx => {
      if (fails) throw new HttpRefusal(503, 'm');
      return answering(ctx, async () => {});
    });
    await sending(`${url}/livez`);
    await sending(`${url}/livez/other`);
    fails = true;
    await sending(`${url}/livez`);
    expect(lines.map(({ level, path, msg }) => [level, path, msg])).toEqual([
      [20, '/livez', 'answered'],
      [30, '/livez/other', 'answered'],
      [30, '/livez', 'refused'],
    ]);
  });
});
