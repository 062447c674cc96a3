/** The version of a store that is current: pointer, then manifest. */
import { marketCommand } from '../../host/market-command.ts';
import { type Manifest, POINTER, parsePointer, readManifest } from './manifest.ts';
import { MarketStoreError } from './store-error.ts';
import type { StoreFiles } from './store-files.ts';

/**
 * The current manifest; undefined without a store.
 *
 * @param known path of a manifest that the caller has already: undefined is returned for `manifest` if it is still current
 */
export async function readCurrent(
  files: StoreFiles,
  known?: string,
): Promise<{ readonly path: string; readonly manifest: Manifest | undefined } | undefined> {
  const pointer = await files.readPointer();
  if (pointer === undefined) return undefined;
  const path = parsePointer(pointer, `${files.place}/${POINTER}`);
  if (path === known) return { path, manifest: undefined };
  const text = new TextDecoder().decode(await files.read(path));
  return { path, manifest: await readManifest(text, `${files.place}/${path}`) };
}

/** The current manifest, for commands that read it once. @throws MarketStoreError where there is no store */
export async function readExisting(files: StoreFiles): Promise<Manifest> {
  const manifest = (await readCurrent(files))?.manifest;
  if (manifest !== undefined) return manifest;
  throw new MarketStoreError(
    `There is no market store at ${files.place}. Make one: ${marketCommand()} import <file or folder>`,
  );
}
