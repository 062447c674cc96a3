/** A GPU process that hangs: stopped by a signal, it neither ends nor answers. Time passes only where a test says so. */
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineSet } from '#src/engine/engine-set.js';
import { type GpuProcessEngine, openGpuProcessEngine } from '#src/engine/gpu-process/gpu-process-engine.js';
import { joinEngines } from '#src/engine/open-engine.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { loanPlan } from '../../support/shader-plans.ts';

/** Whether the environment of the tests has the software driver, or the machine's own adapter. */
const software = process.env.VK_DRIVER_FILES !== undefined;
const work = loanPlan({ model: 'gbm', assets: 2, paths: 10_000, steps: 240 });
const small = loanPlan({ model: 'gbm', assets: 2, paths: 100, steps: 24 });
/** Days of work on a software device. */
const long = loanPlan({ model: 'garch', assets: 2, paths: 10_000_000, steps: 87_600 });
const SECOND = 1000;
/** The pause before the first restart. */
const FIRST_PAUSE = 250;
const MINUTE = 60_000;

let clock: ManualClock;
let lines: { msg: string; why?: string; err?: { message: string } }[];
const log = pino({ base: null }, { write: line => void lines.push(JSON.parse(line)) });
const opened: { close(): Promise<void> }[] = [];
beforeEach(() => {
  clock = new ManualClock();
  lines = [];
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(engine => engine.close()));
});

/** Engines whose GPU passes for a real one, which `auto` may take. */
async function openSet() {
  const gpu = await openGpuProcessEngine({ software, log, clock });
  Object.defineProperty(gpu, 'description', { value: { ...gpu.description, software: false } });
  const limits = { cpu: 1e15, gpu: 1e15 };
  const cpu = openReferenceEngine({ threads: 2 });
  const engines = joinEngines({ reference: cpu, simd: undefined, gpu, reason: 'for the test', limits, log });
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

const messages = () => lines.map(line => line.msg);

describe('a GPU process that hangs', () => {
  it('is avoided by auto after three unanswered pings, until it answers again', {
    tags: ['slow'],
  }, async () => {
    const { gpu, engines } = await openSet();
    expect(await backendOf(engines)).toBe('gpu');
    const processId = freeze(gpu);
    clock.advance(3 * SECOND);
    expect(gpu.state).toBe('ready');
    clock.advance(SECOND);
    expect(gpu.state).toBe('stalled');
    expect(engines.gpuState).toBe('restarting');
    expect(await backendOf(engines)).toBe('cpu');
    await expect(gpu.run(work)).rejects.toMatchObject({ reason: 'engine-unavailable', retryAfterSeconds: 5 });
    process.kill(processId, 'SIGCONT');
    expect(await gpu.ready(MINUTE)).toBe(true);
    expect(gpu.processId).toBe(processId);
    expect(await backendOf(engines)).toBe('gpu');
    expect(messages()).toEqual(['the GPU does not answer', 'the GPU answers again']);
  });

  it('is killed after nine with a line in the log; its work is repeated, and the GPU is available again', {
    tags: ['slow'],
  }, async () => {
    const { gpu, engines } = await openSet();
    const before = await gpu.run(work);
    const processId = freeze(gpu);
    const answer = backendOf(engines);
    clock.advance(9 * SECOND);
    expect(gpu.state).toBe('stalled');
    clock.advance(SECOND);
    expect(await answer).toBe('cpu');
    const end = lines.find(line => line.msg === 'the GPU process ended');
    expect(end?.err?.message).toBe('The GPU process was killed: no sign of life for 10 s.');
    expect(gpu.state).toBe('restarting');
    clock.advance(FIRST_PAUSE);
    expect(await gpu.ready(MINUTE)).toBe(true);
    expect(gpu.processId).not.toBe(processId);
    expect(await gpu.run(work)).toEqual(before);
  });

  it('is avoided as soon as aborted work has not ended for two seconds, until it ends', {
    tags: ['slow'],
  }, async () => {
    const { gpu, engines } = await openSet();
    const processId = freeze(gpu);
    const abort = new AbortController();
    const given = gpu.run(work, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    clock.advance(2 * SECOND - 1);
    expect(gpu.state).toBe('ready');
    clock.advance(1);
    expect(gpu.state).toBe('stalled');
    expect(lines.at(-1)?.why).toBe('aborted work has not ended for 2 s');
    expect(await backendOf(engines)).toBe('cpu');
    process.kill(processId, 'SIGCONT');
    expect(await gpu.ready(MINUTE)).toBe(true);
    expect(await backendOf(engines)).toBe('gpu');
  });

  it('is not confused with a busy one, which answers while it compiles and computes', {
    tags: ['slow'],
  }, async () => {
    const { gpu } = await openSet();
    const abort = new AbortController();
    const given = expect(gpu.run(long, { signal: abort.signal })).rejects.toThrow('enough');
    for (let pings = 1; pings <= 5; pings++) {
      clock.advance(SECOND);
      await gpu.run(small);
      expect(gpu.state, `after ${pings} pings`).toBe('ready');
    }
    abort.abort(new Error('enough'));
    await given;
    // The timers of the abort go when the work has ended on the device; those of the pings stay.
    await eventually(() => clock.pending === 1);
    expect(messages()).toEqual([]);
  });

  it('does not prevent its server from closing, with or without work', async () => {
    const { gpu, engines } = await openSet();
    freeze(gpu);
    const lost = expect(gpu.run(work)).rejects.toMatchObject({ reason: 'engine-unavailable' });
    const closed = engines.close();
    clock.advance(10 * SECOND);
    await lost;
    await closed;

    const idle = await openSet();
    freeze(idle.gpu);
    const idleClosed = idle.gpu.close();
    // It is told to close once the work that was running has ended.
    await eventually(() => clock.pending === 2);
    clock.advance(5 * SECOND);
    await idleClosed;
    expect(clock.pending).toBe(0);
  });
});

describe('a GPU that has failed repeatedly', () => {
  it('is retried once a minute, with a warning each time, and serves when it is back', {
    tags: ['slow'],
  }, async () => {
    const { gpu, engines } = await openSet();
    const before = await gpu.run(work);
    const warnings = () => messages().filter(msg => msg === 'the GPU process did not start').length;
    const { execPath } = process;
    // No process starts: as long as a driver is being reset.
    process.execPath = '/nowhere/node';
    try {
      process.kill(gpu.processId ?? Number.NaN, 'SIGKILL');
      await eventually(() => gpu.state === 'restarting');
      for (let attempt = 0; attempt < 6; attempt++) {
        expect(gpu.state, `before attempt ${attempt}`).toBe('restarting');
        clock.advance(FIRST_PAUSE * 2 ** attempt - 1);
        expect(warnings()).toBe(attempt);
        clock.advance(1);
        await eventually(() => warnings() > attempt);
      }
      expect(gpu.state).toBe('given-up');
      expect(engines.gpuState).toBe('given-up');
      expect(await gpu.ready(MINUTE), 'waits for a GPU that is given up').toBe(false);
      expect(await backendOf(engines)).toBe('cpu');
      for (const warned of [7, 8]) {
        clock.advance(MINUTE);
        await eventually(() => warnings() === warned);
        expect(gpu.state).toBe('given-up');
      }
    } finally {
      process.execPath = execPath;
    }
    clock.advance(MINUTE);
    await eventually(() => gpu.state === 'ready');
    expect(lines.at(-1)?.msg).toBe('the GPU is back');
    expect(messages().filter(msg => msg === 'the GPU is given up for the time being')).toHaveLength(1);
    expect(await gpu.run(work)).toEqual(before);
    expect(await backendOf(engines)).toBe('gpu');
  });
});
