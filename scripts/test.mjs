/**
 * Runs the tests against `dist`, which must have been built.
 *
 * `node scripts/test.mjs` runs all of them; shaders run on the software Vulkan driver where there is one (Linux x64),
 * else on the machine's own adapter. `--gpu` runs test/shader and test/engine on the machine's own adapter and
 * fails without one. Further arguments go to vitest.
 */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { softwareGpuEnvironment } from '../dist/engine/gpu-process/software-gpu.js';

const root = new URL('..', import.meta.url);
const sent = process.argv.slice(2);
const onOwnAdapter = sent[0] === '--gpu';
const vitestArguments = onOwnAdapter ? ['test/shader', 'test/engine', ...sent.slice(1)] : sent;

/** Ends this process where the machine has no adapter but a software one. In a process of its own: it opens a device. */
function requireAdapter() {
  const probe = `
    const { openDevice } = await import(${JSON.stringify(new URL('dist/engine/gpu-process/open-device.js', root).href)});
    const { description } = await openDevice({ allowSoftware: false });
    console.log('Adapter: ' + description.device);
    process.exit(0);
  `;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', probe], {
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error('npm run test:gpu needs a GPU that WebGPU can use; there is none.');
    process.exit(1);
  }
}

async function driverEnvironment() {
  if (onOwnAdapter) {
    requireAdapter();
    return {};
  }
  if (process.platform === 'linux' && process.arch === 'x64') return softwareGpuEnvironment();
  console.log(`No software GPU for ${process.platform} ${process.arch}: shaders run on its own adapter.`);
  return {};
}

// The Vulkan loader reads its variables when a process starts, so vitest is a process of its own.
const env = { ...process.env, ...(await driverEnvironment()) };
const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', root));
const child = spawn(process.execPath, [vitest, 'run', ...vitestArguments], { env, stdio: 'inherit' });
child.once('exit', code => process.exit(code ?? 1));
