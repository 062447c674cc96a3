/**
 * Runs the tests against `dist`, which must have been built.
 *
 * `node scripts/test.mjs` runs all of them; shaders run on the software Vulkan driver where the machine can
 * (Linux x64), else on the machine's own adapter. `--gpu` runs test/shader and test/engine on the machine's own adapter and
 * fails without one. RISK_TEST_ADAPTER tells the tests which of the two it is: `software` or `hardware`.
 * Further arguments go to vitest.
 */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { softwareGpuEnvironment } from './software-gpu.mjs';

const [first, ...others] = process.argv.slice(2);
const onHardware = first === '--gpu';
const vitestArguments = onHardware ? ['test/shader', 'test/engine', ...others] : process.argv.slice(2);

const ADAPTER_PROBE = `
  import { create } from 'webgpu';
  const adapter = await create([]).requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null) { console.error('This machine has no GPU that WebGPU can use.'); process.exit(1); }
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  const name = [vendor, architecture, device, description].filter(Boolean).join(', ');
  if (isFallbackAdapter || /swiftshader|llvmpipe|null/i.test(name)) {
    console.error('The only adapter is software: ' + name); process.exit(1);
  }
  console.log('Adapter: ' + name);
  process.exit(0);
`;

/** @returns {Promise<Record<string, string>>} */
async function adapterEnvironment() {
  if (onHardware) {
    const probe = spawnSync(process.execPath, ['--input-type=module', '--eval', ADAPTER_PROBE], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: 'inherit',
    });
    if (probe.status !== 0) process.exit(1);
    return { RISK_TEST_ADAPTER: 'hardware' };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.log('No software GPU for this platform: shaders run on its own adapter.');
    return { RISK_TEST_ADAPTER: 'hardware' };
  }
  return { RISK_TEST_ADAPTER: 'software', ...(await softwareGpuEnvironment()) };
}

// The loader reads these variables when a process starts, so vitest is a process of its own.
const environment = { ...process.env, ...(await adapterEnvironment()) };
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const child = spawn(process.execPath, [vitest, 'run', ...vitestArguments], {
  env: environment,
  stdio: 'inherit',
});
child.once('exit', code => process.exit(code ?? 1));
