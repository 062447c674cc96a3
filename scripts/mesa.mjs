/**
 * Mesa's Vulkan drivers in build/mesa, without touching the system: llvmpipe, a second software GPU, and RADV, whose compiler for AMD GPUs
 * runs without one. Packages come from Debian 12 and its backports by apt, with lists and caches of their own, and are only unpacked.
 *
 * `eval "$(node scripts/mesa.mjs)"` sets the variables with which tests (SOFTWARE_GPU_DRIVER) and bench:shaders (MESA_DRIVERS) use them.
 * Needs apt-get, dpkg-deb and Debian's keys.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const VERSION = '25.0.7-2~bpo12+1';
const MIRROR = 'http://deb.debian.org/debian';
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** Libraries of every system; another copy would not fit its loader. */
const OF_SYSTEM = /^(libc6|gcc-\d+-base|libgcc-s1|libstdc\+\+6)_/;
const LIBRARIES = path.join('usr', 'lib', 'x86_64-linux-gnu');

const build = fileURLToPath(new URL('../build', import.meta.url));
const place = path.join(build, 'mesa');

/** Unpacks the drivers if necessary. @returns the folder of their manifests, and that of their libraries */
export function mesaDrivers() {
  const manifests = path.join(place, 'usr', 'share', 'vulkan', 'icd.d');
  const libraries = path.join(place, LIBRARIES);
  if (!existsSync(path.join(place, VERSION))) unpack(manifests, libraries);
  return { manifests, libraries };
}

function unpack(manifests, libraries) {
  const apt = path.join(build, 'mesa-apt');
  rmSync(apt, { recursive: true, force: true });
  rmSync(place, { recursive: true, force: true });
  for (const folder of ['lists/partial', 'cache/archives/partial', 'parts'])
    mkdirSync(path.join(apt, folder), { recursive: true });
  const write = (name, lines) => writeFileSync(path.join(apt, name), `${lines.join('\n')}\n`);
  write(
    'sources.list',
    ['bookworm', 'bookworm-backports'].map(suite => `deb [signed-by=${KEYS}] ${MIRROR} ${suite} main`),
  );
  // An empty list of installed packages: all that the drivers need is fetched.
  writeFileSync(path.join(apt, 'status'), '');
  write('apt.conf', [
    `Dir::State "${apt}"; Dir::State::lists "${apt}/lists"; Dir::State::status "${apt}/status"; Dir::Cache "${apt}/cache";`,
    `Dir::Etc::sourcelist "${apt}/sources.list"; Dir::Etc::sourceparts "${apt}/parts"; Dir::Etc::preferencesparts "${apt}/parts";`,
    'APT::Architecture "amd64"; APT::Install-Recommends "false"; APT::Sandbox::User "root"; Acquire::Retries "3";',
  ]);
  const env = { ...process.env, APT_CONFIG: path.join(apt, 'apt.conf') };
  const run = (command, ...sent) => execFileSync(command, sent, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  run('apt-get', 'update');
  const packages = [`mesa-vulkan-drivers=${VERSION}`, 'libvulkan1'];
  run(
    'apt-get',
    'install',
    '--download-only',
    '--yes',
    '--target-release',
    'bookworm-backports',
    ...packages,
  );
  const archives = path.join(apt, 'cache', 'archives');
  for (const file of readdirSync(archives).filter(each => each.endsWith('.deb') && !OF_SYSTEM.test(each)))
    run('dpkg-deb', '-x', path.join(archives, file), place);
  for (const file of readdirSync(manifests)) {
    const manifest = JSON.parse(readFileSync(path.join(manifests, file), 'utf8'));
    manifest.ICD.library_path = path.join(libraries, manifest.ICD.library_path);
    writeFileSync(path.join(manifests, file), JSON.stringify(manifest));
  }
  rmSync(apt, { recursive: true, force: true });
  writeFileSync(path.join(place, VERSION), '');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { manifests, libraries } = mesaDrivers();
  const inherited = process.env.LD_LIBRARY_PATH;
  const variables = {
    SOFTWARE_GPU_DRIVER: path.join(manifests, 'lvp_icd.json'),
    MESA_DRIVERS: manifests,
    LD_LIBRARY_PATH: inherited ? `${libraries}:${inherited}` : libraries,
  };
  for (const [name, value] of Object.entries(variables)) console.log(`export ${name}='${value}'`);
}
