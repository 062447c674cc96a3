/** Jobs of two servers with one store: each tells of the other's, cancels them, and takes them up. */
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineSet } from '#src/engine/engine-set.js';
import type { FleetStore } from '#src/fleet/store.js';
import { createLogger } from '#src/host/log.js';
import type { Jobs } from '#src/server/jobs/jobs.js';
import { createSharedJobs } from '#src/server/jobs/shared-jobs.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { eventually } from '../../support/eventually.ts';
import { heldOperations } from '../../support/held-operations.ts';
import { KEY, post, serve } from '../../support/http-app.ts';
import { collectLog } from '../../support/log-lines.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { LOAN_RISK } from '../../support/request-bodies.ts';

const servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.drain(1000);
});

/** A server whose jobs are in `store`; its clock stands until it is moved. */
async function front(store: FleetStore, parts: Parameters<typeof serve>[0] = {}, maxJobs = 4) {
  const clock = new ManualClock();
  const jobs: Jobs = createSharedJobs({
    maxJobs,
    store,
    ask: call => call(),
    retentionHours: 1,
    clock,
    log: parts.log ?? createLogger('silent'),
  });
  const server = await serve({ ...parts, jobs });
  servers.push(server);
  /** Moves the clock until something holds. */
  const until = (holds: () => boolean | Promise<boolean>, step = 100) =>
    eventually(async () => {
      clock.advance(step);
      return holds();
    });
  return { server, jobs, until };
}

const ask = (server: RunningServer, path: string, method = 'GET') =>
  fetch(server.url + path, { method, headers: { 'x-api-key': KEY } });
const submit = async (server: RunningServer, headers: Record<string, string> = {}) => {
  const response = await post(server, '/loan_risk', LOAN_RISK, { prefer: 'respond-async', ...headers });
  return { response, location: response.headers.get('location') ?? '' };
};
const stateOf = async (server: RunningServer, location: string) =>
  ((await (await ask(server, location)).json()) as { state: string }).state;

describe('Jobs of two servers with one store', () => {
  it('are shown, listed and answered by both, byte for byte', async () => {
    const store = memoryStore();
    const [one, two] = [await front(store), await front(store)];
    const { location } = await submit(one.server, { 'x-seed': '9', 'x-request-id': 'mine' });
    await one.until(async () => (await stateOf(two.server, location)) === 'done');
    const [here, there] = await Promise.all(
      [one, two].map(({ server }) => ask(server, `${location}/result`)),
    );
    expect(there.status).toBe(200);
    expect(await there.text()).toBe(await here.text());
    for (const name of ['x-seed', 'x-request-id', 'content-type', 'x-compute'])
      expect(there.headers.get(name), name).toBe(here.headers.get(name));
    const list = (await (await ask(two.server, '/jobs')).json()) as { jobs: { id: string }[] };
    expect(list.jobs.map(({ id }) => `/jobs/${id}`)).toEqual([location]);
    expect((await ask(two.server, location, 'DELETE')).status).toBe(204);
    expect((await ask(two.server, location)).status).toBe(404);
  });

  it('are cancelled through either', async () => {
    const store = memoryStore();
    const held = heldOperations();
    const one = await front(store, { routes: held.routes });
    const two = await front(store);
    const { location } = await submit(one.server);
    await eventually(() => held.running.length === 1);
    expect((await ask(two.server, location, 'DELETE')).status).toBe(204);
    expect(await stateOf(two.server, location)).toBe('cancelled');
    expect((await ask(two.server, `${location}/result`)).status).toBe(410);
    await one.until(() => held.running[0].context.signal.aborted);
    expect(await stateOf(one.server, location)).toBe('cancelled');
  });

  it('are adopted by the other when their server stops, and do not start twice', async () => {
    const store = memoryStore();
    const held = heldOperations();
    const one = await front(store, { routes: held.routes });
    const two = await front(store);
    const { location } = await submit(one.server, { 'x-seed': '9' });
    await eventually(() => held.running.length === 1);
    await one.jobs.close(1000);
    await two.until(async () => (await stateOf(two.server, location)) === 'done');
    const answer = await ask(two.server, `${location}/result`);
    const direct = await post(two.server, '/loan_risk', LOAN_RISK, { 'x-seed': '9' });
    expect(await answer.text()).toBe(await direct.text());
    expect(answer.headers.get('x-seed')).toBe('9');
  });

  const GPU = { gpu: { description: { software: false } }, gpuState: 'ready' } as EngineSet;

  it('for a GPU are left by a server without one, and adopted by one that has one', async () => {
    const store = memoryStore();
    const held = heldOperations();
    const { log, lines } = collectLog();
    const one = await front(store, { routes: held.routes, engines: GPU });
    const { location } = await submit(one.server, { 'x-compute': 'gpu' });
    await eventually(() => held.running.length === 1);
    await one.jobs.close(1000);
    for (const gpuState of ['none', 'given-up'] as const) {
      const two = await front(store, { routes: held.routes, log, engines: { ...GPU, gpuState } });
      const from = lines.length;
      const left = () => lines.slice(from).filter(({ msg }) => msg?.startsWith('this server refuses a job'));
      await two.until(() => left().length > 0);
      expect(left()).toMatchObject([{ job: location.slice('/jobs/'.length), reason: 'engine-unavailable' }]);
      expect(await stateOf(two.server, location)).toBe('queued');
    }
    const three = await front(store, { routes: held.routes, engines: GPU });
    await three.until(() => held.running.length === 2);
    held.running[1].finish();
    await three.until(async () => (await stateOf(three.server, location)) === 'done');
  });

  const ABOVE = { ...LOAN_RISK, params: { ...LOAN_RISK.params, mc_iter: 100_000 } };

  it('above the limit of the processors are left to a server with a GPU, and below it adopted', async () => {
    const store = memoryStore();
    const held = heldOperations();
    const { log, lines } = collectLog();
    const one = await front(store, { routes: held.routes, engines: GPU });
    const submitted = async (body: unknown) => {
      const response = await post(one.server, '/loan_risk', body, { prefer: 'respond-async' });
      return response.headers.get('location') ?? '';
    };
    const [above, below] = [await submitted(ABOVE), await submitted(LOAN_RISK)];
    await eventually(() => held.running.length === 2);
    await one.jobs.close(1000);
    const limits = { cpu: 1440 * 3 * 99_999, gpu: 1e12 };
    const two = await front(store, {
      routes: held.routes,
      log,
      engines: { limits, gpuState: 'none' } as EngineSet,
    });
    await two.until(() => held.running.length === 3);
    await two.until(() => lines.some(({ msg }) => msg?.startsWith('this server refuses a job')));
    expect(await stateOf(two.server, above)).toBe('queued');
    expect(lines.filter(({ msg }) => msg?.startsWith('this server refuses a job'))).toMatchObject([
      { job: above.slice('/jobs/'.length), reason: 'work-limit-exceeded' },
    ]);
    held.running[2].finish();
    await two.until(async () => (await stateOf(two.server, below)) === 'done');
    const three = await front(store, { routes: held.routes, engines: { ...GPU, limits } });
    await three.until(() => held.running.length === 4);
    held.running[3].finish();
    await three.until(async () => (await stateOf(three.server, above)) === 'done');
  });

  it('above the limit of the processors run where no server with a GPU comes for ten minutes', async () => {
    const store = memoryStore();
    const held = heldOperations();
    const one = await front(store, { routes: held.routes, engines: GPU });
    const engines = { limits: { cpu: 1, gpu: 1e12 }, gpuState: 'none' } as EngineSet;
    const two = await front(store, { routes: held.routes, engines });
    await submit(one.server);
    await eventually(() => held.running.length === 1);
    await one.jobs.close(1000);
    await two.until(() => held.running.length === 2, 10_000);
    held.running[1].finish();
  });

  it('for a GPU fail with that reason where no server with one comes for ten minutes', async () => {
    const store = memoryStore();
    const held = heldOperations();
    const one = await front(store, { routes: held.routes, engines: GPU });
    const two = await front(store, { routes: held.routes });
    const { location } = await submit(one.server, { 'x-compute': 'gpu' });
    await eventually(() => held.running.length === 1);
    await one.jobs.close(1000);
    await two.until(async () => (await stateOf(two.server, location)) === 'failed', 10_000);
    const answer = await ask(two.server, `${location}/result`);
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { detail: expect.stringContaining('no server with a GPU has adopted it within ten minutes') },
    ]);
    expect(held.running).toHaveLength(1);
  });

  it('count together for a key, and one idempotency key is one job', async () => {
    const store = memoryStore();
    const held = heldOperations();
    const one = await front(store, { routes: held.routes }, 2);
    const two = await front(store, { routes: held.routes }, 2);
    const first = await submit(one.server, { 'idempotency-key': 'k' });
    const retry = await submit(two.server, { 'idempotency-key': 'k' });
    expect(retry.location).toBe(first.location);
    const other = await submit(two.server, { 'idempotency-key': 'k', 'x-seed': '1' });
    expect(other.response.status).toBe(422);
    expect((await submit(two.server)).response.status).toBe(202);
    expect((await submit(one.server)).response.status).toBe(429);
  });
});
