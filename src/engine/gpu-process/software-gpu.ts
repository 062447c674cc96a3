/**
 * The software GPU of tests and laptops: SwiftShader, a Vulkan driver that runs on the CPU, or another one of this machine.
 *
 * Unpacks SwiftShader once from the dev dependency @sparticuz/chromium to node_modules/.cache. Gives: the environment in which
 * a process finds the driver. The Vulkan loader reads the variables when it is loaded, so they must be set before the start of
 * the process that opens the device.
 *
 * `eval "$(node scripts/software-gpu.mjs)"` sets them in a shell. `SOFTWARE_GPU_DRIVER` is the manifest of another driver, such
 * as Mesa's llvmpipe: a second compiler for the same shaders.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';

const ICD_FILE = 'vk_swiftshader_icd.json';

/** The installed package with the driver, and with a browser for tests: its folder, and the folder of its unpacked files. */
export function chromiumPackage(): { readonly folder: string; cacheOf(name: string): string } {
  let folder: string;
  try {
    const entry = import.meta.resolve('@sparticuz/chromium');
    folder = fileURLToPath(entry.slice(0, entry.lastIndexOf('/build/')));
  } catch (cause) {
    throw new Error(
      'The software GPU needs the dev dependency @sparticuz/chromium: install with `npm ci` (without --omit=dev).',
      { cause },
    );
  }
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  // In the cache of the node_modules of the package.
  return { folder, cacheOf: name => path.join(folder, '..', '..', '.cache', `${name}-${version}`) };
}

/**
 * Makes a folder once, whole or not at all, also where two processes do so at once: it is filled next to its place and renamed.
 *
 * @param fill fills the folder whose path it gets
 */
export async function makeFolderOnce(
  place: string,
  fill: (folder: string) => Promise<unknown>,
): Promise<void> {
  if (existsSync(place)) return;
  await mkdir(path.dirname(place), { recursive: true });
  const folder = await mkdtemp(`${place}-`);
  try {
    await fill(folder);
    await rename(folder, place);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}

async function unpackDriver(archive: string, folder: string): Promise<void> {
  // A dependency of that package, without types. A variable, so that a build without it succeeds.
  const library = 'tar-fs';
  const { default: tar } = (await import(library)) as {
    readonly default: { extract(folder: string): NodeJS.WritableStream };
  };
  await pipeline(createReadStream(archive), createBrotliDecompress(), tar.extract(folder));
}

/**
 * Unpacks the software driver if necessary.
 *
 * @param manifest of another driver, whose library the loader finds by itself
 * @returns the variables to start a process with, library path included
 * @throws Error where the driver is not installed, the manifest is no file, or the machine is not Linux x64
 */
export async function softwareGpuEnvironment(
  manifest = process.env.SOFTWARE_GPU_DRIVER,
): Promise<Record<string, string>> {
  if (manifest) {
    if (!existsSync(manifest)) throw new Error(`SOFTWARE_GPU_DRIVER: there is no file ${manifest}.`);
    return { VK_DRIVER_FILES: manifest };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`The software GPU runs on Linux x64 only, not on ${process.platform} ${process.arch}.`);
  }
  const { folder, cacheOf } = chromiumPackage();
  const driverDir = cacheOf('software-gpu');
  await makeFolderOnce(driverDir, into => unpackDriver(path.join(folder, 'bin/swiftshader.tar.br'), into));
  const inherited = process.env.LD_LIBRARY_PATH;
  return {
    VK_DRIVER_FILES: path.join(driverDir, ICD_FILE),
    LD_LIBRARY_PATH: inherited ? `${driverDir}:${inherited}` : driverDir,
  };
}
