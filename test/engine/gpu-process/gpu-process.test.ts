/** The process that holds the device: what its end costs the caller, and that it never outlives the server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { RiskError } from '#src/core/errors.js';
import type { EngineSet } from '#src/engine/engine-set.js';
import { type GpuProcessEngine, openGpuProcessEngine } from '#src/engine/gpu-process/gpu-process-engine.js';
import { joinEngines } from '#src/engine/open-engine.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { createLogger } from '#src/host/log.js';
import { eventually } from '../../support/eventually.ts';
import { fleetPlan } from '../../support/fleet-plans.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { loanPlan } from '../../support/shader-plans.ts';

const log = createLogger('silent');
/** Whether the environment of the tests has the software driver, or the machine's own adapter. */
const software = process.env.VK_DRIVER_FILES !== undefined;
const small = loanPlan({ model: 'gbm', assets: 2, paths: 2000, steps: 48 });
/** Days of work on a software device, minutes on any. */
const long = loanPlan({ model: 'gbm', assets: 2, paths: 10_000_000, steps: 87_600 });
/** The pause before the first restart; it doubles. */
const FIRST_PAUSE = 250;
const MINUTE = 60_000;

const opened: (GpuProcessEngine | EngineSet)[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(engine => engine.close()));
});

/** A GPU on a clock that stands still: it is not restarted before a test says so. */
async function openGpu(clock = new ManualClock()): Promise<GpuProcessEngine> {
  const gpu = await openGpuProcessEngine({ software, log, clock });
  opened.push(gpu);
  return gpu;
}

function kill(gpu: GpuProcessEngine): void {
  const { processId } = gpu;
  if (processId === undefined) throw new Error('There is no process to end.');
  process.kill(processId, 'SIGKILL');
}

/** The reason of the failure that a promise must end in. */
async function failureOf(work: Promise<unknown>): Promise<RiskError> {
  return work.then(
    () => Promise.reject(new Error('It did not fail.')),
    error => error as RiskError,
  );
}

function lives(processId: number | undefined): boolean {
  try {
    return process.kill(processId ?? Number.NaN, 0);
  } catch {
    return false;
  }
}

async function expectGone(processId: number | undefined): Promise<void> {
  await eventually(() => !lives(processId));
}

describe('a GPU process that is killed while it computes', () => {
  it('rejects its work, restarts and has the same figures', async () => {
    const clock = new ManualClock();
    const gpu = await openGpu(clock);
    const before = await gpu.run(small);
    const first = gpu.processId;
    const work = failureOf(gpu.run(long));
    // Messages are read in order: after this one the long run is under way.
    await gpu.run(small);
    kill(gpu);
    expect(await work).toMatchObject({ reason: 'engine-unavailable', retryAfterSeconds: 5 });
    expect(gpu.state).toBe('restarting');
    expect(await failureOf(gpu.run(small))).toMatchObject({ reason: 'engine-unavailable' });
    clock.advance(FIRST_PAUSE);
    expect(await gpu.ready(MINUTE)).toBe(true);
    expect(gpu.processId).not.toBe(first);
    expect(await gpu.run(small)).toEqual(before);
    await expectGone(first);
  });

  it('is given up after six ends without a run in between', { tags: ['slow'] }, async () => {
    const clock = new ManualClock();
    const gpu = await openGpu(clock);
    let restarts = 0;
    for (;;) {
      kill(gpu);
      await eventually(() => gpu.state !== 'ready');
      if (gpu.state === 'given-up') break;
      clock.advance(FIRST_PAUSE * 2 ** restarts);
      expect(await gpu.ready(MINUTE)).toBe(true);
      restarts += 1;
    }
    expect(restarts).toBe(6);
    const refusal = await failureOf(gpu.run(small));
    expect(refusal).toMatchObject({ reason: 'engine-unavailable', retryAfterSeconds: undefined });
  });
});

describe('work lost with the GPU', () => {
  /** Engines whose GPU passes for a real one, which `auto` may take. */
  async function openSet(cpuLimit = 1e12) {
    const clock = new ManualClock();
    const gpu = await openGpu(clock);
    Object.defineProperty(gpu, 'description', { value: { ...gpu.description, software: false } });
    const limits = { cpu: cpuLimit, gpu: 1e12 };
    const cpu = openReferenceEngine({ threads: 2 });
    const engines = joinEngines({
      reference: cpu,
      simd: undefined,
      gpu,
      reason: 'for the test',
      limits,
      log,
    });
    opened.push(engines);
    return { clock, engines, gpu };
  }
  const work = loanPlan({ model: 'gbm', assets: 2, paths: 10_000, steps: 240 });

  /** Asks for the plan, ends the process as the GPU is to begin with it, and lets another start. */
  async function askAndKill(choice: 'auto' | 'gpu', cpuLimit?: number) {
    const { clock, engines, gpu } = await openSet(cpuLimit);
    const on: string[] = [];
    const asked = engines.use(work, choice, async engine => {
      on.push(engine.description.backend);
      if (on.length === 1) kill(gpu);
      return engine.run(work);
    });
    const restarted = eventually(() => gpu.state === 'restarting').then(() => clock.advance(FIRST_PAUSE));
    const [answer] = await Promise.all([asked, restarted]);
    return { answer, on, engines };
  }

  it('is repeated on the CPU, with the same figures, where the choice was auto', async () => {
    const { answer, on, engines } = await askAndKill('auto');
    expect(on).toEqual(['gpu', 'cpu']);
    expect(answer.engine.backend).toBe('cpu');
    expect(answer.value).toEqual(await engines.reference.run(work));
  });

  it('is repeated on the GPU once it is back, where the choice was gpu', { tags: ['slow'] }, async () => {
    const { answer, on } = await askAndKill('gpu');
    expect(on).toEqual(['gpu', 'gpu']);
    expect(answer.engine.backend).toBe('gpu');
    const other = await openGpu();
    expect(answer.value).toEqual(await other.run(work));
  });

  it('avoids the GPU while it is unavailable, where the choice is auto, and reports its state', async () => {
    const { clock, engines, gpu } = await openSet();
    expect(engines.gpuState).toBe('ready');
    kill(gpu);
    await eventually(() => engines.gpuState === 'restarting');
    const answer = await engines.use(work, 'auto', engine => engine.run(work));
    expect(answer.engine.backend).toBe('cpu');
    // Nor does it delay a caller who waits for it for longer than stated.
    const ready = gpu.ready(50);
    clock.advance(50);
    expect(await ready).toBe(false);
  });

  it('is refused for the missing GPU, not as a fault of the request, where it is above the limit of the CPU', {
    tags: ['slow'],
  }, async () => {
    const lost = await failureOf(askAndKill('auto', 1e6));
    expect(lost.reason).toBe('engine-unavailable');

    const { engines, gpu } = await openSet(1e6);
    kill(gpu);
    await eventually(() => gpu.state === 'restarting');
    const away = await failureOf(engines.use(work, 'auto', engine => engine.run(work)));
    expect(away.reason).toBe('engine-unavailable');
    expect(away.retryAfterSeconds).toBeGreaterThan(0);
  });
});

describe('a GPU process', () => {
  it('reports the progress of a book', { tags: ['slow'] }, async () => {
    const gpu = await openGpu();
    const told: number[] = [];
    await gpu.run(fleetPlan('book', 2000), { onProgress: share => told.push(share) });
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect(told.at(-1)).toBe(1);
  });

  it('merges sums of a GPU, ends aborted work and still serves, and finishes its work when it is closed', async () => {
    const clock = new ManualClock();
    const gpu = await openGpu(clock);
    const before = await gpu.run(small);
    const range = { first: 0, count: small.paths };
    const sums = await gpu.runPart(small, { kind: 'chunks', range });
    expect(gpu.mergeChunks(small, [sums])).toEqual(before);
    expect(() => gpu.mergeChunks(small, [sums, []])).toThrow('no sums of a GPU');

    const abort = new AbortController();
    const aborted = failureOf(gpu.run(long, { signal: abort.signal }));
    // Messages are read in order: after this one the long run is under way.
    await gpu.run(small);
    abort.abort(new Error('enough'));
    expect((await aborted).message).toBe('enough');
    // The timers of the abort go when the work has ended on the device; those of the pings stay.
    await eventually(() => clock.pending === 1);
    expect(await gpu.run(small)).toEqual(before);

    const { processId } = gpu;
    const work = gpu.run(small);
    await Promise.all([gpu.close(), gpu.close()]);
    expect((await work).paths).toBe(small.paths);
    expect(await failureOf(gpu.run(small))).toMatchObject({ reason: 'engine-unavailable' });
    expect(gpu.state).toBe('closed');
    await expectGone(processId);
  });

  for (const state of ['as it runs', 'stopped by SIGSTOP'])
    it(`ends with its server, ${state}`, { tags: ['slow'] }, async () => {
      const host = new URL('../../../dist/engine/gpu-process/gpu-process-engine.js', import.meta.url).href;
      const logger = new URL('../../../dist/host/log.js', import.meta.url).href;
      const server = spawn(
        process.execPath,
        [
          '--input-type=module',
          '--eval',
          `const { openGpuProcessEngine } = await import(${JSON.stringify(host)});
         const { createLogger } = await import(${JSON.stringify(logger)});
         const gpu = await openGpuProcessEngine({ software: ${software}, log: createLogger('silent') });
         console.log(gpu.processId);
         setInterval(() => {}, 1000);`,
        ],
        { cwd: fileURLToPath(new URL('../../..', import.meta.url)), stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const [text] = (await once(server.stdout!, 'data')) as [Buffer];
      const processId = Number(text.toString());
      expect(lives(processId)).toBe(true);
      if (state === 'stopped by SIGSTOP') process.kill(processId, 'SIGSTOP');
      server.kill('SIGKILL');
      await expectGone(processId);
    });
});
