/** What a check finds of files that an earlier version read wrongly: days, units of volumes and of funding, redenominations. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkStore, DEFAULT_BOUNDS } from '#src/market/check/check-store.js';
import { importFiles } from '#src/market/import/import-files.js';
import type { ImportOptions } from '#src/market/import/reading.js';
import { storeFilesAt } from '#src/market/store/store-files.js';
import { manifestOf, temporaryFolder, writeFiles } from '../../support/market-files.ts';

const NOW = new Date('2024-03-01T00:00:00Z');
const day = (i: number) => new Date(Date.UTC(2024, 0, i)).toISOString().slice(0, 10);
/** A constant sequence of closes, moved by days. */
const closes = (shift: number, scale: (i: number) => number, volume = 10) =>
  Array.from(
    { length: 59 },
    (_, i) => `${day(1 + i + shift)},${scale(i) * (100 + ((i * i * 7) % 23))},${volume}`,
  );
const HEADER = 'date,close,volume';

/** The findings of the kinds as `series: kind` with words of the message and the remedy. */
async function found(
  files: Readonly<Record<string, readonly string[]>>,
  kinds: readonly string[],
  options: ImportOptions = {},
): Promise<readonly string[]> {
  const store = join(temporaryFolder(), 'market');
  for (const [name, lines] of Object.entries(files)) {
    const paths = [join(writeFiles(temporaryFolder(), { [name]: lines }), name)];
    await importFiles({ store, paths, options, now: NOW });
  }
  const findings = await checkStore(storeFilesAt(store), await manifestOf(store), NOW, DEFAULT_BOUNDS);
  return findings
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ series, kind, message, remedy }) => `${series}: ${kind}: ${message} ${remedy}`);
}

it('Closes on the wrong days are found beside BTC, and none where the days are right', async () => {
  const files = (shift: number) => ({
    'binance_BTCUSDT_1d.csv': [HEADER, ...closes(0, () => 400)],
    'kraken_ETHUSD_1d.csv': [HEADER, ...closes(shift, () => 20)],
  });
  expect(await found(files(0), ['shift'])).toEqual([]);
  expect(await found(files(-1), ['shift'])).toEqual([
    expect.stringMatching(
      /^price of ETH\/USD kraken 1d: shift: .*BTC\/USDT binance 1d a day later.*--replace/,
    ),
  ]);
});

it('Volumes of contracts are found by a turnover that no market has', async () => {
  const files = (volume: number) => ({ 'binance_BTCUSD_1d.csv': [HEADER, ...closes(0, () => 400, volume)] });
  expect(await found(files(1000), ['volume'])).toEqual([]);
  // The import asks; an answer that is wrong slips in.
  expect(await found(files(1e6), ['volume'], { volumeUnit: 'base' })).toEqual([
    expect.stringMatching(
      /^price of BTC\/USD binance 1d: volume: the median turnover of a day is .*--volume-unit quote or none/,
    ),
  ]);
});

it('Funding rates in percentage points are found by their size', async () => {
  const files = (rate: number) => ({
    'binance_BTCUSDT_funding.csv': [
      'time,fundingRate',
      ...Array.from({ length: 40 }, (_, i) => `${Date.UTC(2024, 0, 1) + i * 28_800_000},${rate}`),
    ],
  });
  expect(await found(files(0.0001), ['funding'], { fundingUnit: 'fraction' })).toEqual([]);
  expect(await found(files(0.01), ['funding'], { fundingUnit: 'fraction' })).toEqual([
    expect.stringMatching(
      /^funding of BTC\/USDT binance 8h: funding: .*median of 0\.01.*--funding-unit percent and --replace/,
    ),
  ]);
});

it('A redenomination is found with the command that mends it', async () => {
  const files = { 'kraken_DOTUSD_1d.csv': [HEADER, ...closes(0, i => (i < 40 ? 1 : 0.001))] };
  expect(await found(files, ['jump'])).toEqual([
    expect.stringContaining('market rescale price DOT/USD kraken 1d --before 2024-02-10 --by 0.001.'),
  ]);
});
