/** Changes of a store: what a version has, what is refused, and which files stay. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EMPTY_MANIFEST, manifestText, sha256, versionOf } from '#src/market/store/manifest.js';
import { makeRows, type Rows } from '#src/market/store/rows.js';
import type { SeriesKey, Timeframe } from '#src/market/store/series-key.js';
import { MarketStoreError } from '#src/market/store/store-error.js';
import { openStoreWriter } from '#src/market/store/store-writer.js';
import { manifestOf, temporaryFolder, writeFiles } from '../../support/market-files.ts';

const HOUR_MS = 3_600_000;
const AT = new Date('2024-06-01T00:00:00Z');
const keyOf = (asset: string, timeframe: Timeframe = '1h'): SeriesKey => ({
  kind: 'price',
  asset,
  quote: 'USD',
  exchange: 'kraken',
  timeframe,
});

/** Rows at the first hours, with these closes; NaN leaves an hour out. */
function rowsOf(closes: readonly number[], volume = Number.NaN): Rows {
  const hours = [...closes.keys()].filter(i => !Number.isNaN(closes[i]));
  const rows = makeRows(hours.length);
  rows.hours.set(hours.map(hour => 500_000 + hour));
  rows.numbers.close.set(hours.map(hour => closes[hour]));
  rows.numbers.volume[rows.hours.length - 1] = volume;
  rows.imports.fill(7);
  return rows;
}

type Writer = Awaited<ReturnType<typeof openStoreWriter>>;
/** Changes a store, and says whether there is a new version. */
async function change(store: string, use: (writer: Writer) => unknown, at = AT): Promise<boolean> {
  const writer = await openStoreWriter(store);
  try {
    await use(writer);
    return await writer.commit([{ source: 'test' }], at);
  } finally {
    writer.close();
  }
}
const add = (store: string, asset: string, ...closes: number[]) =>
  change(store, writer => writer.merge(keyOf(asset), rowsOf(closes)));

async function storeOf(...assets: string[]): Promise<string> {
  const store = join(temporaryFolder(), 'market');
  for (const asset of assets) await add(store, asset, 1, 2);
  return store;
}

describe('A version', () => {
  it('states its series in order, with their rows, gaps, hours and files', async () => {
    const store = join(temporaryFolder(), 'market');
    await change(store, async writer => {
      expect(writer.importNumber).toBe(1);
      await writer.merge(keyOf('ETH'), rowsOf([1, Number.NaN, Number.NaN, 4, 5], 9));
      await writer.merge(keyOf('BTC'), rowsOf([1]));
      expect(writer.keys).toEqual([]);
    });
    const { series, ...rest } = await manifestOf(store);
    expect(rest).toEqual({
      format: 2,
      version: versionOf(series),
      writtenAt: '2024-06-01T00:00:00.000Z',
      imports: 1,
    });
    expect(series.map(({ content, file, bytes, columns, ...facts }) => facts)).toEqual([
      { ...keyOf('BTC'), rows: 1, gaps: 0, volumes: false, firstHour: 500_000, lastHour: 500_000 },
      { ...keyOf('ETH'), rows: 3, gaps: 2, volumes: true, firstHour: 500_000, lastHour: 500_004 },
    ]);
    for (const { file, bytes } of series) {
      const written = readFileSync(join(store, file));
      expect(file).toBe(`series/${sha256(written)}.parquet`);
      expect(written).toHaveLength(bytes);
    }
    const text = manifestText({ series, ...rest } as Parameters<typeof manifestText>[0]);
    expect(JSON.parse(readFileSync(join(store, 'CURRENT'), 'utf8'))).toEqual({
      manifest: `manifests/${sha256(text)}.json`,
    });
    expect(JSON.parse(readFileSync(join(store, 'imports/1.json'), 'utf8'))).toEqual({
      import: 1,
      at: '2024-06-01T00:00:00.000Z',
      sources: [{ source: 'test' }],
    });
  });

  it('is not made where nothing has changed, or nothing is there', async () => {
    const store = join(temporaryFolder(), 'market');
    expect(await change(store, () => {})).toBe(false);
    expect(existsSync(join(store, 'CURRENT'))).toBe(false);
    expect(await add(store, 'BTC', 1, 2)).toBe(true);
    expect(await add(store, 'BTC', 1, 2)).toBe(false);
    expect(await change(store, () => {})).toBe(false);
    // Changed, and changed back.
    const same = await change(store, async writer => {
      await writer.merge(keyOf('BTC'), rowsOf([1, 3]));
      expect(writer.keys).toContainEqual(keyOf('BTC'));
      expect(Array.from((await writer.rowsOf(keyOf('BTC'))).numbers.close)).toEqual([1, 3]);
      await writer.merge(keyOf('BTC'), rowsOf([1, 2]));
    });
    expect(same).toBe(false);
    expect((await manifestOf(store)).imports).toBe(1);
    expect(await add(store, 'BTC', 5)).toBe(true);
    expect((await manifestOf(store)).imports).toBe(2);
  });

  it('that cannot be written leaves the store as it was, without halves of files', async () => {
    const store = await storeOf('BTC');
    const before = await manifestOf(store);
    // A folder in the place of the next record of an import.
    mkdirSync(join(store, 'imports/2.json/x'), { recursive: true });
    await expect(add(store, 'ETH', 1)).rejects.toThrow(/imports.2\.json/);
    expect(await manifestOf(store)).toEqual(before);
    expect(readdirSync(join(store, 'imports')).sort()).toEqual(['1.json', '2.json']);
  });

  it('before the first import is empty', () => {
    expect(EMPTY_MANIFEST).toEqual({
      format: 2,
      version: sha256(''),
      writtenAt: '1970-01-01T00:00:00.000Z',
      imports: 0,
      series: [],
    });
  });
});

describe('A series', () => {
  it('can be removed, unless it is unknown or the only one', async () => {
    const store = await storeOf('BTC', 'ETH');
    expect(await change(store, writer => writer.remove('price BTC/USD kraken 1h'))).toBe(true);
    expect((await manifestOf(store)).series.map(({ asset }) => asset)).toEqual(['ETH']);
    await expect(change(store, writer => writer.remove('price ETH/USD kraken 1h'))).rejects.toThrow(
      `price ETH/USD kraken 1h is the only series of the store: remove the folder ${store}.`,
    );
    expect((await manifestOf(store)).series).toHaveLength(1);
  });

  it('that is unknown is refused with those of its asset, or the first twenty', async () => {
    const store = join(temporaryFolder(), 'market');
    await change(store, async writer => {
      for (let i = 10; i < 31; i++) await writer.merge(keyOf(`A${i}`), rowsOf([1]));
      await writer.merge(keyOf('A10', '1d'), rowsOf([1]));
    });
    const refusal = (id: string) =>
      change(store, writer => writer.remove(id)).catch((error: Error) => error.message);
    expect(await refusal('price A10/EUR kraken 1h')).toBe(
      'The store holds no series "price A10/EUR kraken 1h"; held are: price A10/USD kraken 1d, price A10/USD kraken 1h',
    );
    const others = await refusal('x');
    expect(others).toMatch(/^The store holds no series "x"; held are: price A10\/USD kraken 1d, /);
    expect(String(others).split(', ')).toHaveLength(20);
  });
});

describe('An undo', () => {
  it('needs a version before the last change, with its files', async () => {
    const undo = (store: string) =>
      change(store, writer => writer.undo()).catch((error: Error) => error.message);
    const store = await storeOf('BTC');
    const none =
      'There is no version before this one: the store has had one change only, or the version was removed.';
    expect(await undo(store)).toBe(none);
    const [{ file }] = (await manifestOf(store)).series;
    await add(store, 'BTC', 3);
    rmSync(join(store, file));
    expect(await undo(store)).toBe(
      'The rows of price BTC/USD kraken 1h before the last change were removed.',
    );
  });

  it('takes the version before the last change, whatever else is there', async () => {
    const store = await storeOf('BTC', 'ETH', 'SOL');
    writeFileSync(join(store, 'manifests/x.part'), 'half');
    await change(store, writer => writer.undo());
    expect((await manifestOf(store)).series.map(({ asset }) => asset)).toEqual(['BTC', 'ETH']);
  });
});

describe('Files of earlier versions', () => {
  /** Lets a file look as if it was written so many milliseconds before AT. */
  const age = (path: string, ms: number) =>
    utimesSync(path, (AT.getTime() - ms) / 1000, (AT.getTime() - ms) / 1000);
  const assetsOf = (store: string): string[] =>
    readdirSync(join(store, 'manifests')).map(name => {
      const { series } = JSON.parse(readFileSync(join(store, 'manifests', name), 'utf8'));
      return series.map(({ asset }: SeriesKey) => asset).join('');
    });

  /** Versions of one more series each, a second apart, the last of them replaced so many milliseconds ago. */
  async function replaced(versions: number, ms: number): Promise<string> {
    const store = join(temporaryFolder(), 'market');
    for (let i = 0; i < versions; i++) await add(store, String.fromCharCode(65 + i), i + 1);
    for (const name of readdirSync(join(store, 'series'))) age(join(store, 'series', name), 2 * HOUR_MS);
    for (const name of readdirSync(join(store, 'manifests'))) {
      const path = join(store, 'manifests', name);
      const { imports } = JSON.parse(readFileSync(path, 'utf8'));
      age(path, ms + 1000 * (versions - imports));
    }
    await add(store, 'Z', 100);
    return store;
  }

  it('stay for the last three before the current one', async () => {
    const store = await replaced(5, 2 * HOUR_MS);
    expect(assetsOf(store).sort()).toEqual(['ABC', 'ABCD', 'ABCDE', 'ABCDEZ']);
    expect(readdirSync(join(store, 'series'))).toHaveLength(6);
  });

  it('stay for less than an hour after their replacement', async () => {
    // `AB` was replaced 2 s before the last one was written.
    const within = assetsOf(await replaced(5, HOUR_MS - 2001));
    expect(within.sort()[0]).toBe('AB');
    const beyond = assetsOf(await replaced(5, HOUR_MS - 2000));
    expect(beyond.sort()[0]).toBe('ABC');
  });

  it('go where no version names them, but for fresh ones; halves of files go at once', async () => {
    const store = await storeOf('BTC');
    for (const [name, ms] of [
      ['series/old.parquet', HOUR_MS],
      ['series/fresh.parquet', HOUR_MS - 1],
      ['series/fresh.part', 0],
      ['manifests/fresh.part', 0],
      ['CURRENT.1.part', 0],
    ] as const) {
      writeFileSync(join(store, name), 'x');
      age(join(store, name), ms);
    }
    await add(store, 'ETH', 1);
    expect(readdirSync(store).sort()).toEqual(['CURRENT', 'imports', 'manifests', 'series', 'writer.lock']);
    expect(readdirSync(join(store, 'series')).filter(name => name.length < 30)).toEqual(['fresh.parquet']);
    expect(readdirSync(join(store, 'manifests')).filter(name => name.length < 30)).toEqual([]);
  });
});

describe('A writer that fails', () => {
  const filesOf = (store: string) =>
    ['series', 'manifests', 'imports'].map(sub => readdirSync(join(store, sub)).sort());

  it('removes the files that it added, and no other', async () => {
    const store = await storeOf('BTC');
    const [before, manifest] = [filesOf(store), await manifestOf(store)];
    // The pointer, its last file, cannot be written.
    const half = join(store, `CURRENT.${process.pid}.part`);
    mkdirSync(half);
    await expect(add(store, 'ETH', 1)).rejects.toThrow();
    expect([filesOf(store), await manifestOf(store)]).toEqual([before, manifest]);
    rmSync(half, { recursive: true, force: true });
    await add(store, 'ETH', 1);
    await change(store, writer => writer.undo());
    const undone = filesOf(store);
    mkdirSync(half);
    // Its rows are in a file of the version before.
    await expect(add(store, 'ETH', 1)).rejects.toThrow();
    expect(filesOf(store)).toEqual(undone);
  });

  it('names the folder where the lock cannot be written, such as on a disk that is read only', async () => {
    const store = await storeOf('BTC');
    rmSync(join(store, 'writer.lock'));
    mkdirSync(join(store, 'writer.lock'));
    const failed = openStoreWriter(store);
    await expect(failed).rejects.toThrow(MarketStoreError);
    await expect(failed).rejects.toThrow(`${store} cannot be written: EISDIR`);
  });
});

describe('A folder', () => {
  it('with other files is refused with three of them; those of a writer that was killed are none', async () => {
    const files = Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [name, []]));
    await expect(openStoreWriter(writeFiles(temporaryFolder(), files))).rejects.toThrow(
      /holds other files \(a, b, c\) and is no market store/,
    );
    const half = writeFiles(temporaryFolder(), {
      'CURRENT.1.part': [],
      // Of a writer of another version.
      'writer.lock': ['a database'],
      'writer.lock.5': [],
      'series/x': [],
    });
    (await openStoreWriter(half)).close();
  });

  it('has one writer at a time, in this process and in others, until it is closed', async () => {
    const store = await storeOf('BTC');
    const other = (then = 'unlock()') => {
      const program = `
        const { takeWriterLock } = await import('#src/market/store/writer-lock.js');
        const unlock = takeWriterLock(${JSON.stringify(store)});
        ${then}`;
      const words = ['--input-type=module', '--eval', program];
      const cwd = join(import.meta.dirname, '../../..');
      const { stderr, signal } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
      return signal ?? stderr;
    };
    const busy = `Another import or sync is writing to ${store}. Run this again when it is done.`;
    const writer = await openStoreWriter(store);
    await expect(openStoreWriter(store)).rejects.toThrow(busy);
    expect(other()).toContain(busy);
    writer.close();
    expect(other()).toBe('');
    expect(other("process.kill(process.pid, 'SIGKILL')")).toBe('SIGKILL');
    (await openStoreWriter(store)).close();
    expect(readdirSync(store).filter(name => name.startsWith('writer.lock'))).toEqual(['writer.lock']);
  });
});

it('A version that answers were made from stays for the days of the setting, and one that is kept for good', async () => {
  const store = temporaryFolder();
  const versions: string[] = [];
  for (let k = 0; k < 3; k++) {
    const at = new Date(AT.getTime() + k * HOUR_MS);
    await change(store, writer => writer.merge(keyOf('BTC'), rowsOf([k + 1])), at);
    versions.push(
      (JSON.parse(readFileSync(join(store, 'CURRENT'), 'utf8')) as { manifest: string }).manifest,
    );
  }
  const [kept, used, other] = versions;
  for (const [folder, manifest] of [
    ['kept', kept],
    ['used', used],
  ] as const) {
    mkdirSync(join(store, folder), { recursive: true });
    writeFileSync(join(store, folder, 'mark.json'), JSON.stringify({ manifest }));
    utimesSync(join(store, folder, 'mark.json'), AT, AT);
  }
  const remaining = async (days: number, value: number) => {
    for (const name of readdirSync(join(store, 'manifests')))
      utimesSync(join(store, 'manifests', name), AT, AT);
    for (let k = 0; k < 5; k++) {
      const at = new Date(AT.getTime() + days * 24 * HOUR_MS + k);
      await change(store, writer => writer.merge(keyOf('BTC'), rowsOf([value + k])), at);
      const { manifest } = JSON.parse(readFileSync(join(store, 'CURRENT'), 'utf8')) as { manifest: string };
      utimesSync(join(store, manifest), at, at);
    }
    return [kept, used, other].map(path => existsSync(join(store, path)));
  };
  expect(await remaining(29, 100)).toEqual([true, true, false]);
  expect(await remaining(31, 200)).toEqual([true, false, false]);
});
