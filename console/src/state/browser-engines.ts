/** Which engines this browser has; asked once, in the worker. */
import { signal } from '@preact/signals';
import { probeBrowser } from '../compute/pool.ts';

export interface BrowserEngineState {
  readonly name?: string;
  /** Why the engine cannot be chosen. */
  readonly missing?: string;
}

export const browserEngines = signal<
  Readonly<Record<'browser-gpu' | 'browser-simd', BrowserEngineState>> | undefined
>(undefined);

/** Asks the worker once. */
export async function findBrowserEngines(): Promise<void> {
  try {
    const { gpu, simd } = await probeBrowser();
    browserEngines.value = { 'browser-gpu': gpu, 'browser-simd': simd };
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error);
    browserEngines.value = { 'browser-gpu': { missing }, 'browser-simd': { missing } };
  }
}
