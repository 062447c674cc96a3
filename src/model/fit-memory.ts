/**
 * Stores the GARCH fits of the last windows: back-tests, and several requests of one day, fit the same window again. The key of a fit is its
 * symbol and all bits of its returns.
 */
import { fitGarch, type GarchFit } from './garch-fit.ts';

/** Most fits; with ten years of days each takes 60 KiB with its key. */
const MAX_FITS = 1024;

const fits = new Map<string, GarchFit>();

/** `fitGarch`, or its stored result for the same returns. @throws as `fitGarch`; failures are not stored */
export function rememberedFit(returns: Float64Array, symbol: string): GarchFit {
  const bits = Buffer.from(returns.buffer, returns.byteOffset, returns.byteLength).toString('latin1');
  const key = `${symbol} ${bits}`;
  const known = fits.get(key);
  const fit = known ?? fitGarch(returns, symbol);
  // The least recently used is first.
  fits.delete(key);
  fits.set(key, fit);
  if (fits.size > MAX_FITS) fits.delete(fits.keys().next().value as string);
  return fit;
}
