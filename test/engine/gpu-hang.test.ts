/** A GPU process that hangs: stopped by a signal, it neither ends nor answers. */
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCpuEngine } from '#src/engine/cpu/cpu-engine.js';
import type { EngineSet } from '#src/engine/engine-set.js';
import {
  type GpuProcessEngine,
  type GpuProcessEngineOptions,
  openGpuProcessEngine,
} from '#src/engine/gpu/host/gpu-process-engine.js';
import type { VitalTimes } from '#src/engine/gpu/host/vital-signs.js';
import { joinEngines } from '#src/engine/open-engine.js';
import { loanPlan } from '../shader/plans.ts';

/** Whether the environment of the tests has the software driver, or the machine's own adapter. */
const software = process.env.VK_DRIVER_FILES !== undefined;
const work = loanPlan({ model: 'gbm', assets: 2, paths: 10_000, steps: 240 });
/** Seconds of work on any device. */
const long = loanPlan({ model: 'gbm', assets: 2, paths: 10_000_000, steps: 87_600 });
/** Opening a software device takes most of a second, more while others use the processor. */
const BACK_MILLISECONDS = 15_000;
/** Everything five times as fast as in service. */
const QUICK: VitalTimes = {
  pingMilliseconds: 200,
  stalledPings: 3,
  deadPings: 9,
  stalledAbortMilliseconds: 400,
  deadAbortMilliseconds: 4000,
};

let lines: { msg: string; why?: string; err?: { message: string } }[];
const log = pino({ base: null }, { write: line => void lines.push(JSON.parse(line)) });
const opened: { close(): Promise<void> }[] = [];
beforeEach(() => {
  lines = [];
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(engine => engine.close()));
});

/** Engines whose GPU passes for a real one, which `auto` may take. */
async function openSet(options: Partial<GpuProcessEngineOptions> = {}) {
  const gpu = await openGpuProcessEngine({
    software,
    log,
    restartPauseMilliseconds: 10,
    vitalTimes: QUICK,
    ...options,
  });
  Object.defineProperty(gpu, 'description', { value: { ...gpu.description, software: false } });
  const limits = { cpu: 1e15, gpu: 1e15 };
  const cpu = openCpuEngine({ threads: 2 });
  const engines = joinEngines({ cpu, fastCpu: undefined, gpu, reason: 'for the test', limits, log });
  opened.push(engines);
  return { gpu, engines };
}

/** Stops the process as a hung driver would: it stays, and does nothing. Returns its number. */
function freeze(gpu: GpuProcessEngine): number {
  const { processId } = gpu;
  if (processId === undefined) throw new Error('There is no process to stop.');
  process.kill(processId, 'SIGSTOP');
  return processId;
}

async function backendOf(engines: EngineSet): Promise<string> {
  const { engine } = await engines.use(work, 'auto', each => each.run(work));
  return engine.backend;
}

async function untilState(gpu: GpuProcessEngine, state: GpuProcessEngine['state']): Promise<number> {
  const asked = performance.now();
  while (gpu.state !== state) await pause(5);
  return performance.now() - asked;
}

describe('a GPU process that hangs', () => {
  it('is left alone by auto until it answers again', async () => {
    const { gpu, engines } = await openSet({ vitalTimes: { ...QUICK, deadPings: 1000 } });
    expect(await backendOf(engines)).toBe('gpu');
    const processId = freeze(gpu);
    // Three unanswered pings and the time to the first.
    expect(await untilState(gpu, 'stalled')).toBeLessThan(5 * QUICK.pingMilliseconds);
    expect(engines.gpuState).toBe('restarting');
    expect(await backendOf(engines)).toBe('cpu');
    await expect(gpu.run(work)).rejects.toMatchObject({ reason: 'engine-unavailable', retryAfterSeconds: 5 });
    process.kill(processId, 'SIGCONT');
    expect(await gpu.ready(BACK_MILLISECONDS)).toBe(true);
    expect(gpu.processId).toBe(processId);
    expect(await backendOf(engines)).toBe('gpu');
    expect(lines.map(line => line.msg)).toEqual(['the GPU does not answer', 'the GPU answers again']);
  });

  it('is killed after a while and says why; its work is done again, and the GPU comes back', async () => {
    const { gpu, engines } = await openSet();
    const before = await gpu.run(work);
    const processId = freeze(gpu);
    const asked = performance.now();
    expect(await backendOf(engines)).toBe('cpu');
    // Nine pings, the time to the first of them, and the run on the processor.
    expect(performance.now() - asked).toBeLessThan(10 * QUICK.pingMilliseconds + 2000);
    const end = lines.find(line => line.msg === 'the GPU process ended');
    expect(end?.err?.message).toMatch(/^The GPU process was killed: no sign of life for [12]\.?\d* s\.$/);
    expect(await gpu.ready(BACK_MILLISECONDS)).toBe(true);
    expect(gpu.processId).not.toBe(processId);
    expect(await gpu.run(work)).toEqual(before);
  });

  it('is left alone as soon as aborted work does not end, and killed when it never does', async () => {
    const { gpu, engines } = await openSet({ vitalTimes: { ...QUICK, stalledPings: 1000, deadPings: 1000 } });
    freeze(gpu);
    await expect(gpu.run(work, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
    expect(await untilState(gpu, 'stalled')).toBeLessThan(QUICK.stalledAbortMilliseconds + 200);
    expect(await backendOf(engines)).toBe('cpu');
    await untilState(gpu, 'restarting');
    const end = lines.find(line => line.msg === 'the GPU process ended');
    expect(end?.err?.message).toBe('The GPU process was killed: aborted work did not end in 4 s.');
    expect(await gpu.ready(BACK_MILLISECONDS)).toBe(true);
  });

  it('is not mistaken for one that works, compilation included', async () => {
    const { gpu } = await openSet();
    await expect(gpu.run(long, { signal: AbortSignal.timeout(3000) })).rejects.toThrow();
    await gpu.run(work);
    expect(gpu.state).toBe('ready');
    expect(lines).toEqual([]);
  });

  it('is not mistaken for one whose server stood still', async () => {
    const { gpu } = await openSet();
    // As when the machine is suspended: one tick after that, and the answers that had come meanwhile.
    Atomics.wait(
      new Int32Array(new SharedArrayBuffer(4)),
      0,
      0,
      2 * QUICK.deadPings * QUICK.pingMilliseconds,
    );
    await pause(2 * QUICK.pingMilliseconds);
    expect(gpu.state).toBe('ready');
    expect(lines).toEqual([]);
  });

  it('does not keep its server from closing', async () => {
    const { gpu, engines } = await openSet();
    freeze(gpu);
    const lost = expect(gpu.run(work)).rejects.toMatchObject({ reason: 'engine-unavailable' });
    const asked = performance.now();
    await engines.close();
    await lost;
    expect(performance.now() - asked).toBeLessThan(6000);
  });
});

describe('a GPU that is given up', () => {
  it('is tried again now and then, with a warning each time, and serves when it is back', async () => {
    const { gpu, engines } = await openSet({ restartPauseMilliseconds: 1, givenUpPauseMilliseconds: 300 });
    const before = await gpu.run(work);
    const { execPath } = process;
    // No process starts: as long as a driver is being reset.
    process.execPath = '/nowhere/node';
    try {
      process.kill(gpu.processId ?? Number.NaN, 'SIGKILL');
      await untilState(gpu, 'given-up');
      expect(engines.gpuState).toBe('given-up');
      expect(await gpu.ready(10_000), 'waits for a GPU that is given up').toBe(false);
      expect(await backendOf(engines)).toBe('cpu');
      const warnings = () => lines.filter(line => line.msg === 'the GPU process did not start').length;
      const tried = warnings();
      expect(tried).toBe(6);
      while (warnings() < tried + 2) await pause(20);
      expect(gpu.state).toBe('given-up');
    } finally {
      process.execPath = execPath;
    }
    await untilState(gpu, 'ready');
    expect(lines.at(-1)?.msg).toBe('the GPU is back');
    expect(lines.filter(line => line.msg === 'the GPU is given up for the time being')).toHaveLength(1);
    expect(await gpu.run(work)).toEqual(before);
    expect(await backendOf(engines)).toBe('gpu');
  });
});
