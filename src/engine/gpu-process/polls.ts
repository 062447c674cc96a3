/**
 * Polls of Dawn's binding with pauses between them.
 *
 * The binding asks for the end of open promises through the global `setImmediate`, again on every turn of the event loop. While a
 * driver compiles a kernel, for tenths of a second, or a software driver runs one, this would take a whole processor from them.
 * Here a wait that lasts polls by a timer. Waits for runs of hardware stay as they are: they sleep for most of the expected time,
 * and their end is measured (core/gpu/submissions.ts).
 */

/** Milliseconds of a wait before its first pause: what is ready at once loses none. */
const FIRST_PAUSE_AFTER_MS = 1;
const PAUSE_MS = 1;

/** What the binding uses: the object with the global `setImmediate`, and the prototype of its devices. */
export interface Polling {
  readonly host: Pick<typeof globalThis, 'setImmediate' | 'setTimeout'>;
  readonly device: Pick<GPUDevice, 'createComputePipelineAsync'>;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

export interface Polls {
  /** Whether every wait has pauses, beside those for compilations. */
  pauseAlways: boolean;
}

type Action = (...given: unknown[]) => void;

/** Functions of native code with a prototype are the binding's: functions that resolve a promise have none. */
const isPoll = (action: Action) =>
  'prototype' in action && Function.prototype.toString.call(action).endsWith('{ [native code] }');

/** Replaces both functions by ones that pause between polls while a kernel of any device compiles. */
export function pauseBetweenPolls({ host, device, now }: Polling): Polls {
  const { setImmediate, setTimeout } = host;
  const { createComputePipelineAsync } = device;
  const polls: Polls = { pauseAlways: false };
  let compiling = 0;
  /** Beginning of the wait; undefined where the last poll asked for no other. */
  let since: number | undefined;
  let isDue = false;
  const soon = (action: Action, ...given: unknown[]) => {
    if (!isPoll(action)) return setImmediate(action, ...given);
    since ??= now();
    isDue = true;
    const poll = () => {
      isDue = false;
      action(...given);
      if (!isDue) since = undefined;
    };
    const hasPause = (polls.pauseAlways || compiling > 0) && now() - since >= FIRST_PAUSE_AFTER_MS;
    return hasPause ? setTimeout(poll, PAUSE_MS) : setImmediate(poll);
  };
  host.setImmediate = Object.assign(soon, setImmediate) as typeof setImmediate;
  device.createComputePipelineAsync = async function (this: GPUDevice, descriptor) {
    compiling++;
    try {
      return await createComputePipelineAsync.call(this, descriptor);
    } finally {
      compiling--;
    }
  };
  return polls;
}
