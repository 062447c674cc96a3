/**
 * Loaded before a server (`node --import`): its GPU process then destroys its device when it gets SIGUSR2, as a driver does
 * that is reset, and asks for its largest buffer when it gets SIGHUP.
 *
 * The server starts that process without arguments of Node's own, so this file adds itself to them.
 */
import childProcess, { type ForkOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const { fork } = childProcess;
/** GPUBufferUsage.STORAGE. */
const STORAGE = 128;

if (process.argv[1]?.endsWith('gpu-process.js')) {
  const { globals } = (await import('webgpu')) as unknown as {
    globals: { GPUAdapter: { prototype: { requestDevice(...asked: unknown[]): Promise<GPUDevice> } } };
  };
  const { prototype } = globals.GPUAdapter;
  const { requestDevice } = prototype;
  prototype.requestDevice = async function (...asked) {
    const device = await requestDevice.apply(this, asked);
    process.on('SIGUSR2', () => device.destroy());
    process.on('SIGHUP', () =>
      device.createBuffer({ size: device.limits.maxBufferSize, usage: STORAGE, mappedAtCreation: false }),
    );
    return device;
  };
} else {
  childProcess.fork = ((entry: string, words: string[], options: ForkOptions) =>
    fork(entry, words, { ...options, execArgv: ['--import', import.meta.url] })) as typeof fork;
  syncBuiltinESMExports();
}
