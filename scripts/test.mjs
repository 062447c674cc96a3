/**
 * `node scripts/test.mjs ...` is `vitest run ...`; with `--gpu` first it runs what uses a GPU, or the named files, on the machine's own
 * adapter, and fails without one; with `--rough` first it runs the named files on the software driver with functions as inexact as WGSL allows
 * (test/support/rough-device.ts), with `--fused` with the fused multiplications of a GPU (fused-device.ts). Everything that tests need is made by test/support/global-setup.ts.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ON_THE_GPU = ['test/shader', 'test/engine', 'test/core/gpu', 'test/core/browser-bundle'];
const sent = process.argv.slice(2);
const [first, ...rest] = sent;
const onOwnAdapter = first === '--gpu';
const device = onOwnAdapter ? 'own' : ['--rough', '--fused'].includes(first) ? first.slice(2) : undefined;
const isNamed = rest.some(word => word.startsWith('test/'));
const words = device === undefined ? sent : [...(onOwnAdapter && !isNamed ? ON_THE_GPU : []), ...rest];
const env = device === undefined ? process.env : { ...process.env, TEST_GPU: device };
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const child = spawn(process.execPath, [vitest, 'run', ...words], { env, stdio: 'inherit' });
child.once('exit', code => process.exit(code ?? 1));
