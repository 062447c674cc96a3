/** Which series stay in memory. */
import { expect, it } from 'vitest';
import type { Series } from '#src/market/series.js';
import { SeriesCache } from '#src/market/store/series-cache.js';

const seriesOf = (values: number): Series => ({ first: 0, values: new Float64Array(values) });

/** A cache of `values` numbers, and the names that were read, in order. */
function cacheOf(values: number) {
  const cache = new SeriesCache(8 * values);
  const reads: string[] = [];
  const get = async (name: string, length: number | undefined) => {
    const series = await cache.get(name, async () => {
      reads.push(name);
      return length === undefined ? undefined : seriesOf(length);
    });
    // The size of a series is known once its reader has it.
    await Promise.resolve();
    return series;
  };
  return { cache, reads, get };
}

it('A series is read once, also by two at the same time, and also where there is none', async () => {
  const { reads, get } = cacheOf(10);
  const [one, two] = await Promise.all([get('a', 3), get('a', 3)]);
  expect(one).toBe(two);
  expect(await get('none', undefined)).toBeUndefined();
  expect(await get('none', undefined)).toBeUndefined();
  expect(reads).toEqual(['a', 'none']);
});

it('The least recently used leave the cache beyond its size, and no sooner', async () => {
  const { reads, get } = cacheOf(10);
  for (const [name, length] of [
    ['a', 4],
    ['b', 3],
    ['c', 3],
    // Ten numbers fit; `a` was used last.
    ['a', 4],
    ['d', 1],
    // `b` has gone.
    ['c', 3],
    ['a', 4],
    ['d', 1],
    ['b', 3],
    // `c` has gone, and no more than that.
    ['a', 4],
    ['d', 1],
    ['c', 3],
  ] as const)
    await get(name, length);
  expect(reads).toEqual(['a', 'b', 'c', 'd', 'b', 'c']);
});

it('A series larger than the cache stays until the next one', async () => {
  const { reads, get } = cacheOf(2);
  await get('a', 1);
  await get('large', 5);
  await get('large', 5);
  await get('a', 1);
  await get('a', 1);
  await get('large', 5);
  expect(reads).toEqual(['a', 'large', 'a', 'large']);
});

it('A read that failed is repeated', async () => {
  const { cache } = cacheOf(2);
  await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await cache.get('a', async () => seriesOf(1))).toEqual(seriesOf(1));
});

it('A read that ends after its series has left does not count, once or twice', async () => {
  const { cache, reads, get } = cacheOf(2);
  const ends: (() => void)[] = [];
  const slow = () => new Promise<Series>(resolve => ends.push(() => resolve(seriesOf(2))));
  const first = cache.get('slow', slow);
  // Leaves before it is read, and is asked for again.
  await get('large', 3);
  const second = cache.get('slow', slow);
  ends.map(end => end());
  await Promise.all([first, second]);
  await Promise.resolve();
  // `large` went for the second one, which fills the cache; only it goes for another.
  await get('b', 2);
  await get('b', 2);
  expect(reads).toEqual(['large', 'b']);
  await get('c', 1);
  await get('d', 1);
  await get('c', 1);
  expect(reads).toEqual(['large', 'b', 'c', 'd']);
});
