/** A GPU that is there and breaks at its work: what that costs the caller, and what the log says. No device is needed. */
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import { RiskError } from '#src/core/errors.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import type { ComputeChoice, EngineSet, UseOptions } from '#src/engine/engine-set.js';
import type { GpuProcessEngine } from '#src/engine/gpu-process/gpu-process-engine.js';
import { joinEngines } from '#src/engine/open-engine.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { loanPlan } from '../support/shader-plans.ts';

const cause = new Error('Kernel "loan" does not compile');
const failed = new RiskError('engine-failed', 'A GPU kernel could not be built.', { cause });
const lost = new RiskError('engine-unavailable', 'The GPU was lost.', { retryAfterSeconds: 5 });
const plan = loanPlan({ model: 'gbm', assets: 2, paths: 10_000, steps: 240 });
const otherModel = loanPlan({ model: 'garch', assets: 2, paths: 10_000, steps: 240 });

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly request_id?: string;
  readonly again?: string;
  readonly err?: { readonly message: string; readonly stack: string };
}

let cpu: Engine;
let lines: Line[];
const log = pino({ base: null }, { write: line => void lines.push(JSON.parse(line) as Line) });
beforeEach(() => {
  lines = [];
  cpu = openReferenceEngine({ threads: 2 });
});
afterEach(() => cpu.close());

/** Engines with a hardware GPU that breaks at whatever it is given, and the plans it was given. */
function openBroken(error: RiskError, cpuLimit = 1e12): { engines: EngineSet; tried: SimulationPlan[] } {
  const tried: SimulationPlan[] = [];
  const refuse = (plan: SimulationPlan) => {
    tried.push(plan);
    return Promise.reject(error);
  };
  const gpu: GpuProcessEngine = {
    description: { backend: 'gpu', device: 'a device that breaks', software: false },
    state: 'ready',
    available: true,
    processId: undefined,
    isWarm: true,
    counts: { losses: 0, restarts: 0 },
    ready: () => Promise.resolve(true),
    supports: () => true,
    run: refuse,
    trace: refuse,
    figuresOf: 'a device',
    chunks: () => undefined,
    runPart: () => Promise.reject(new Error('it does no parts')),
    mergeChunks: () => {
      throw new Error('it does no parts');
    },
    close: () => Promise.resolve(),
  };
  const limits = { cpu: cpuLimit, gpu: 1e12 };
  const engines = joinEngines({ reference: cpu, simd: undefined, gpu, reason: 'for the test', limits, log });
  return { engines, tried };
}

const ask = (engines: EngineSet, choice: ComputeChoice, asked = plan, options?: UseOptions) =>
  engines.use(asked, choice, engine => engine.run(asked), options);

describe('work at which the GPU fails', () => {
  it('is repeated on the CPU where the choice was auto, and the cause is an error in the log', async () => {
    const { engines } = openBroken(failed);
    const answer = await ask(engines, 'auto');
    expect(answer.engine.backend).toBe('cpu');
    expect(answer.value).toEqual(await cpu.run(plan));
    expect(lines).toMatchObject([{ level: 50, msg: 'the GPU failed; its work is done again', again: 'cpu' }]);
    expect(lines[0].err?.stack).toContain(cause.message);
  });

  it('avoids the GPU for a while where the choice is auto, while other work does not', {
    tags: ['slow'],
  }, async () => {
    const { engines, tried } = openBroken(failed);
    for (let i = 0; i < 3; i++) await ask(engines, 'auto');
    expect(tried).toEqual([plan]);
    expect(lines).toHaveLength(1);
    await ask(engines, 'auto', otherModel);
    expect(tried).toEqual([plan, otherModel]);
    await ask(engines, 'auto', plan, { runs: 4 });
    expect(tried).toEqual([plan, otherModel, plan]);
  });

  it('is reported where the choice was gpu, each time', async () => {
    const { engines, tried } = openBroken(failed);
    for (let i = 0; i < 2; i++) await expect(ask(engines, 'gpu')).rejects.toBe(failed);
    expect(tried).toHaveLength(2);
    expect(lines).toEqual([]);
  });

  it('is reported as a failure, not as too much work, where it is above the limit of the CPU', async () => {
    const { engines } = openBroken(failed, 1e6);
    for (let i = 0; i < 2; i++) await expect(ask(engines, 'auto')).rejects.toBe(failed);
  });
});

describe('the log line on repeated work', () => {
  it('is in the log of its request', async () => {
    for (const error of [lost, failed]) {
      const { engines } = openBroken(error);
      await ask(engines, 'auto', plan, { log: log.child({ request_id: 'r-17' }) });
    }
    expect(lines).toMatchObject([
      { level: 40, msg: 'the GPU was lost; its work is done again', request_id: 'r-17' },
      { level: 50, msg: 'the GPU failed; its work is done again', request_id: 'r-17' },
    ]);
  });
});

describe('work at which the GPUs of a fleet fail', () => {
  /** Engines whose GPU works, and is spread over a fleet that fails with `error`. */
  function openSpread(error: RiskError): EngineSet {
    const { engines: broken } = openBroken(failed);
    const gpu = Object.assign(Object.create(broken.gpu as object) as GpuProcessEngine, {
      run: (asked: SimulationPlan) => cpu.run(asked),
    });
    const spread = (_: SimulationPlan, engine: Engine): Engine =>
      engine === gpu
        ? Object.assign(Object.create(gpu) as Engine, {
            description: { ...gpu.description, device: 'fleet' },
            run: () => Promise.reject(error),
          })
        : engine;
    const limits = { cpu: 1e12, gpu: 1e12 };
    return joinEngines({ reference: cpu, simd: undefined, gpu, reason: 'for the test', limits, spread, log });
  }

  it.each([failed, lost])(
    'is repeated on the GPU of the process, which does not count as failed: %s',
    { tags: ['slow'] },
    async error => {
      const engines = openSpread(error);
      for (const choice of ['gpu', 'auto'] as const) {
        lines = [];
        const answer = await ask(engines, choice);
        expect(answer.engine.device).toBe('a device that breaks');
        expect(answer.value).toEqual(await cpu.run(plan));
        expect(lines.map(({ level }) => level)).toEqual([40]);
      }
    },
  );

  it('is refused where the work is invalid', async () => {
    const wrong = new RiskError('invalid-request', 'The request is not valid.');
    await expect(ask(openSpread(wrong), 'gpu')).rejects.toBe(wrong);
  });
});
