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

/** Folder of the installed package with the driver. */
function packageFolder(): string {
  try {
    const entry = import.meta.resolve('@sparticuz/chromium');
    return fileURLToPath(entry.slice(0, entry.lastIndexOf('/build/')));
  } catch (cause) {
    throw new Error(
      'The software GPU needs the dev dependency @sparticuz/chromium: install with `npm ci` (without --omit=dev).',
      { cause },
    );
  }
}

/** Unpacks the driver next to its final place and renames it, so that two processes may do so at once. */
async function unpackDriver(archive: string, driverDir: string): Promise<void> {
  // A dependency of that package, without types. A variable, so that a build without it succeeds.
  const library = 'tar-fs';
  const { default: tar } = (await import(library)) as {
    readonly default: { extract(folder: string): NodeJS.WritableStream };
  };
  const cacheDir = path.dirname(driverDir);
  await mkdir(cacheDir, { recursive: true });
  const unpackDir = await mkdtemp(path.join(cacheDir, 'software-gpu-'));
  try {
    await pipeline(createReadStream(archive), createBrotliDecompress(), tar.extract(unpackDir));
    await rename(unpackDir, driverDir);
  } catch (error) {
    await rm(unpackDir, { recursive: true, force: true });
    if (!existsSync(path.join(driverDir, ICD_FILE))) throw error;
  }
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
  const from = packageFolder();
  const { version } = JSON.parse(readFileSync(path.join(from, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  // In the cache of the node_modules of the package.
  const driverDir = path.join(from, '..', '..', '.cache', `software-gpu-${version}`);
  if (!existsSync(path.join(driverDir, ICD_FILE)))
    await unpackDriver(path.join(from, 'bin/swiftshader.tar.br'), driverDir);
  const inherited = process.env.LD_LIBRARY_PATH;
  return {
    VK_DRIVER_FILES: path.join(driverDir, ICD_FILE),
    LD_LIBRARY_PATH: inherited ? `${driverDir}:${inherited}` : driverDir,
  };
}
