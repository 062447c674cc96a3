/**
 * Entry point of the GPU process: one device, one engine, messages in and out.
 *
 * The device has a separate process because a wait for it spins its thread, destroying it blocks, a driver may crash its
 * process, and a software driver must be in the environment before the process starts. The process ends when its device
 * fails; the server starts another.
 */

import type { RunOptions } from '../../core/engine.ts';
import { RiskError } from '../../core/errors.ts';
import { createGpuEngine, type GpuEngine } from '../../core/gpu/gpu-engine.ts';
import { warmUp } from '../../core/gpu/warm-up.ts';
import { leaveSignalsToServer } from '../../host/child-signals.ts';
import { toFailure } from './failure.ts';
import type { FromGpuProcess, GpuProcessOptions, ToGpuProcess } from './gpu-messages.ts';
import { openDevice } from './open-device.ts';
import { nodeHost } from './read-shader.ts';

const send = (message: FromGpuProcess) => process.send?.(message);

/** Sends the reason, then ends the process once the message is sent. */
function fail(error: unknown): void {
  process.send?.({ kind: 'failed', failure: toFailure(error) } satisfies FromGpuProcess, () =>
    process.exit(1),
  );
}

async function serve(engine: GpuEngine): Promise<void> {
  const aborts = new Map<number, AbortController>();
  const answer = (message: Extract<ToGpuProcess, { plan: unknown }>, options: RunOptions) => {
    if (message.kind === 'range') return engine.runRange(message.plan, message.range, options);
    return message.kind === 'run'
      ? engine.runOnDevice(message.plan, options)
      : engine.trace(message.plan, options);
  };
  const work = async (message: Extract<ToGpuProcess, { plan: unknown }>) => {
    const { id, watched } = message;
    const abort = new AbortController();
    aborts.set(id, abort);
    try {
      const options: RunOptions = {
        signal: abort.signal,
        ...(watched ? { onProgress: share => send({ kind: 'progress', id, share }) } : {}),
      };
      send({ kind: 'done', id, value: await answer(message, options) });
    } catch (error) {
      send({ kind: 'refused', id, failure: toFailure(error) });
    } finally {
      aborts.delete(id);
    }
  };
  process.on('message', (message: ToGpuProcess) => {
    if (message.kind === 'close') void engine.close().then(() => process.exit(0));
    else if (message.kind === 'abort') aborts.get(message.id)?.abort();
    else if (message.kind === 'ping') send({ kind: 'alive' });
    else void work(message);
  });
  send({ kind: 'ready', description: engine.description });
  // In the background, while requests are answered. A software device is a test device: it compiles on the first run.
  if (!engine.description.software) await warmUp(engine);
  send({ kind: 'warm' });
}

// Without its server the process has no purpose.
process.on('disconnect', () => process.exit(0));
leaveSignalsToServer();
try {
  const { allowSoftware } = JSON.parse(process.argv[2]) as GpuProcessOptions;
  const context = await openDevice({ allowSoftware });
  void context.failure.then(fail);
  await serve(createGpuEngine(context, nodeHost));
} catch (error) {
  fail(error instanceof RiskError ? error : new Error('The GPU could not be opened.', { cause: error }));
}
