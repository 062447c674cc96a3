/**
 * Servers and workers that are stopped while their store does not answer.
 *
 * @module-tag slow
 */
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { openProxy } from '../support/cut-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { dropFleet, newFleetName, REDIS, startWorkerProcess } from '../support/fleet.ts';
import { startServerProcess } from '../support/fleet-servers.ts';
import { LOAN_RISK, withMember } from '../support/request-bodies.ts';

/** Some minutes of one thread. */
const LONG = withMember(LOAN_RISK, 'params.mc_iter', 1_000_000);

describe.skipIf(!REDIS.present)('A store that stops answering', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function fleetBehindProxy() {
    const name = newFleetName();
    closing.push(() => dropFleet(name));
    const { port } = new URL(REDIS.url);
    const proxy = await openProxy(Number(port));
    closing.push(() => proxy.close());
    return { name, proxy, url: REDIS.url.replace(port, String(proxy.port)) };
  }

  it('does not prevent a clean stop of a server with a job on a worker', async () => {
    const { name, proxy, url } = await fleetBehindProxy();
    const worker = await startWorkerProcess(REDIS.url, name);
    closing.push(() => worker.kill());
    const settings = { DRAIN_SECONDS: '0', REQUEST_TIMEOUT_SECONDS: '1', MAX_WORK_CPU: '1e15' };
    const server = await startServerProcess({ url, name }, { ...settings, LOG_LEVEL: 'silent' });
    closing.push(() => server.kill());
    const job = await server.submit(LONG, 'long');
    await eventually(async () => (await server.look(job)).state === 'running');
    proxy.freeze();
    expect(await server.stop()).toBe(0);
  });

  it('does not prevent a clean stop of a worker without parts', async () => {
    const { name, proxy, url } = await fleetBehindProxy();
    const worker = await startWorkerProcess(url, name, { LOG_LEVEL: 'silent' });
    closing.push(() => worker.kill());
    proxy.freeze();
    const exit = once(worker.child, 'exit');
    worker.child.kill('SIGTERM');
    expect((await exit)[0]).toBe(0);
  });
});
