/** Traces without a collector, tags of the description, pages of jobs, limits and expiry of keys that were rotated. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createKey, rotateKey } from '#src/cli/keys.js';
import { openKeyRing } from '#src/server/keys/key-ring.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { KEY, NOW, post, serve } from '../support/http-app.ts';
import { collectLog } from '../support/log-lines.ts';
import { LOAN_RISK } from '../support/request-bodies.ts';

let server: RunningServer;
afterEach(() => server?.drain(1000));
const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(server.url + path, { headers: { 'x-api-key': KEY, ...headers } });

it('A request has the trace of its caller in the log and in the answer, without a collector', async () => {
  const { log, lines } = collectLog();
  server = await serve({ log });
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const own = await ask('/jobs', { traceparent: `00-${trace}-00f067aa0ba902b7-01` });
  expect(own.headers.get('traceresponse')).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  for (const traceparent of ['x', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`])
    expect((await ask('/jobs', { traceparent })).headers.get('traceresponse')).toBeNull();
  expect(lines.map(line => line.trace_id)).toEqual([trace, undefined, undefined]);
});

it('The description is not sent again to a client that has it', async () => {
  server = await serve();
  const etag = String((await ask('/openapi.json')).headers.get('etag'));
  const again = await ask('/openapi.json', { 'if-none-match': etag, 'cache-control': 'max-age=0' });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect(
    (await ask('/openapi.json', { 'if-none-match': '"other"', 'cache-control': 'max-age=0' })).status,
  ).toBe(200);
});

it('Jobs are listed in pages, and unknown parameters are refused', async () => {
  server = await serve();
  for (let k = 0; k < 3; k++) await post(server, '/loan_risk', LOAN_RISK, { prefer: 'respond-async' });
  type Page = { readonly jobs: readonly { readonly id: string }[]; readonly next: string | null };
  const all = (await (await ask('/jobs')).json()) as Page;
  const first = (await (await ask('/jobs?limit=2')).json()) as Page;
  const second = (await (await ask(`/jobs?limit=2&before=${first.next}`)).json()) as Page;
  expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(all.jobs.map(({ id }) => id));
  expect([all.next, second.next]).toEqual([null, null]);
  for (const query of ['state=done', 'limit=0', 'limit=2&limit=3'])
    expect((await ask(`/jobs?${query}`)).status).toBe(422);
});

it('A rotated key and its predecessor share an account, and say when they expire', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rotate-'));
  const file = join(folder, 'keys.json');
  try {
    const first = createKey(file, { name: 'desk', scopes: ['operate'], days: 90, concurrent: 1 }, NOW);
    const second = rotateKey(file, 'desk', 24, NOW);
    const other = createKey(file, { name: 'other', scopes: ['operate'] }, NOW);
    const keys = openKeyRing({ hashes: [], file, log: collectLog().log, now: () => NOW });
    const [a, b, c] = [first, second, other].map(key => keys.check(key).known);
    expect(a?.account).toBe(b?.account);
    expect(c?.account).not.toBe(a?.account);
    expect([a?.expiresSoon, b?.expiresSoon]).toEqual(['2026-06-16T12:34:56.000Z', undefined]);
    server = await serve({ keys });
    const { headers } = await post(server, '/loan_risk', LOAN_RISK, { 'x-api-key': first });
    expect(headers.get('x-key-expires')).toBe('2026-06-16T12:34:56.000Z');
    keys.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
