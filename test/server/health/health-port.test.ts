/** The port for probes, which a thread of its own serves. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '#src/host/log.js';
import { type HealthPort, keepReporting, openHealthPort } from '#src/server/health/health-port.js';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startSampleService } from '../../support/sample-service.ts';

const log = createLogger('silent');
let health: HealthPort | undefined;
afterEach(() => health?.close());

async function ask(path: string, port = health?.port, method = 'GET'): Promise<[number, unknown]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  const text = await response.text();
  return [response.status, text === '' ? '' : JSON.parse(text)];
}

describe('The port for probes', () => {
  it('answers the reported state, on two paths', async () => {
    health = await openHealthPort({ host: '127.0.0.1', port: 0 }, log);
    expect(await ask('/livez')).toEqual([200, { status: 'alive' }]);
    expect(await ask('/readyz')).toEqual([503, { status: 'not ready', reasons: ['starting'] }]);
    health.report([]);
    expect(await ask('/readyz')).toEqual([200, { status: 'ready', reasons: [] }]);
    expect(await ask('/readyz', health.port, 'HEAD')).toEqual([200, '']);
    health.report(['draining']);
    expect(await ask('/readyz')).toEqual([503, { status: 'not ready', reasons: ['draining'] }]);
    expect((await ask('/metrics'))[0]).toBe(404);
    expect((await ask('/livez', health.port, 'POST'))[0]).toBe(405);
  });

  it('answers while the event loop of the process is blocked', async () => {
    health = await openHealthPort({ host: '127.0.0.1', port: 0 }, log);
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const { Worker } = await import('node:worker_threads');
    const asker = new Worker(
      `const { workerData: { port, answered } } = require('node:worker_threads');
       require('node:http').get({ port, path: '/livez' }, ({ statusCode }) => {
         Atomics.store(answered, 0, statusCode);
         Atomics.notify(answered, 0);
       });`,
      { eval: true, workerData: { port: health.port, answered } },
    );
    // This thread does nothing until the answer is there; the limit is for a test that fails.
    expect(Atomics.wait(answered, 0, 0, 30_000)).not.toBe('timed-out');
    expect(answered[0]).toBe(200);
    await asker.terminate();
  });

  it('is refused where it is taken, with the name of the variable', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await expect(openHealthPort({ host: '127.0.0.1', port }, log)).rejects.toThrow(
      /^Cannot listen for probes: .*EADDRINUSE.*; set HEALTH_PORT to another\.$/,
    );
    taken.close();
    health = undefined;
  });

  it('is that of a service, which is not ready from the moment on when it drains', {
    tags: ['slow'],
  }, async () => {
    const service = await startSampleService({ HEALTH_PORT: '0' });
    await eventually(async () => (await ask('/readyz', service.healthPort))[0] === 200);
    const stopped = service.stop(3);
    await eventually(async () => {
      const [status, body] = await ask('/readyz', service.healthPort);
      return status === 503 && JSON.stringify(body).includes('draining');
    });
    await stopped;
    await expect(ask('/livez', service.healthPort)).rejects.toThrow();
  });
});

it('A process reports its health at once, then twice a second, until it is stopped', () => {
  const clock = new ManualClock();
  let reports = 0;
  const stop = keepReporting(() => {
    reports++;
  }, clock);
  expect(reports).toBe(1);
  clock.advance(1000);
  expect(reports).toBe(3);
  stop();
  clock.advance(5000);
  expect(reports).toBe(3);
});
