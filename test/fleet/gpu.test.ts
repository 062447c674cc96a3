/**
 * GPU runs in parts: workers with a software GPU answer as one GPU process does, also when one loses its device.
 *
 * @module-tag slow
 */
import { afterEach, describe, expect, it } from 'vitest';
import { processClock } from '#src/core/clock.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { type GpuProcessEngine, openGpuProcessEngine } from '#src/engine/gpu-process/gpu-process-engine.js';
import { openEngines } from '#src/engine/open-engine.js';
import { type Fleet, openFleet } from '#src/fleet/fleet.js';
import { startWorker } from '#src/fleet/fleet-worker.js';
import { engineName } from '#src/fleet/names.js';
import { createSpreader } from '#src/fleet/spread-engine.js';
import { engineVersion } from '#src/host/engine-version.js';
import { createLogger } from '#src/host/log.js';
import { eventually } from '../support/eventually.ts';
import { dropFleet, join, newFleetName, REDIS, startWorkerProcess } from '../support/fleet.ts';
import { fleetPlan } from '../support/fleet-plans.ts';

const log = createLogger('silent');
const version = engineVersion();
const SMALL_PARTS = { leastWork: 0, partSize: { least: 1, most: 1 } };
/** A worker that offers the software driver of the tests. */
const WITH_GPU = { COMPUTE: 'auto', SOFTWARE_GPU: '1' };
/** Whether the environment of the tests has the software driver, or the machine's own adapter. */
const software = process.env.VK_DRIVER_FILES !== undefined;

describe.skipIf(!REDIS.present || !software)('GPUs of a fleet', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function openGpu(): Promise<GpuProcessEngine> {
    const gpu = await openGpuProcessEngine({ software, log });
    closing.push(() => gpu.close());
    return gpu;
  }

  async function openServer(): Promise<{ readonly name: string; readonly fleet: Fleet }> {
    const name = newFleetName();
    closing.push(() => dropFleet(name));
    const fleet = await openFleet({ ...(await join(REDIS.url, name)), version, clock: processClock, log });
    closing.push(() => fleet.close());
    return { name, fleet };
  }

  it('answer as one process, byte for byte, two workers as one', async () => {
    const { name, fleet } = await openServer();
    const gpu = await openGpu();
    const engine = engineName('software-gpu', gpu);
    const spreader = createSpreader(fleet, SMALL_PARTS);
    for (const total of [1, 2]) {
      const worker = await startWorkerProcess(REDIS.url, name, WITH_GPU);
      closing.push(() => worker.kill());
      await eventually(() => fleet.threadsFor(engine) === total);
      for (const kind of ['loan', 'origination', 'capped-loan', 'perpetual'] as const) {
        const plain = fleetPlan(kind, 6000);
        const plan: SimulationPlan =
          kind === 'origination' ? plain : { ...plain, distribution: { daySteps: 24 } };
        const shares: number[] = [];
        const run = spreader.spread(plan, 'software-gpu', gpu)?.run(plan, {
          onProgress: share => shares.push(share),
        });
        expect(await run, kind).toEqual(await gpu.run(plan));
        expect(shares.length, kind).toBeGreaterThan(1);
      }
    }
    // Books and values need all paths of one GPU.
    for (const kind of ['book', 'value-at-risk'] as const)
      expect(spreader.spread(fleetPlan(kind, 100), 'software-gpu', gpu)).toBeUndefined();
  });

  it('compute the GPU work of a server', async () => {
    const { name, fleet } = await openServer();
    const worker = await startWorkerProcess(REDIS.url, name, WITH_GPU);
    closing.push(() => worker.kill());
    const engines = await openEngines({
      compute: 'gpu',
      softwareGpu: true,
      threads: 1,
      limits: { cpu: 1e15, gpu: 1e15 },
      spreader: createSpreader(fleet, SMALL_PARTS),
      log,
    });
    closing.push(() => engines.close());
    await eventually(
      () =>
        fleet.threadsFor(engineName('software-gpu', { figuresOf: engines.gpu?.description.device ?? '' })) ===
        1,
    );
    const plan = fleetPlan('loan', 2000);
    const answer = await engines.use(plan, 'gpu', engine => engine.run(plan));
    expect(answer.engine.device).toMatch(/^fleet, as /);
    expect(answer.engine.backend).toBe('gpu');
    expect(answer.value).toEqual(await engines.gpu?.run(plan));
  });

  it('lose nothing and count nothing twice when one is lost in the middle of a part', async () => {
    const { name, fleet } = await openServer();
    const [local, lost] = [await openGpu(), await openGpu()];
    const engine = engineName('software-gpu', local);
    let kills = 0;
    const faulty = await startWorker({
      ...(await join(REDIS.url, name)),
      engines: new Map([
        [
          'software-gpu',
          {
            figuresOf: lost.figuresOf,
            get available() {
              return lost.available;
            },
            chunks: plan => lost.chunks(plan),
            mergeChunks: (plan, answers) => lost.mergeChunks(plan, answers),
            runPart: (plan, part, options) => {
              const answer = lost.runPart(plan, part, options);
              // The part has been sent to the device's process, which does not live to answer it.
              if (kills === 0) process.kill(lost.processId ?? Number.NaN, 'SIGKILL');
              kills += 1;
              return answer;
            },
          },
        ],
      ]),
      threads: 1,
      version,
      clock: processClock,
      log,
    });
    closing.push(() => faulty.close());
    await eventually(() => fleet.threadsFor(engine) === 1);
    const plan = fleetPlan('loan', 6000);
    const spread = createSpreader(fleet, SMALL_PARTS).spread(plan, 'software-gpu', local);
    expect(await spread?.run(plan)).toEqual(await local.run(plan));
    expect(kills).toBeGreaterThan(0);
    expect(lost.counts.losses).toBe(1);
    // A device that is back is offered again.
    await eventually(() => lost.available && fleet.threadsFor(engine) === 1);
  });
});
