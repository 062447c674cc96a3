/** A GPU process that ends and comes back: with the same device, or with another, whose figures are not those of the first. */
import { afterEach, expect, it } from 'vitest';
import { type GpuProcessEngine, openGpuProcessEngine } from '#src/engine/gpu-process/gpu-process-engine.js';
import type { GpuProcess } from '#src/engine/gpu-process/start-gpu-process.js';
import { eventually } from '../../support/eventually.ts';
import { collectLog } from '../../support/log-lines.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let engine: GpuProcessEngine | undefined;
afterEach(() => engine?.close());

/** Processes with these devices, one after another, and a way to end the one in use. */
function processesWith(devices: readonly string[]) {
  const started: { device: string; closed: boolean; end: (why: Error) => void }[] = [];
  const start = async (): Promise<GpuProcess> => {
    const device = devices[Math.min(started.length, devices.length - 1)];
    let end = (_: Error) => {};
    const ended = new Promise<Error>(resolve => {
      end = resolve;
    });
    const own = { device, closed: false, end };
    started.push(own);
    return {
      description: { backend: 'gpu', device, software: false },
      processId: undefined,
      isWarm: started.length > 1,
      ended,
      watch: () => {},
      request: () => Promise.resolve(device),
      close: async () => {
        own.closed = true;
      },
    };
  };
  return { start, started };
}

it('A restarted GPU serves again where its device is the same', async () => {
  const { start, started } = processesWith(['A', 'A']);
  const clock = new ManualClock();
  engine = await openGpuProcessEngine({ software: false, log: collectLog().log, clock, start });
  expect(engine.isWarm).toBe(false);
  started[0].end(new Error('lost'));
  await eventually(() => engine?.state === 'restarting');
  clock.advance(250);
  await eventually(() => engine?.state === 'ready');
  // The second process has compiled its kernels.
  expect(engine.isWarm).toBe(true);
  expect(engine.counts).toEqual({ losses: 1, restarts: 1 });
});

it('A restarted GPU is unavailable while its device is another one, which the log names, and serves when the first is back', async () => {
  const { start, started } = processesWith(['A', 'B', 'A']);
  const clock = new ManualClock();
  const { log, lines } = collectLog();
  engine = await openGpuProcessEngine({ software: false, log, clock, start });
  started[0].end(new Error('lost'));
  await eventually(() => engine?.state === 'restarting');
  clock.advance(250);
  await eventually(() => started[1]?.closed === true && clock.pending > 0);
  expect(engine.state).toBe('restarting');
  expect(engine.counts.restarts).toBe(0);
  const told = () => JSON.stringify(lines.filter(({ msg }) => msg === 'the GPU process did not start'));
  expect(told()).toContain('The GPU is B now; this process serves with A only.');
  clock.advance(500);
  await eventually(() => engine?.state === 'ready');
  expect(engine.description.device).toBe('A');
  expect(engine.counts.restarts).toBe(1);
});
