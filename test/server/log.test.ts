/** What the log says of a request: enough to ask again and to see what the answer came from, and nothing secret. */
import { afterEach, describe, expect, it } from 'vitest';
import { hashKey } from '#src/server/keys/key-digest.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { eventually } from '../support/eventually.ts';
import { KEY, observation, post, problem, serve, testRoutes } from '../support/http-app.ts';
import { collectLog } from '../support/log-lines.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { GOOD_BODIES, LOAN_RISK, PERPETUAL, withMember } from '../support/request-bodies.ts';

let server: RunningServer;
afterEach(() => server.drain(1000));

const SHOWN_KEY = hashKey(KEY).toString('hex').slice(0, 8);

describe('The line of an answer', () => {
  it('has the question, the data, the waiting time and the key', async () => {
    const { log, lines } = collectLog();
    server = await serve({ log, clock: new ManualClock() });
    const body = withMember(LOAN_RISK, 'params.analysis_date', '05-30-2026');
    const headers = { 'x-request-id': 'a-request', 'x-seed': '42', 'x-compute': 'cpu' };
    expect((await post(server, '/loan_risk', body, headers)).status).toBe(200);
    const { params } = LOAN_RISK;
    expect(lines).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        request_id: 'a-request',
        method: 'POST',
        path: '/loan_risk',
        status: 200,
        milliseconds: expect.any(Number),
        key: SHOWN_KEY,
        methodology: 'GBM',
        analysis_date: '2026-05-30',
        lookback: params.model_lookback,
        asset_steps: params.mc_iter * params.loan_duration * 24 * 3,
        seed: 42,
        compute: 'cpu',
        version: '1.2.3',
        queued_milliseconds: 0,
        backend: 'cpu',
        device: 'test processor, 2 threads',
        scenarios: 1000,
        grid: 'daily',
        filled: 'USDC=9',
        market_data: 'sample',
        request_digest: expect.stringMatching(/^sha-256=:.{44}:$/),
        answer_digest: expect.stringMatching(/^sha-256=:.{44}:$/),
        msg: 'answered',
      },
    ]);
  });

  it('has these for every operation, and no key where it is unknown', async () => {
    const { log, lines } = collectLog();
    server = await serve({ log });
    for (const [path, body] of Object.entries(GOOD_BODIES)) await post(server, path, body);
    for (const line of lines) {
      expect(line).toMatchObject({ status: 200, key: SHOWN_KEY, seed: 0, compute: 'auto', backend: 'cpu' });
      expect(line.methodology, String(line.path)).toMatch(/^(GBM|GARCH|HISTORICAL)$/);
      expect(line.lookback, String(line.path)).toBeGreaterThan(0);
      expect(line.asset_steps, String(line.path)).toBeGreaterThan(0);
    }
    await post(server, '/loan_risk', LOAN_RISK, { 'x-api-key': 'another-key' });
    expect(lines).toHaveLength(Object.keys(GOOD_BODIES).length + 1);
    expect(lines.at(-1)?.key).toBeUndefined();
    expect(JSON.stringify(lines)).not.toMatch(/another-key|a-key-of-the-tests/);
  });
});

describe('The line of a probe', () => {
  const probe = async (path: string) => (await fetch(server.url + path)).status;

  it('is at level debug where it succeeds', async () => {
    const { log, lines } = collectLog();
    server = await serve({ log });
    const paths = ['/livez', '/readyz', '/healthz', '/metrics'];
    for (const path of paths) expect(await probe(path)).toBe(200);
    expect(lines.map(({ level, path, msg }) => [level, path, msg])).toEqual(
      paths.map(path => [20, path, 'answered']),
    );
    expect(await probe('/openapi.json')).toBe(200);
    expect(lines.at(-1)).toMatchObject({ level: 30, path: '/openapi.json', msg: 'answered' });
  });

  it('is at level info where it fails', async () => {
    const { log, lines } = collectLog();
    const observed = observation();
    observed.readiness.beginDraining();
    server = await serve({ log, observation: observed, metricsNeedKey: true });
    expect([await probe('/readyz'), await probe('/metrics')]).toEqual([503, 401]);
    expect(lines.map(({ level, path, status, msg }) => [level, path, status, msg])).toEqual([
      [30, '/readyz', 503, 'answered'],
      [30, '/metrics', 401, 'refused'],
    ]);
  });
});

describe('The lines of a batch and of the end of a job', () => {
  it('have the key of the caller, and that of a job its identifier', async () => {
    const { log, lines } = collectLog();
    server = await serve({ log });
    const batch = [
      { id: 'a', path: '/loan_risk', body: LOAN_RISK },
      { id: 'b', path: '/loan_risk', body: {} },
    ];
    const response = await fetch(`${server.url}/batch`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/x-ndjson' },
      body: batch.map(line => JSON.stringify(line)).join('\n'),
    });
    await response.text();
    const job = await post(server, '/loan_risk', LOAN_RISK, { prefer: 'respond-async' });
    const id = job.headers.get('location')?.split('/').at(-1);
    await eventually(() => lines.filter(line => line.job === id).length === 2);
    const withoutMethod = lines.filter(({ method }) => method === undefined);
    expect(withoutMethod.map(({ status, key, job: of }) => [status, key, of])).toEqual([
      [200, SHOWN_KEY, undefined],
      [422, SHOWN_KEY, undefined],
      [200, SHOWN_KEY, id],
    ]);
  });
});

describe('The line of a refusal', () => {
  it('names the members at fault and none of their values', async () => {
    const { log, lines } = collectLog();
    server = await serve({ log });
    const body = { ...PERPETUAL, initial_margin: -4321.5, extra: 'private' };
    await post(server, '/isolated_perp_risk', body, { 'x-seed': 'secret' });
    expect(lines).toMatchObject([
      { msg: 'refused', status: 422, key: SHOWN_KEY, reason: 'invalid-request', faults: 3 },
    ]);
    expect([...(lines[0].paths as string[])].sort()).toEqual([
      '<unknown>',
      'header.x-seed',
      'initial_margin',
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/4321|private|secret/);
  });

  it('is of bounded length for many and long members', async () => {
    const { log, lines } = collectLog();
    server = await serve({ log });
    const members = Array.from({ length: 90 }, (_, i) => [`${i}${'x'.repeat(400)}`, 1]);
    const answer = await problem(await post(server, '/loan_risk', Object.fromEntries(members)));
    expect(answer.errors.length).toBeGreaterThan(50);
    expect(JSON.stringify(lines).length).toBeLessThan(3000);
    expect(lines[0]).toMatchObject({ faults: answer.errors.length });
  });

  it('of the queue has the question, too', async () => {
    const { log, lines } = collectLog();
    const held = (_request: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const clock = new ManualClock();
    server = await serve({ log, routes: testRoutes(held), maxQueue: 0, requestTimeoutSeconds: 20, clock });
    const large = withMember(LOAN_RISK, 'params.mc_iter', 100_000);
    const answers = [1, 2, 3].map(() => post(server, '/loan_risk', large));
    // One is refused, two work until their deadline.
    await eventually(() => lines.length === 1);
    clock.advance(20_000);
    await Promise.all(answers);
    const told = lines.map(({ status, reason, methodology, queued_milliseconds: queued }) => ({
      status,
      reason,
      methodology,
      queued,
    }));
    expect(told.sort((a, b) => Number(a.status) - Number(b.status))).toEqual([
      { status: 429, reason: 'queue-full', methodology: 'GBM', queued: undefined },
      { status: 504, reason: 'deadline-exceeded', methodology: 'GBM', queued: 0 },
      { status: 504, reason: 'deadline-exceeded', methodology: 'GBM', queued: 0 },
    ]);
  });
});
