/**
 * A real browser: the Chromium of a development dependency, with WebGPU on its software driver. Linux x64 only, as the package is.
 */
import { type Browser, chromium as launcher } from 'playwright-core';

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

/** Starts the browser; close it. */
export async function openBrowser(): Promise<Browser> {
  const { default: chromium } = await import('@sparticuz/chromium');
  return launcher.launch({
    executablePath: await chromium.executablePath(),
    headless: true,
    args: ARGUMENTS,
    timeout: 0,
  });
}

/** The item of the session storage with the key of the console. */
export const KEY_ITEM = 'collateral-risk-console.key';
