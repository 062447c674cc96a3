/** What `market -- check` tells of a store, and what it passes over. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CheckBounds, checkRows, checkStore, DEFAULT_BOUNDS } from '#src/market/check/check-store.js';
import { importFiles } from '#src/market/import/import-files.js';
import type { ManifestSeries } from '#src/market/store/manifest.js';
import { makeRows } from '#src/market/store/rows.js';
import { storeFilesAt } from '#src/market/store/store-files.js';
import { manifestOf, temporaryFolder, writeFiles } from '../../support/market-files.ts';

const NOW = new Date('2024-03-01T12:00:00Z');
const dayAt = (i: number): string => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
/** Sixty days up to the day before NOW, closes within a percent. */
const days = (change: (i: number, row: string) => string | undefined = (_, row) => row): string[] => [
  'date,open,high,low,close,volume',
  ...Array.from({ length: 60 }, (_, i) => {
    const close = 100 + ((i * 7) % 5) / 5;
    return change(i, `${dayAt(i)},${close},${close},${close},${close},10`);
  }).flatMap(row => row ?? []),
];

async function findings(
  files: Readonly<Record<string, readonly string[]>>,
  spoil?: (store: string) => Promise<void>,
) {
  const folder = writeFiles(join(temporaryFolder(), 'files'), files);
  const store = join(folder, '../unit/market');
  await importFiles({ store, paths: [folder], now: NOW, options: { allowJumps: true } });
  await spoil?.(store);
  const found = await checkStore(storeFilesAt(store), await manifestOf(store), NOW, DEFAULT_BOUNDS);
  return found.map(({ series, kind, message }) => `${series}: ${kind}: ${message}`);
}

describe('a check', () => {
  it('passes a good store', async () => {
    expect(await findings({ 'daily/btc_usdt.csv': days() })).toEqual([]);
  });

  it('reports gaps, a stale end, and frozen bars', async () => {
    const rows = days((i, row) =>
      i > 50 || i === 20 ? undefined : i > 30 && i < 36 ? `${dayAt(i)},100,100,100,100,0` : row,
    );
    expect(await findings({ 'daily/btc_usdt.csv': rows })).toEqual([
      'price of BTC/USDT binance 1d: gap: 1 row missing in 1 gap, the longest 2024-01-21',
      'price of BTC/USDT binance 1d: stale: the last row, 2024-02-20, is 9 rows old',
      'price of BTC/USDT binance 1d: frozen: 5 bars of zero volume and unchanged close in 1 run, the first from 2024-02-01',
    ]);
  });

  it('reports a jump beyond a multiple of the volatility before it', async () => {
    const rows = days((i, row) => (i === 40 ? `${dayAt(i)},150,150,150,150,10` : row));
    const told = await findings({ 'daily/btc_usdt.csv': rows });
    expect(told[0]).toMatch(
      /^price of BTC\/USDT binance 1d: jump: 2024-02-10 moves by 49.1 %, \d+ standard deviations/,
    );
  });

  it('reports a move where the rows of another file begin, and none within a file', async () => {
    const half = (from: number, to: number, factor: number) => [
      days()[0],
      ...Array.from({ length: to - from }, (_, k) => {
        const close = factor * (100 + (((from + k) * 7) % 5) / 5);
        return `${dayAt(from + k)},${close},${close},${close},${close},10`;
      }),
    ];
    const twoFiles = (factor: number) =>
      findings({ 'daily/btc_usdt.csv': half(0, 40, 1) }, async store => {
        const later = writeFiles(join(temporaryFolder(), 'later'), {
          'daily/btc_usdt.csv': half(40, 60, factor),
        });
        await importFiles({ store, paths: [later], now: NOW, options: { allowJumps: true } });
      });
    const told = await twoFiles(1.05);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(
      /^price of BTC\/USDT binance 1d: seam: the rows of another file begin on 2024-02-10 with a move of \d\.\d %, \d+ standard deviations/,
    );
    expect(await twoFiles(1)).toEqual([]);
    const oneFile = [...half(0, 40, 1), ...half(40, 60, 1.05).slice(1)];
    expect(await findings({ 'daily/btc_usdt.csv': oneFile })).toEqual([]);
  });

  it('reports two sources that differ in price or volume', async () => {
    const other = days((i, row) => (i === 10 ? `${dayAt(i)},90,90,90,90,10` : row)).map(row =>
      row.split(',').slice(0, 5).join(','),
    );
    const told = await findings({
      'daily/btc_usdt.csv': days(),
      'daily/btc_usdc.csv': other,
      'exchange_volume/btc_daily_volume.csv': ['date,binance_usdt', '2024-01-05,10', '2024-02-29,11'],
    });
    expect(told.filter(line => line.includes('disagreement'))).toEqual([
      'price of BTC/USDC binance 1d: disagreement: closes differ from price of BTC/USDT binance 1d by more than 2 % on 1 day, most on 2024-01-11: 90 and 100',
      'price of BTC/USDT binance 1d: disagreement: volumes differ from volume of BTC/USDT binance 1d by more than 2 % on 1 day, most on 2024-02-29: 10 and 11',
    ]);
  });

  it('reports a duplicate time, and prices that are not above 0', () => {
    const rows = makeRows(6);
    const closes = [100, 101, 0, 102, -1, 103];
    const hours = NOW.getTime() / 3_600_000;
    closes.forEach((close, i) => {
      rows.hours[i] = 24 * Math.floor(hours / 24) - 24 * (closes.length - i);
      rows.numbers.close[i] = close;
    });
    rows.hours[1] = rows.hours[0];
    const series = { kind: 'price', asset: 'BTC', quote: 'USD', exchange: 'x', timeframe: '1d' };
    const found = checkRows(series as ManifestSeries, rows, NOW, DEFAULT_BOUNDS);
    expect(
      found.filter(({ kind }) => kind === 'order' || kind === 'price').map(({ message }) => message),
    ).toEqual([
      '2024-02-23 is there twice, or out of order',
      'close 0 on 2024-02-25 is not above 0',
      'close -1 on 2024-02-27 is not above 0',
    ]);
    expect(found.every(({ remedy }) => remedy.length > 0)).toBe(true);
  });

  it('reports a file that was changed on the disk', async () => {
    const told = await findings({ 'daily/btc_usdt.csv': days() }, async store => {
      const [{ file }] = (await manifestOf(store)).series;
      writeFileSync(join(store, file), 'not what it was');
    });
    expect(told).toEqual([
      expect.stringMatching(
        /^price of BTC\/USDT binance 1d: damage: series\/[0-9a-f]{64}\.parquet holds other bytes/,
      ),
    ]);
  });
});

describe('Rows of one series', () => {
  const HOUR_NOW = NOW.getTime() / 3_600_000;
  type Bar = readonly [close: number, volume?: number, file?: number];

  /** Rows of days up to the last midnight before NOW, of which each follows the one before. */
  function rowsOf(bars: readonly Bar[], last = 24 * Math.floor(HOUR_NOW / 24)) {
    const rows = makeRows(bars.length);
    bars.forEach(([close, volume = Number.NaN, file = 0], i) => {
      rows.hours[i] = last - 24 * (bars.length - 1 - i);
      rows.numbers.close[i] = close;
      rows.numbers.volume[i] = volume;
      rows.files[i] = file;
    });
    return rows;
  }
  const seriesOf = (facts: Partial<ManifestSeries> = {}) =>
    ({
      kind: 'price',
      asset: 'BTC',
      quote: 'USD',
      exchange: 'x',
      timeframe: '1d',
      ...facts,
    }) as ManifestSeries;
  const told = (
    bars: readonly Bar[],
    { facts = {}, last }: { facts?: Partial<ManifestSeries>; last?: number } = {},
    bounds: Partial<CheckBounds> = {},
  ) =>
    checkRows(seriesOf(facts), rowsOf(bars, last), NOW, { ...DEFAULT_BOUNDS, ...bounds }).map(
      ({ kind, message, remedy }) => {
        expect(remedy).not.toBe('');
        return `${kind}: ${message}`;
      },
    );
  /** Closes that rise and fall by a hundredth: 2 n + 1 of them with n rises and n falls. */
  const calm = (count: number): Bar[] => Array.from({ length: count }, (_, i) => [i % 2 === 0 ? 100 : 101]);
  const move = Math.log(1.01);

  it('are stale beyond three of them, in rows of their own length', () => {
    const stale = (hours: number, timeframe: '1h' | '1d') =>
      told([[100]], { facts: { timeframe }, last: HOUR_NOW - hours });
    expect(stale(4 * 24 - 1, '1d')).toEqual([]);
    expect(stale(4 * 24, '1d')).toEqual(['stale: the last row, 2024-02-26, is 4 rows old']);
    expect(stale(3, '1h')).toEqual([]);
    expect(stale(4, '1h')).toEqual(['stale: the last row, 2024-03-01T07:00Z, is 4 rows old']);
  });

  it('have prices above 0, three of the others are listed', () => {
    const wrong = (kind: 'price' | 'index' | 'funding') =>
      told([[Number.NaN], [0], [-1], [-2], [5]], { facts: { kind } }).filter(line =>
        line.startsWith('price'),
      );
    const messages = [
      'price: close NaN on 2024-02-25 is not above 0',
      'price: close 0 on 2024-02-26 is not above 0',
      'price: close -1 on 2024-02-27 is not above 0',
    ];
    expect(wrong('price')).toEqual(messages);
    expect(wrong('index')).toEqual(messages);
    expect(wrong('funding')).toEqual([]);
  });

  it('are in order', () => {
    const rows = rowsOf([[1], [1], [1]]);
    const order = () =>
      checkRows(seriesOf(), rows, NOW, DEFAULT_BOUNDS)
        .filter(({ kind }) => kind === 'order')
        .map(({ message }) => message);
    expect(order()).toEqual([]);
    rows.hours[2] = rows.hours[1];
    expect(order()).toEqual(['2024-02-28 is there twice, or out of order']);
    rows.hours[1] = rows.hours[0];
    rows.hours[2] = rows.hours[0] - 24;
    expect(order()).toEqual(['2024-02-27 is there twice, or out of order']);
  });

  it('jump by a multiple of the deviation of the twenty returns and more before', () => {
    // Ten rises and ten falls of the same size: their deviation is that size, their mean 0.
    const movesAfter = (count: number, factor: number) => [...calm(count), [100 * factor] as Bar];
    const jump = (factor: number, sigmas: number) => [
      `jump: 2024-02-29 moves by ${(100 * (factor - 1)).toFixed(1)} %, ${sigmas} standard deviations of the returns before it, 90 at most`,
    ];
    expect(told(movesAfter(21, 1.01 ** 20.01))).toEqual(jump(1.01 ** 20.01, 20));
    expect(told(movesAfter(21, 1.01 ** 19.99))).toEqual([]);
    expect(told(movesAfter(21, 1.01 ** -30))).toEqual(jump(1.01 ** -30, 30));
    expect(told(movesAfter(21, 1.01 ** -30), { facts: { kind: 'index' } })).toEqual([]);
    // Nineteen returns are too few.
    expect(told(movesAfter(20, 2).slice(1))).toEqual([]);
    // Returns over a gap do not count.
    const rows = rowsOf(movesAfter(21, 2));
    rows.hours[21] += 24;
    const gap = checkRows(seriesOf(), rows, NOW, DEFAULT_BOUNDS);
    expect(gap.map(({ kind }) => kind)).toEqual(['gap']);
    // Closes that do not move have no deviation.
    expect(told([...new Array<Bar>(30).fill([100]), [200]])).toEqual([]);
  });

  it('jump by the deviation of the last ninety returns', () => {
    // Closes that grow by 2 and 4 first: of ninety calm returns after them, mean and deviation are those of the calm ones.
    const wild: Bar[] = Array.from({ length: 40 }, (_, i) => [50 * 2 ** (Math.floor((3 * i) / 2) - 58)]);
    const movesAfter = (calmReturns: number) =>
      told([...wild, ...calm(calmReturns + 1), [calmReturns % 2 === 0 ? 150 : 151.5]]).map(
        line => /(\d+) standard deviations/.exec(line)?.[1],
      );
    // From the last wild close of 50 to the first calm one of 100 is a wild return, too.
    expect(movesAfter(90)).toEqual([(Math.log(1.5) / move).toFixed(0)]);
    expect(movesAfter(89)).toEqual([]);
  });

  it('that jump are listed up to three, and moves at the begin of another file', () => {
    // Each move is far beyond the deviation before it, and so are the next ones.
    const jumps = (count: number): Bar[] => [
      ...calm(21),
      ...Array.from({ length: count }, (_, i): Bar => [100 * 1e3 ** ((i + 1) * (i + 2))]),
    ];
    const kinds = (count: number) =>
      told(jumps(count), {}, { jumpSigmas: 4, seamSigmas: 3 }).map(line => line.split(' moves')[0]);
    expect(kinds(3)).toEqual(['jump: 2024-02-27', 'jump: 2024-02-28', 'jump: 2024-02-29']);
    expect(kinds(4)).toEqual([
      'jump: 2024-02-26',
      'jump: 2024-02-27',
      'jump: 2024-02-28',
      'jump: 1 more jumps',
    ]);
    // The same as seams, each of a file of its own.
    const seams = (count: number) =>
      told(
        jumps(count).map(([close], i): Bar => [close, Number.NaN, i < 21 ? 0 : i]),
        {},
        { jumpSigmas: 1e9, seamSigmas: 4 },
      ).map(line => line.replace(/ with a move.*/, ''));
    const begins = (day: string) => `seam: the rows of another file begin on ${day}`;
    expect(seams(3)).toEqual(['2024-02-27', '2024-02-28', '2024-02-29'].map(begins));
    expect(seams(4)).toEqual([
      ...['2024-02-26', '2024-02-27', '2024-02-28'].map(begins),
      'seam: 1 more seams',
    ]);
  });

  it('have a seam where another file or import begins, between its bound and that of a jump', () => {
    const seam = (exponent: number, change: (rows: ReturnType<typeof rowsOf>) => void) => {
      const rows = rowsOf([...calm(21), [100 * 1.01 ** exponent]]);
      change(rows);
      return checkRows(seriesOf(), rows, NOW, DEFAULT_BOUNDS).map(
        ({ kind, message }) => `${kind}: ${message}`,
      );
    };
    const otherFile = (rows: ReturnType<typeof rowsOf>) => rows.files.fill(1, 21);
    const otherImport = (rows: ReturnType<typeof rowsOf>) => rows.imports.fill(1, 21);
    const words =
      'seam: the rows of another file begin on 2024-02-29 with a move of 6.2 %, 6 standard deviations of the returns before it';
    expect(seam(6.01, otherFile)).toEqual([words]);
    expect(seam(6.01, otherImport)).toEqual([words]);
    expect(seam(6.01, () => {})).toEqual([]);
    expect(seam(5.99, otherFile)).toEqual([]);
    expect(seam(19.99, otherFile)[0]).toMatch(/^seam/);
    expect(seam(20.01, otherFile)).toEqual([expect.stringMatching(/^jump/)]);
    // The row before the last one begins the other file, or import.
    expect(seam(6.01, rows => rows.files.fill(1, 20))).toEqual([]);
    expect(seam(6.01, rows => rows.imports.fill(1, 20))).toEqual([]);
  });

  it('have a jump or a seam above its bound, and none at it', () => {
    // Twenty returns of log 2 have exactly this deviation; the last one is exactly twice as large.
    const closes = [...new Array(21).keys(), 21].map(i => (i === 21 ? 4 : 1 + (i % 2)));
    const kinds = (bounds: Partial<CheckBounds>, file = 0) =>
      told(
        closes.map((close, i): Bar => [close, Number.NaN, i < 21 ? 0 : file]),
        {},
        bounds,
      ).map(line => line.split(':')[0]);
    expect(kinds({ jumpSigmas: 1.99, seamSigmas: 1.99 })).toEqual(['jump']);
    expect(kinds({ jumpSigmas: 2, seamSigmas: 2 }, 1)).toEqual([]);
    expect(kinds({ jumpSigmas: 2, seamSigmas: 1.99 }, 1)).toEqual(['seam']);
    expect(kinds({ jumpSigmas: 2, seamSigmas: 1.99 })).toEqual([]);
  });

  it('have volumes up to a thousand times their median', () => {
    const volumes = (...all: number[]) => told(all.map((volume, i): Bar => [100 + (i % 2), volume]));
    expect(volumes(1, 1, 1000)).toEqual([]);
    expect(volumes(1, 1001, 1)).toEqual([
      'volume: 1 volume above 1000 times the median of the series, the first on 2024-02-28: 1001',
    ]);
    expect(volumes(5000, 1, 1, 2000, Number.NaN, 1)).toEqual([
      'volume: 2 volumes above 1000 times the median of the series, the first on 2024-02-24: 5000',
    ]);
    // The median of an even number is the larger one of the middle; of zeros none is.
    expect(volumes(1, 2, 2000)).toEqual([]);
    expect(volumes(1, 2, 2000, 1)).toEqual([]);
    expect(volumes(0, 0, 5)).toEqual([]);
  });

  it('are frozen where three and more have no volume and the close before', () => {
    const frozen = (...all: Bar[]) => told(all).filter(line => line.startsWith('frozen'));
    const still: Bar = [100, 0];
    expect(frozen([100, 1], still, still, [101, 1])).toEqual([]);
    expect(frozen([100, 1], still, still, still)).toEqual([
      'frozen: 3 bars of zero volume and unchanged close in 1 run, the first from 2024-02-27',
    ]);
    expect(frozen([100, 1], still, [100, 1], still, still)).toEqual([]);
    expect(frozen([100, 1], [100, 0], [101, 0], [102, 0])).toEqual([]);
    expect(frozen(still, still, still)).toEqual([]);
    expect(frozen([100, 1], still, still, still, [100, 1], still, still, still, still)).toEqual([
      'frozen: 7 bars of zero volume and unchanged close in 2 runs, the first from 2024-02-22',
    ]);
  });
});

describe('Sources of one asset', () => {
  it('differ in the scale of their volumes, and by more than two percent of the smaller number', async () => {
    const bars = (close: number, volume: number) =>
      days((_, row) => row.replace(/(,[\d.]+){5}$/, `,${close},${close},${close},${close},${volume}`));
    const told = await findings({
      'daily/btc_usdt.csv': bars(100, 1000),
      'daily/btc_usdc.csv': bars(102, 1),
      'exchange_volume/btc_daily_volume.csv': ['date,binance_usdt', '2024-02-29,1020'],
    });
    const scale = 'is 1020 times that of BTC/USDC binance 1d';
    expect(told).toEqual([`volume of BTC/USDT binance 1d: volume: its median volume, 1020, ${scale}`]);
    const apart = await findings({
      'daily/btc_usdt.csv': bars(100, 10),
      'daily/btc_usdc.csv': bars(102.1, 10),
      'exchange_volume/btc_daily_volume.csv': ['date,binance_usdt', '2024-02-28,10.203', '2024-02-29,9.5'],
    });
    expect(apart).toEqual([
      'price of BTC/USDC binance 1d: disagreement: closes differ from price of BTC/USDT binance 1d by more than 2 % on 60 days, most on 2024-01-01: 102.1 and 100',
      'price of BTC/USDT binance 1d: disagreement: volumes differ from volume of BTC/USDT binance 1d by more than 2 % on 2 days, most on 2024-02-29: 10 and 9.5',
    ]);
  });

  it('are asked one by one, with the count so far', async () => {
    const folder = writeFiles(join(temporaryFolder(), 'files'), {
      'daily/btc_usdt.csv': days(),
      'daily/eth_usdt.csv': days(),
    });
    const store = join(folder, '../unit/market');
    await importFiles({ store, paths: [folder], now: NOW });
    const seen: unknown[] = [];
    const manifest = await manifestOf(store);
    await checkStore(storeFilesAt(store), manifest, NOW, DEFAULT_BOUNDS, (...told) => seen.push(told));
    expect(seen).toEqual([
      [1, 2, 'price of BTC/USDT binance 1d'],
      [2, 2, 'price of ETH/USDT binance 1d'],
    ]);
    const [series, other] = manifest.series;
    const spoiled = { ...manifest, series: [{ ...series, content: 'x' }, other] };
    expect(await checkStore(storeFilesAt(store), spoiled, NOW, DEFAULT_BOUNDS)).toEqual([
      {
        series: 'price of BTC/USDT binance 1d',
        kind: 'damage',
        message: 'its rows are not those that were imported',
        remedy: 'Restore the folder, or import the files of the series again into a new one.',
      },
    ]);
  });
});
