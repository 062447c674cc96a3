/** What the health check says of GPU and market, and which queue waits for a GPU that is away. */
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineSet } from '#src/engine/engine-set.js';
import type { OperationAnswer } from '#src/question/question.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { eventually } from '../../support/eventually.ts';
import { ANSWER, post, serve, testRoutes } from '../../support/http-app.ts';
import { LOAN_RISK, withMember } from '../../support/request-bodies.ts';

let server: RunningServer;
afterEach(() => server.drain(1000));

const enginesWith = (gpuState: string, leastWork = Number.POSITIVE_INFINITY, isGpuWarm = true) =>
  ({
    gpu: { description: { software: false } },
    gpuState,
    isGpuWarm,
    gpuLeastWork: () => leastWork,
  }) as unknown as EngineSet;

async function health(): Promise<[number, unknown]> {
  const response = await fetch(`${server.url}/healthz`);
  return [response.status, await response.json()];
}

describe('The health check', () => {
  it.each(['restarting', 'given-up', 'none'])('tells that the GPU is %s', async gpu => {
    server = await serve({
      engines: enginesWith(gpu),
    });
    expect(await health()).toEqual([
      200,
      { status: 'ok', version: '1.2.3', interface: expect.any(String), gpu, market: 'sample' },
    ]);
  });

  it.each([
    [false, 'compiling'],
    [true, 'ready'],
  ])('tells whether a GPU that is ready has compiled the usual kernels', async (isGpuWarm, gpu_kernels) => {
    server = await serve({ engines: enginesWith('ready', Number.POSITIVE_INFINITY, isGpuWarm) });
    expect(await health()).toMatchObject([200, { gpu: 'ready', gpu_kernels }]);
  });

  it('states from how much work on the GPU is used, once it is measured', async () => {
    server = await serve({ engines: enginesWith('ready', 2 ** 21) });
    expect(await health()).toMatchObject([200, { gpu: 'ready', gpu_from_asset_steps: 2 ** 21 }]);
  });

  it('names the SIMD kernel of the processor', async () => {
    const simd = { kernel: 'avx2', lanes: 8 };
    server = await serve({
      engines: { ...enginesWith('none'), simdKernel: simd } as EngineSet,
    });
    expect(await health()).toEqual([
      200,
      { status: 'ok', version: '1.2.3', interface: expect.any(String), gpu: 'none', simd, market: 'sample' },
    ]);
  });

  it('is 503 where the configuration requires a GPU and it has failed, not before', async () => {
    server = await serve({ engines: enginesWith('restarting'), gpuRequired: true });
    expect(await health()).toEqual([
      200,
      { status: 'ok', version: '1.2.3', interface: expect.any(String), gpu: 'restarting', market: 'sample' },
    ]);
    await server.drain(1000);
    server = await serve({ engines: enginesWith('given-up'), gpuRequired: true });
    expect(await health()).toEqual([
      503,
      {
        status: 'degraded',
        version: '1.2.3',
        interface: expect.any(String),
        gpu: 'given-up',
        market: 'sample',
      },
    ]);
    expect((await fetch(`${server.url}/healthz`, { method: 'HEAD' })).status).toBe(503);
  });
});

describe('A GPU that is unavailable', () => {
  it('leaves the work of auto to the queues of the CPU', async () => {
    const finish: (() => void)[] = [];
    const held = () => new Promise<OperationAnswer>(resolve => finish.push(() => resolve(ANSWER)));
    server = await serve({ routes: testRoutes(held), engines: enginesWith('restarting'), maxQueue: 0 });
    const large = withMember(LOAN_RISK, 'params.mc_iter', 100_000);
    const running = ['cpu', 'cpu'].map(compute =>
      post(server, '/loan_risk', large, { 'x-compute': compute }),
    );
    await eventually(() => finish.length === 2);
    // Both places of the CPU's queue of large requests are taken, those of the GPU's are free.
    expect((await post(server, '/loan_risk', large, { 'x-compute': 'auto' })).status).toBe(429);
    const onGpu = post(server, '/loan_risk', large, { 'x-compute': 'gpu' });
    await eventually(() => finish.length === 3);
    for (const end of finish) end();
    expect((await Promise.all([...running, onGpu])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
