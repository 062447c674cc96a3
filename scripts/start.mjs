/**
 * Serves from `dist`, which must have been built. With SOFTWARE_GPU=1 on the software Vulkan driver, whose variables
 * must be set before the process starts.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/main.js', import.meta.url);

if (process.env.SOFTWARE_GPU !== '1') {
  await import(main.href);
} else {
  const { softwareGpuEnvironment } = await import('./software-gpu.mjs');
  const child = spawn(process.execPath, [fileURLToPath(main)], {
    env: { ...process.env, ...(await softwareGpuEnvironment()) },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('exit', code => process.exit(code ?? 1));
}
