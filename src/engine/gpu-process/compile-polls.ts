/**
 * Polls of the binding while a kernel compiles: by a timer, not on every turn of the event loop.
 *
 * Dawn's binding asks for the end of an open promise through the global `setImmediate`, each time again. While a driver compiles
 * a kernel, for tenths of a second, this would take a whole processor beside that of the compiler. Waits for runs are not
 * changed: they sleep by themselves (core/gpu/submissions.ts).
 */

/** Milliseconds between two polls. A kernel compiles once, in a hundred times this or more. */
const POLL_MS = 2;

/** What the binding uses: the object with the global `setImmediate`, and the prototype of its devices. */
export interface Polling {
  readonly host: Pick<typeof globalThis, 'setImmediate' | 'setTimeout'>;
  readonly device: Pick<GPUDevice, 'createComputePipelineAsync'>;
}

/** Functions of native code with a prototype are the binding's: functions that resolve a promise have none. */
const isPoll = (action: object) =>
  'prototype' in action && Function.prototype.toString.call(action).endsWith('{ [native code] }');

/** Replaces both functions by ones that poll by the timer while a kernel of any device compiles. */
export function pollCompilationsByTimer({ host, device }: Polling): void {
  const { setImmediate, setTimeout } = host;
  const { createComputePipelineAsync } = device;
  let compiling = 0;
  host.setImmediate = Object.assign(
    (action: (...given: unknown[]) => void, ...given: unknown[]) =>
      compiling > 0 && isPoll(action)
        ? setTimeout(action, POLL_MS, ...given)
        : setImmediate(action, ...given),
    setImmediate,
  ) as typeof setImmediate;
  device.createComputePipelineAsync = async function (this: GPUDevice, descriptor) {
    compiling++;
    try {
      return await createComputePipelineAsync.call(this, descriptor);
    } finally {
      compiling--;
    }
  };
}
