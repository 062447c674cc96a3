/** The current version of a store, for commands that look at it once. */
import type { MarketRules } from '../rules.ts';
import { readCurrent } from './read-manifest.ts';
import { SeriesCache } from './series-cache.ts';
import { MarketStoreError } from './store-error.ts';
import { storeFilesAt } from './store-files.ts';
import { StoreSource } from './store-source.ts';

/** Opens the store at a folder or address. @throws MarketStoreError where there is none, or it cannot be read */
export async function openStoredVersion(location: string, rules: MarketRules): Promise<StoreSource> {
  const files = storeFilesAt(location);
  const current = await readCurrent(files);
  if (current?.manifest === undefined) {
    throw new MarketStoreError(
      `There is no market store at ${files.place}. Make one: npm run market -- import <file or folder>`,
    );
  }
  return StoreSource.open(files, current.manifest, rules, new SeriesCache());
}
