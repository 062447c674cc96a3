/**
 * Keeps the GARCH fits of the last windows: back-tests, and several questions about one day, fit the same window again.
 *
 * A fit is found by its symbol and its returns, all bits of them, so that what is remembered is what would be fitted.
 */
import { fitGarch, type GarchFit } from './garch-fit.ts';

/** Most fits; with ten years of days each takes 60 KiB with its key. */
const MAX_FITS = 1024;

const fits = new Map<string, GarchFit>();

/**
 * `fitGarch`, or what it gave for the same returns.
 *
 * @throws what `fitGarch` throws; a failure is not remembered
 */
export function rememberedFit(returns: Float64Array, symbol: string): GarchFit {
  const bits = Buffer.from(returns.buffer, returns.byteOffset, returns.byteLength).toString('latin1');
  const key = `${symbol} ${bits}`;
  const known = fits.get(key);
  const fit = known ?? fitGarch(returns, symbol);
  // The last used is last.
  fits.delete(key);
  fits.set(key, fit);
  if (fits.size > MAX_FITS) fits.delete(fits.keys().next().value as string);
  return fit;
}
