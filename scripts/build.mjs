/**
 * `node scripts/build.mjs [--changed]`: builds the program, the kernels and the console into `dist`, writes the types of the
 * client and the methodologies of the page, puts the viewer of /docs and the closes of the scenarios beside the program, compresses the console, and makes the command line executable. With
 * `--changed` each step runs only where its inputs are not those of its last run, or its output is absent. The tests and
 * the check start with that.
 */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...parts) => path.join(root, ...parts);
/** Per step, its inputs at its last run. Removed with `dist`. */
const STAMPS = inRoot('dist/.inputs.json');
/** Made from `src`: no input of the console beside it. */
const GENERATED = 'console/src/generated';
const VIEWER = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'];

/** Runs a program to its end. Both outputs go to standard error: some scripts write a result to standard output. */
async function run(program, ...words) {
  const child = spawn(process.execPath, [inRoot(program), ...words], { cwd: root, stdio: ['ignore', 2, 2] });
  const code = await new Promise(resolve => child.once('exit', resolve));
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

async function finish() {
  const source = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const target = inRoot('dist/server/answers/docs-viewer');
  mkdirSync(target, { recursive: true });
  for (const file of VIEWER) copyFileSync(path.join(source, file), path.join(target, file));
  copyFileSync(inRoot('src/question/scenario/closes.csv'), inRoot('dist/question/scenario/closes.csv'));
  const { compressSite } = await import('../dist/server/transport/static-site.js');
  await compressSite(pathToFileURL(inRoot('dist/console/')));
  chmodSync(inRoot('dist/cli/main.js'), 0o755);
}

const STEPS = {
  program: {
    inputs: ['src', 'tsconfig.json', 'package.json', 'client/generate.mjs', 'console/generate.mjs'],
    outputs: ['client/schema.d.ts', `${GENERATED}/methodologies.ts`],
    async run() {
      const options = ['--incremental', '--tsBuildInfoFile', 'dist/.tsbuildinfo'];
      await run('node_modules/typescript/bin/tsc', '-p', '.', ...options);
      await run('client/generate.mjs');
      await run('console/generate.mjs');
    },
  },
  kernel: {
    inputs: ['kernel', 'package-lock.json'],
    async run() {
      await run('kernel/build-wasm.mjs');
      await run('kernel/build-native.mjs');
    },
  },
  console: {
    inputs: ['console', 'src', 'package.json', 'docs/choosing.md'],
    run: () =>
      run(
        'node_modules/vite/bin/vite.js',
        'build',
        'console',
        '--config',
        'console/vite.config.ts',
        '--logLevel',
        'warn',
      ),
  },
};

/** Of the path and content of each input. */
function stampOf(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    const isFolder = statSync(inRoot(input)).isDirectory();
    const files = isFolder ? readdirSync(inRoot(input), { recursive: true }).sort() : [''];
    for (const file of files) {
      const place = inRoot(input, file);
      if (!place.startsWith(inRoot(GENERATED)) && statSync(place).isFile())
        hash.update(`${input}/${file}\n`).update(readFileSync(place));
    }
  }
  return hash.digest('hex');
}

/** @param {boolean} changedOnly whether steps are left out whose inputs are those of their last run */
async function build(changedOnly) {
  const last = existsSync(STAMPS) ? JSON.parse(readFileSync(STAMPS, 'utf8')) : {};
  const stamps = Object.fromEntries(
    Object.entries(STEPS).map(([name, { inputs }]) => [name, stampOf(inputs)]),
  );
  const lacksOutput = ({ outputs = [] }) => outputs.some(output => !existsSync(inRoot(output)));
  const due = Object.keys(STEPS).filter(
    name => !changedOnly || stamps[name] !== last[name] || lacksOutput(STEPS[name]),
  );
  if (due.length === 0) return;
  mkdirSync(inRoot('dist'), { recursive: true });
  // A step that fails is due again.
  writeFileSync(
    STAMPS,
    JSON.stringify(Object.fromEntries(Object.entries(last).filter(([name]) => !due.includes(name)))),
  );
  // The console is made with the kernel, the types of the client and the methodologies of the page.
  await Promise.all(due.filter(name => name !== 'console').map(name => STEPS[name].run()));
  if (due.includes('console')) await STEPS.console.run();
  await finish();
  writeFileSync(STAMPS, JSON.stringify(stamps));
}

await build(process.argv.includes('--changed'));
