/** Requests on jobs that another process of the server answers, by a server of the test on a socket. */
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { forwardJobs } from '#src/server/jobs/forward-jobs.js';
import type { Context } from '#src/server/transport/context.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Answer = (sent: IncomingMessage, response: ServerResponse) => unknown;

const echo: Answer = async (sent, response) => {
  const { method, url, headers } = sent;
  const body = await text(sent);
  response.writeHead(202, {
    'x-own': 'yes',
    'keep-alive': 'timeout=77',
    upgrade: 'none',
    'x-two': ['a', 'b'],
  });
  response.end(JSON.stringify({ method, url, id: headers['x-request-id'], prefer: headers.prefer, body }));
};

/** The middleware before a process that stores the jobs and answers so. */
async function opened(answer: Answer = echo) {
  const folder = mkdtempSync(join(tmpdir(), 'jobs-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const socket = join(folder, 'jobs.sock');
  const server = createServer((sent, response) => void answer(sent, response)).listen(socket);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return (
    method: string,
    path: string,
    { prefer = '', at = socket }: { readonly prefer?: string; readonly at?: string | null } = {},
  ) => {
    const set: Record<string, unknown> = {};
    const calls = { next: 0 };
    const res = new EventEmitter();
    const ctx = {
      ...{ method, path, url: `${path}?a=1`, res, state: { requestId: 'r', facts: {} } },
      req: Object.assign(Readable.from(method === 'POST' ? [Buffer.from('body')] : []), {
        headers: prefer === '' ? {} : { prefer },
      }),
      set: (name: string, value: unknown) => Object.assign(set, { [name]: value }),
    } as unknown as Context;
    const done = forwardJobs('/jobs', () => at ?? undefined)(ctx, async () => {
      calls.next += 1;
    });
    return { ctx, res, set, calls, done };
  };
}

it.each([
  ['GET', '/jobs', ''],
  ['DELETE', '/jobs/j', ''],
  ['POST', '/var', 'respond-async'],
])('%s %s with Prefer "%s" is answered by the process that stores the jobs', async (method, path, prefer) => {
  const ask = await opened();
  const { ctx, set, calls, done } = ask(method, path, { prefer });
  await done;
  expect([calls.next, ctx.status]).toEqual([0, 202]);
  expect(set).toMatchObject({ 'x-own': 'yes', 'x-two': 'a, b' });
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'upgrade'])
    expect(set).not.toHaveProperty(name);
  expect(ctx.state.facts).toEqual({ forwarded: 'to the process that stores the jobs' });
  expect(JSON.parse(await text(ctx.body as Readable))).toEqual({
    ...{ method, url: `${path}?a=1`, id: 'r', body: method === 'POST' ? 'body' : '' },
    ...(prefer !== '' && { prefer }),
  });
});

it.each([
  ['GET', '/jobsx', ''],
  ['POST', '/var', ''],
  ['GET', '/var', 'respond-async'],
])('%s %s with Prefer "%s" is answered here', async (method, path, prefer) => {
  const { ctx, calls, done } = (await opened())(method, path, { prefer });
  await done;
  expect([calls.next, ctx.state.facts, ctx.status]).toEqual([1, {}, undefined]);
});

it('A request on jobs is answered here where no other process stores them', async () => {
  const { calls, done } = (await opened())('GET', '/jobs', { at: null });
  await done;
  expect(calls.next).toBe(1);
});

it('A request on jobs whose process is away is refused for a second', async () => {
  const { done } = (await opened())('GET', '/jobs', { at: '/nowhere/jobs.sock' });
  await expect(done).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
});

it('A request that is forwarded ends with its client', async () => {
  let gone = () => {};
  const ended = new Promise<void>(resolve => {
    gone = resolve;
  });
  const ask = await opened((sent, response) => {
    sent.resume();
    response.on('close', gone);
    response.writeHead(200);
    response.write('the first part');
  });
  const { ctx, res, done } = ask('GET', '/jobs/j');
  await done;
  const failure = once(ctx.body as Readable, 'error');
  res.emit('close');
  await ended;
  expect((await failure)[0]).toMatchObject({ code: 'ECONNRESET' });
});
