/** Several reads of the market for one request, so that one refusal names all missing data. */
import { MissingMarketData } from './missing-data.ts';

/**
 * Waits for all reads.
 *
 * @returns their results in order
 * @throws MissingMarketData with the faults of every read that lacks data; else the error of the first failed read
 */
export async function readTogether<T extends readonly unknown[]>(
  reads: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const settled = await Promise.allSettled(reads);
  const reasons = settled.flatMap((read): unknown[] => (read.status === 'rejected' ? [read.reason] : []));
  const missing = reasons.filter(reason => reason instanceof MissingMarketData);
  if (reasons.length > missing.length) throw reasons.find(reason => !(reason instanceof MissingMarketData));
  if (missing.length > 0) throw MissingMarketData.of(missing);
  return settled.map(read => (read as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
