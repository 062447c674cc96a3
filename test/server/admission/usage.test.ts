/** GET /usage: what keys have asked for. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createKey, rotateKey } from '#src/cli/keys.js';
import { type KeyRing, openKeyRing } from '#src/server/keys/key-ring.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { NOW, post, problem, serve } from '../../support/http-app.ts';
import { collectLog } from '../../support/log-lines.ts';
import { LOAN_RISK } from '../../support/request-bodies.ts';

/** Asset-steps of the request. */
const WORK = 1000 * 1440 * 3;

let server: RunningServer;
let ring: KeyRing;
afterEach(async () => {
  ring.close();
  await server.drain(1000);
});

interface Shown {
  readonly servers: string;
  readonly keys: readonly {
    readonly name: string | null;
    readonly expires: string | null;
    readonly day: { readonly questions: number; readonly asset_steps: number; readonly limit: number | null };
    readonly month: { readonly questions: number; readonly limit: number | null };
    readonly month_before: { readonly questions: number };
  }[];
}

async function usageOf(key: string): Promise<Shown> {
  const response = await fetch(`${server.url}/usage`, { headers: { 'x-api-key': key } });
  expect(response.status).toBe(200);
  return (await response.json()) as Shown;
}

it('A key sees its use and its quota, which it shares with its successor; one that reads sees all', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'usage-')), 'keys.json');
  const scopes = ['operate'] as const;
  const old = createKey(file, { name: 'desk', scopes, days: 30, workPerDay: 2.5 * WORK }, NOW);
  const other = createKey(file, { name: 'other', scopes, workPerMonth: 9 * WORK }, NOW);
  const reader = createKey(file, { name: 'billing', scopes: ['read'] }, NOW);
  const next = rotateKey(file, 'desk', 24, NOW);
  ring = openKeyRing({ hashes: [], file, log: collectLog().log, now: () => NOW });
  server = await serve({ keys: ring });
  const ask = (key: string) => post(server, '/loan_risk', LOAN_RISK, { 'x-api-key': key });
  for (const key of [old, next, other]) expect((await ask(key)).status).toBe(200);
  const refused = await ask(next);
  expect(refused.headers.get('ratelimit')).toMatch(/^"day";r=2160000;t=\d+$/);
  expect(await problem(refused)).toMatchObject({
    status: 429,
    detail: expect.stringContaining('a day (UTC)'),
  });

  const own = await usageOf(next);
  expect(own).toMatchObject({
    servers: 'this one',
    keys: [
      {
        ...{ name: 'desk', expires: '2026-07-15T12:34:56.000Z' },
        day: { questions: 2, asset_steps: 2 * WORK, limit: 2.5 * WORK },
        month: { questions: 2, limit: null },
        month_before: { questions: 0 },
      },
    ],
  });
  expect(own.keys).toHaveLength(1);
  expect((await usageOf(old)).keys).toEqual(own.keys);
  const all = (await usageOf(reader)).keys;
  expect(all.map(({ name, month }) => [name, month.questions, month.limit])).toEqual([
    ['desk', 2, null],
    ['other', 1, 9 * WORK],
    ['billing', 0, null],
  ]);
});
