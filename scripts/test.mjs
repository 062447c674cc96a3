/**
 * `node scripts/test.mjs ...` is `vitest run ...`; with `--gpu` first it runs what uses a GPU on the machine's own adapter, and
 * fails without one. Everything that tests need is made by test/support/global-setup.ts.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ON_THE_GPU = ['test/shader', 'test/engine', 'test/core/gpu', 'test/core/browser-bundle'];
const sent = process.argv.slice(2);
const onOwnAdapter = sent[0] === '--gpu';
const words = onOwnAdapter ? [...ON_THE_GPU, ...sent.slice(1)] : sent;
const env = onOwnAdapter ? { ...process.env, TEST_GPU: 'own' } : process.env;
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const child = spawn(process.execPath, [vitest, 'run', ...words], { env, stdio: 'inherit' });
child.once('exit', code => process.exit(code ?? 1));
