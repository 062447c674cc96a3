/**
 * Makes a self-contained bundle for any Linux x64 host with a GPU: Node, the addon, the built project, what its bench and
 * tests need, the Vulkan loader. Nothing has to be installed there and nothing is fetched.
 *
 * `node scripts/make-gpu-bundle.mjs [--peers FOLDER] [--out FILE | --folder FOLDER]` after `npm run build && npx tsc -p bench/tsconfig.json`;
 * `npm run bundle` does all of it. The bundle has the layout of the repository, so that every program finds its files.
 * Needs tar, xz and dpkg-deb; the loader comes from Debian's libvulkan1, or without apt from the software driver's archive.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { softwareGpuEnvironment } from '../dist/engine/gpu-process/software-gpu.js';

const NAME = 'risk-engine-gpu';
const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...parts) => path.join(root, ...parts);

/** Beside the production dependencies: the load generator, and what the tests run on. */
const DEVELOPMENT_PACKAGES = ['autocannon', 'vitest', 'fast-check', 'webgpu-utils'];
/** Only `market sync` imports it. */
const MARKET_PACKAGES = ['ccxt'];
/** With the repository, 12 MiB, a bundle of this size fits into an upload of 64 MiB. */
const MOST_MEBIBYTES = 50;
const FILES = [
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'LICENSE',
  'dist',
  'shaders',
  'build/bench',
  'build/test/support',
  'bench/peers',
  'scripts/test.mjs',
  'test/support',
  'test/fixtures',
  'test/shader',
  'test/engine',
];
/** The package that the software driver comes from. */
const SOFTWARE_PACKAGE = path.join('node_modules', '@sparticuz', 'chromium');
/** What no program reads at run time. */
const LEFT_OUT = /\.(map|d\.[cm]?ts|md|markdown|flow)$/i;
/** Libraries of the X client and of EGL that NVIDIA's driver needs even where there is no display. */
const DRIVER_PACKAGES = [
  ...['libx11-6', 'libxext6', 'libxcb1', 'libxau6', 'libxdmcp6', 'libbsd0', 'libmd0'],
  ...['libegl1', 'libglvnd0'],
];

const { values: options } = parseArgs({
  options: {
    peers: { type: 'string' },
    out: { type: 'string', default: inRoot('build', `${NAME}.tar.xz`) },
    // Makes the folder and packs nothing: to try the bundle here.
    folder: { type: 'string' },
  },
});
if (process.platform !== 'linux' || process.arch !== 'x64') {
  throw new Error(`The bundle is made on Linux x64, not on ${process.platform} ${process.arch}.`);
}

const work = mkdtempSync(path.join(tmpdir(), `${NAME}-`));
try {
  const bundle = path.join(work, NAME);
  mkdirSync(bundle);
  copyFileSync(process.execPath, path.join(bundle, 'node'));
  chmodSync(path.join(bundle, 'node'), 0o755);
  copyFileSync(inRoot('scripts', 'gpu-bundle-run.sh'), path.join(bundle, 'run.sh'));
  chmodSync(path.join(bundle, 'run.sh'), 0o755);
  for (const file of FILES) copy(inRoot(file), path.join(bundle, file));
  if (options.peers !== undefined) copy(path.resolve(options.peers), path.join(bundle, 'peers'));
  buildCuda(bundle, options.peers);
  writeFileSync(path.join(bundle, 'COMMIT'), `${commit()}\n`);
  const { dependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const production = Object.keys(dependencies).filter(name => !MARKET_PACKAGES.includes(name));
  for (const folder of packagesOf([...production, ...DEVELOPMENT_PACKAGES])) {
    copy(inRoot(folder), path.join(bundle, folder));
  }
  await copyDrivers(bundle);
  if (options.folder === undefined) pack();
  else cpSync(bundle, options.folder, { recursive: true, verbatimSymlinks: true });
} finally {
  rmSync(work, { recursive: true, force: true });
}

function pack() {
  mkdirSync(path.dirname(options.out), { recursive: true });
  rmSync(options.out, { force: true });
  execFileSync('tar', [
    '-C',
    work,
    '-c',
    '--owner=0',
    '--group=0',
    '-I',
    'xz -9 -T0',
    '-f',
    options.out,
    NAME,
  ]);
  const mebibytes = statSync(options.out).size / 2 ** 20;
  console.log(`${path.relative(process.cwd(), options.out)}: ${mebibytes.toFixed(1)} MiB`);
  if (mebibytes > MOST_MEBIBYTES) throw new Error(`The bundle has more than ${MOST_MEBIBYTES} MiB.`);
}

/** Copies a file or a folder without what is left out. Every file that is named must be there. */
function copy(from, to) {
  if (!existsSync(from))
    throw new Error(`${path.relative(root, from)} is missing: build the project and the bench first.`);
  cpSync(from, to, {
    recursive: true,
    filter: source =>
      !LEFT_OUT.test(source) && path.basename(source) !== '__pycache__' && !isOtherPlatform(source),
  });
}

/** The CUDA programs of the bench, for a host that has a GPU and no compiler; bench/peers.ts looks for them there. */
function buildCuda(bundle, peers) {
  const programs = {
    'w1-shader': inRoot('bench/peers/w1_shader.cu'),
    'w1-philox': inRoot('bench/peers/w1_philox.cu'),
    ...(peers === undefined ? {} : { 'w1-cuda': path.resolve(peers, 'w1.cu') }),
  };
  const folder = path.join(bundle, 'build', 'cuda');
  mkdirSync(folder, { recursive: true });
  for (const [name, source] of Object.entries(programs)) {
    // Machine code for H100 and H200, and PTX for newer GPUs.
    const targets = ['-gencode', 'arch=compute_90,code=[sm_90,compute_90]'];
    const out = path.join(folder, name);
    try {
      execFileSync('nvcc', ['-O3', '-use_fast_math', '-std=c++17', ...targets, '-o', out, source], {
        stdio: 'pipe',
      });
    } catch (error) {
      const why =
        error.code === 'ENOENT' ? 'there is no nvcc here' : String(error.stderr).trim().split('\n')[0];
      console.log(`The bundle has no ${name}, ${why}: the host must have nvcc for it.`);
    }
  }
}

/** The GPU addon comes for five platforms. */
function isOtherPlatform(source) {
  const dist = path.join('node_modules', 'webgpu', 'dist');
  const at = source.lastIndexOf(`${dist}${path.sep}`);
  return at >= 0 && !source.slice(at + dist.length + 1).startsWith('linux-x64');
}

/** Folders, relative to the root, of packages and of all that they need; optional ones only where they are installed. */
function packagesOf(names) {
  const found = new Set();
  const visit = (name, from, optional) => {
    const folder = resolvePackage(name, from);
    if (folder === undefined) {
      if (optional) return;
      throw new Error(`The package ${name} is not installed: run npm ci.`);
    }
    if (found.has(folder)) return;
    found.add(folder);
    const manifest = JSON.parse(readFileSync(inRoot(folder, 'package.json'), 'utf8'));
    const peers = Object.entries(manifest.peerDependenciesMeta ?? {});
    const optionalPeers = peers.filter(([, { optional }]) => optional).map(([each]) => each);
    const optionalNames = new Set([...Object.keys(manifest.optionalDependencies ?? {}), ...optionalPeers]);
    const needed = Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    });
    // Peers that a package can do without are tools of development: what the bundle needs of them is named above.
    for (const each of needed.filter(each => !optionalPeers.includes(each)))
      visit(each, folder, optionalNames.has(each));
  };
  for (const name of names) visit(name, '', false);
  // A nested package is copied with the one it lies in.
  return [...found].filter(folder => ![...found].some(other => folder.startsWith(`${other}/node_modules/`)));
}

/** The folder that Node would find a package in, from a package's own folder upwards. */
function resolvePackage(name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name);
    if (existsSync(inRoot(candidate, 'package.json'))) return candidate;
    if (folder === '' || folder === '.') return undefined;
  }
}

/** The software driver where softwareGpuEnvironment looks for it; the loader and the X libraries where run.sh does. */
async function copyDrivers(bundle) {
  const { VK_DRIVER_FILES } = await softwareGpuEnvironment();
  const software = path.dirname(VK_DRIVER_FILES);
  copy(software, path.join(bundle, path.relative(root, software)));
  // softwareGpuEnvironment reads the version of the package; its archive is unpacked already.
  for (const part of ['package.json', 'build'])
    copy(inRoot(SOFTWARE_PACKAGE, part), path.join(bundle, SOFTWARE_PACKAGE, part));
  const loader = path.join(bundle, 'lib', 'vulkan');
  mkdirSync(loader, { recursive: true });
  if (!fetchLibraries(['libvulkan1'], loader)) {
    console.log("No apt: the Vulkan loader is the software driver's.");
    copyFileSync(path.join(software, 'libvulkan.so.1'), path.join(loader, 'libvulkan.so.1'));
  }
  const x = path.join(bundle, 'lib', 'x');
  mkdirSync(x);
  if (!fetchLibraries(DRIVER_PACKAGES, x))
    console.log('No apt: the host must have libX11.so.6, libXext.so.6 and libEGL.so.1.');
}

/** Takes the shared libraries out of Debian packages; false where the packages cannot be had. */
function fetchLibraries(packages, target) {
  const folder = mkdtempSync(path.join(work, 'packages-'));
  try {
    execFileSync('apt-get', ['download', ...packages], { cwd: folder, stdio: 'pipe' });
  } catch {
    return false;
  }
  for (const file of readdirSync(folder).filter(each => each.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['-x', path.join(folder, file), path.join(folder, 'unpacked')]);
  }
  const libraries = path.join(folder, 'unpacked', 'usr', 'lib', 'x86_64-linux-gnu');
  for (const file of readdirSync(libraries).filter(each => each.includes('.so'))) {
    cpSync(path.join(libraries, file), path.join(target, file), { verbatimSymlinks: true });
  }
  return true;
}

function commit() {
  try {
    const git = (...sent) => execFileSync('git', sent, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
    return (
      git('rev-parse', '--short', 'HEAD') +
      (git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+')
    );
  } catch {
    return 'unknown';
  }
}
