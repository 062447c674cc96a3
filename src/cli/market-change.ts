/** `market remove` and `market undo`: changes of a store that are no imports. */
import { readCurrent } from '../market/store/read-manifest.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { isAddress, storeFilesAt } from '../market/store/store-files.ts';
import { openStoreWriter, type StoreWriter } from '../market/store/store-writer.ts';
import { type MarketPlace, type Output, type SentOptions, UsageError } from './market-command.ts';

/** Leaves one series out. */
export async function runRemove(
  operands: readonly string[],
  _options: SentOptions,
  place: MarketPlace,
  output: Output,
): Promise<void> {
  // Quoted or not.
  const id = operands.join(' ').trim();
  if (id.split(' ').length < 4)
    throw new UsageError('remove needs a series: its kind and its name, as in price BTC/USDT binance 1d');
  await change(place, `remove ${id}`, async writer => writer.remove(id));
  output.out(`${id} is no longer in ${place.store}. market undo brings it back.\n`);
}

/** Goes back to the version before the last change; done twice it is as it was. */
export async function runUndo(
  operands: readonly string[],
  _options: SentOptions,
  place: MarketPlace,
  output: Output,
): Promise<void> {
  if (operands.length > 0) throw new UsageError('undo takes no further argument');
  await change(place, 'undo', writer => writer.undo());
  output.out(`${place.store} is as it was before the last change. market undo again takes this back.\n`);
}

/** @throws MarketStoreError where there is no store */
async function change(
  { store }: MarketPlace,
  source: string,
  edit: (writer: StoreWriter) => Promise<void>,
): Promise<void> {
  if (!isAddress(store) && (await readCurrent(storeFilesAt(store))) === undefined)
    throw new MarketStoreError(`There is no market store at ${store}.`);
  const writer = await openStoreWriter(store);
  try {
    await edit(writer);
    await writer.commit([{ source }], new Date());
  } finally {
    writer.close();
  }
}
