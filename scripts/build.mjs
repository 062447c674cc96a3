/**
 * `npm run build [-- --all]`: what is served and run, in `dist`, with the types of the client and the methodologies of the page.
 * A step runs where its inputs are not those of its last run: by content, so a checkout of other files and back builds nothing twice.
 * `--all` removes `dist` first: for a package, after another C compiler, or after another system.
 */

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...parts) => path.join(root, ...parts);
/** Per step, its inputs at its last run. */
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

function copyViewer() {
  const source = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const target = inRoot('dist/server/answers/docs-viewer');
  mkdirSync(target, { recursive: true });
  for (const file of VIEWER) copyFileSync(path.join(source, file), path.join(target, file));
}

/** Documents of the guide that are not in docs. */
const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'src/README.md',
  'shaders/README.md',
  'client/README.md',
  'clients/python/README.md',
];
const EVERY_STEP = ['package-lock.json', 'scripts/build.mjs'];
const STEPS = {
  program: {
    inputs: ['src', 'tsconfig.json', 'package.json', 'client/generate.mjs', 'console/generate.mjs'],
    outside: [
      'client/schema.d.ts',
      'client/interface.js',
      'dist/interface.json',
      'dist/openapi.json',
      'dist/openapi-without-plans.json',
      `${GENERATED}/methodologies.ts`,
    ],
    async run() {
      const options = ['--incremental', '--tsBuildInfoFile', 'dist/.tsbuildinfo'];
      await run('node_modules/typescript/bin/tsc', '-p', '.', ...options);
      chmodSync(inRoot('dist/cli/main.js'), 0o755);
      copyFileSync(inRoot('src/question/scenario/closes.csv'), inRoot('dist/question/scenario/closes.csv'));
      copyViewer();
      await run('client/generate.mjs');
      await run('console/generate.mjs');
    },
  },
  kernel: {
    inputs: ['kernel'],
    outside: [],
    async run() {
      await run('kernel/build-wasm.mjs');
      await run('kernel/build-native.mjs');
    },
  },
  notices: {
    inputs: ['package.json', 'scripts/notices.mjs'],
    outside: ['dist/THIRD-PARTY-NOTICES.txt', 'dist/sbom.cdx.json'],
    run: () => run('scripts/notices.mjs'),
  },
  console: {
    inputs: ['console', 'src', 'shaders', 'kernel', 'client/index.js', 'client/patient.js', 'package.json'],
    outside: [],
    async run() {
      const options = ['--config', 'console/vite.config.ts', '--logLevel', 'warn'];
      await run('node_modules/vite/bin/vite.js', 'build', 'console', ...options);
      const licence = inRoot('node_modules/@fontsource/inter/LICENSE');
      copyFileSync(licence, inRoot('dist/console/assets/inter-licence.txt'));
      const { compressSite } = await import('../dist/server/transport/static-site.js');
      await compressSite(pathToFileURL(inRoot('dist/console/')));
    },
  },
  guide: {
    inputs: ['docs', ...DOCUMENTS, 'console/src/style.css', 'src/server/transport/static-site.ts'],
    outside: ['dist/guide/llms.txt'],
    async run() {
      await run('docs/tools/make-guide.mjs');
    },
  },
};

const stamps = new Map();
/** The stamp of a file or folder: of the paths and the content of its files. */
function stampOf(input) {
  if (!stamps.has(input)) {
    const hash = createHash('sha256');
    const isFolder = statSync(inRoot(input)).isDirectory();
    const files = isFolder ? readdirSync(inRoot(input), { recursive: true }).sort() : [''];
    for (const file of files) {
      const place = inRoot(input, file);
      if (!place.startsWith(inRoot(GENERATED)) && statSync(place).isFile())
        hash.update(`${file}\n`).update(readFileSync(place));
    }
    stamps.set(input, hash.digest('hex').slice(0, 16));
  }
  return stamps.get(input);
}

/** Lines that git writes in the root; undefined where it fails. */
function git(...words) {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** What the build is made from, and the shaders, which it reads as they are. */
const SOURCES = [
  ...new Set([...Object.values(STEPS).flatMap(({ inputs }) => inputs), ...EVERY_STEP, 'shaders']),
];

/**
 * The name of the build: the commit where its sources are those of one, else `build.` and their digest. A folder within another
 * repository has no commit.
 */
function buildName() {
  const top = git('rev-parse', '--show-toplevel');
  const isCheckout = top !== undefined && realpathSync(top) === realpathSync(root);
  if (isCheckout && git('status', '--porcelain', '--', ...SOURCES) === '')
    return git('rev-parse', '--short=12', 'HEAD');
  const digest = createHash('sha256').update(SOURCES.map(stampOf).join(' ')).digest('hex');
  return `build.${digest.slice(0, 12)}`;
}

/** Writes the name of the build where it has changed: documents alone make a new commit, too. */
function writeBuildName() {
  const file = inRoot('dist/build.json');
  const text = `${JSON.stringify({ build: buildName() })}\n`;
  mkdirSync(inRoot('dist'), { recursive: true });
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

async function build() {
  const last = existsSync(STAMPS) ? JSON.parse(readFileSync(STAMPS, 'utf8')) : {};
  const now = Object.fromEntries(
    Object.entries(STEPS).map(([name, { inputs }]) => [
      name,
      [...inputs, ...EVERY_STEP].map(stampOf).join(' '),
    ]),
  );
  const due = Object.entries(STEPS)
    .filter(
      ([name, { outside }]) => now[name] !== last[name] || outside.some(file => !existsSync(inRoot(file))),
    )
    .map(([name]) => name);
  writeBuildName();
  if (due.length === 0) return;
  // A step that fails is due again.
  for (const name of due) delete last[name];
  writeFileSync(STAMPS, JSON.stringify(last));
  // The console is made with the kernel, the types of the client and the methodologies of the page; both sites are packed by the program.
  const sites = ['console', 'guide'];
  await Promise.all(due.filter(name => !sites.includes(name)).map(name => STEPS[name].run()));
  await Promise.all(due.filter(name => sites.includes(name)).map(name => STEPS[name].run()));
  writeFileSync(STAMPS, JSON.stringify(now));
}

if (process.argv.includes('--all')) rmSync(inRoot('dist'), { recursive: true, force: true });
await build();
