/**
 * A real browser: the Chromium of a development dependency, with WebGPU on its software driver. Linux x64 only, as the package is.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium as launcher } from 'playwright-core';
import { chromiumPackage, makeFolderOnce } from '#src/engine/gpu-process/software-gpu.js';

/** Whether this machine can run the browser. */
export const hasBrowser = process.platform === 'linux' && process.arch === 'x64';

/** The browser must ask no server but the one under test. */
const ARGUMENTS = [
  '--no-sandbox',
  '--enable-unsafe-webgpu',
  // Chromium 143 offers the software adapter only where it is named.
  '--use-webgpu-adapter=swiftshader',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

const UNPACK =
  "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();";

/**
 * The program of the browser. Its package unpacks it into the folder of temporary files and takes a file that is there for
 * whole, which it is not while another process unpacks.
 */
async function browserFile(): Promise<string> {
  const { folder, cacheOf } = chromiumPackage();
  const place = cacheOf('browser');
  await makeFolderOnce(place, TMPDIR =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], {
      cwd: folder,
      env: { ...process.env, TMPDIR },
    }),
  );
  return path.join(place, 'chromium');
}

/** Starts the browser; close it. */
export async function openBrowser(): Promise<Browser> {
  return launcher.launch({
    executablePath: await browserFile(),
    headless: true,
    args: ARGUMENTS,
    timeout: 0,
  });
}

/** The item of the session storage with the key of the console. */
export const KEY_ITEM = 'collateral-risk-console.key';
