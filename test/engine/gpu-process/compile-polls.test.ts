/** Polls of Dawn's binding while a kernel compiles. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Polling, pollCompilationsByTimer } from '#src/engine/gpu-process/compile-polls.js';
import { openTestGpu } from '../../support/gpu.ts';

/** A compilation that the test ends. */
interface Compilation {
  readonly resolve: (pipeline: GPUComputePipeline) => void;
  readonly reject: (error: Error) => void;
}

const PIPELINE = { label: 'loan gbm' } as GPUComputePipeline;
const DESCRIPTOR = { label: 'loan gbm' } as GPUComputePipelineDescriptor;

/** As the binding makes them: a function of native code with a prototype, which counts its calls here. */
function nativePoll(): { readonly poll: () => void; calls: () => number } {
  let calls = 0;
  const poll = Object.assign(
    () => {
      calls++;
    },
    { prototype: {} },
  );
  const asText = Function.prototype.toString;
  vi.spyOn(Function.prototype, 'toString').mockImplementation(function (this: unknown) {
    return this === poll ? 'function () { [native code] }' : asText.call(this);
  });
  return { poll, calls: () => calls };
}

describe('Polls of the binding', () => {
  let host: Polling['host'];
  let device: Polling['device'];
  let compilations: Compilation[];
  const immediately = vi.fn();
  const compile = () => device.createComputePipelineAsync.call(device as GPUDevice, DESCRIPTOR);

  beforeEach(() => {
    vi.useFakeTimers();
    compilations = [];
    host = { setImmediate: immediately as never, setTimeout: globalThis.setTimeout };
    device = {
      createComputePipelineAsync: vi.fn(
        () => new Promise<GPUComputePipeline>((resolve, reject) => compilations.push({ resolve, reject })),
      ),
    };
    pollCompilationsByTimer({ host, device });
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    immediately.mockReset();
  });

  it('wait two milliseconds while a kernel compiles', () => {
    const { poll, calls } = nativePoll();
    void compile();
    host.setImmediate(poll);
    expect(immediately).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(calls()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(calls()).toBe(1);
  });

  it('are immediate before a compilation, and after the last one, ended or failed', async () => {
    const { poll } = nativePoll();
    host.setImmediate(poll);
    expect(immediately).toHaveBeenCalledTimes(1);
    const first = compile();
    const second = compile();
    compilations[0].resolve(PIPELINE);
    expect(await first).toBe(PIPELINE);
    host.setImmediate(poll);
    expect(immediately).toHaveBeenCalledTimes(1);
    compilations[1].reject(new Error('not valid'));
    await expect(second).rejects.toThrow('not valid');
    host.setImmediate(poll);
    expect(immediately).toHaveBeenCalledTimes(2);
    expect(immediately).toHaveBeenLastCalledWith(poll);
  });

  it('are apart from other calls, which stay immediate with their arguments', () => {
    void compile();
    const action = (_count: number, _name: string) => {};
    host.setImmediate(action, 1, 'two');
    expect(immediately).toHaveBeenLastCalledWith(action, 1, 'two');
    const resolve = new Promise(host.setImmediate);
    expect(immediately).toHaveBeenCalledTimes(2);
    expect(resolve).toBeInstanceOf(Promise);
  });

  it('are those that the binding makes: a compilation of the software driver is polled by the timer', async () => {
    vi.useRealTimers();
    const { device: own } = await openTestGpu();
    // Texts that no kernel has: what was compiled before may be there at once.
    const compileWith = (value: number) => {
      const code = `@compute @workgroup_size(1) fn main() { _ = ${value}; }`;
      const module = own.createShaderModule({ code });
      return own.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint: 'main' } });
    };
    // With its end no poll is due that was made before the spy.
    await compileWith(1);
    const polls = vi.spyOn(globalThis, 'setImmediate');
    await compileWith(2);
    const timers = polls.mock.results.map(({ value }) => (value as object).constructor.name);
    expect(timers).toContain('Timeout');
  });
});
