/** Every refusal of an import, and what its remedy says done: the file is then read, and right. A new kind of fault needs a row. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FAULT_KINDS, type FaultKind, ImportError } from '#src/market/import/import-error.js';
import { importFiles } from '#src/market/import/import-files.js';
import type { ImportOptions } from '#src/market/import/reading.js';
import { listStore, storedRows, temporaryFolder, writeFiles } from '../../support/market-files.ts';

interface Case {
  readonly name?: string;
  readonly lines: readonly string[];
  readonly options?: ImportOptions;
  /** Words of the remedy. */
  readonly says: string;
  /** What it asks for: options, another text of the file, or that numbers are replaced. */
  readonly done: {
    readonly options?: ImportOptions;
    readonly lines?: readonly string[];
    readonly replace?: boolean;
  };
  /** The closes of the series of the file afterwards. */
  readonly closes: readonly number[];
  /** A file that the store holds before. */
  readonly before?: { readonly name: string; readonly lines: readonly string[] };
}

const NOW = new Date('2026-06-01T12:00:00Z');
const BTC = { asset: 'BTC', quote: 'USD', exchange: 'own' } as const;
const day = (i: number) => new Date(Date.UTC(2024, 0, i)).toISOString().slice(0, 10);
/** Closes that a constant sequence moves up and down. */
const moved = (shift: number) =>
  Array.from({ length: 40 }, (_, i) => `${day(1 + i + shift)},${100 + ((i * i * 7) % 23)}`);

const CASES: Readonly<Record<FaultKind, Case>> = {
  unreadable: {
    lines: ['\u0000'],
    says: 'Save it as "CSV UTF-8".',
    done: { lines: ['date,close', '2024-01-01,1', '2024-01-02,2'] },
    closes: [1, 2],
  },
  columns: {
    lines: ['date,px', '2024-01-01,1', '2024-01-02,2'],
    says: '--columns time=<name>,close=<name>',
    done: { options: { columns: { close: 'px' } } },
    closes: [1, 2],
  },
  width: {
    lines: ['date,close', '2024-01-01,1,000', '2024-01-02,2,000'],
    says: 'in quotes',
    done: { lines: ['date,close', '2024-01-01,"1,000.0"', '2024-01-02,"2,000.0"'] },
    closes: [1000, 2000],
  },
  'date order': {
    lines: ['date,close', '01/02/2024,1', '02/02/2024,2'],
    says: '--dates dmy',
    done: { options: { dates: 'dmy' } },
    closes: [1, 2],
  },
  'mixed times': {
    lines: ['date,price', '2024-01-01,1', '2024-01-02 00:00,2'],
    says: '--stamp open',
    done: { options: { stamp: 'open' } },
    closes: [1, 2],
  },
  time: {
    lines: ['date,close', '2024-01-01,1', '45293,2', '2024-01-03,3'],
    says: 'number of a day in a spreadsheet',
    done: { lines: ['date,close', '2024-01-01,1', '2024-01-02,2', '2024-01-03,3'] },
    closes: [1, 2, 3],
  },
  early: {
    lines: ['date,close', '1970-01-01,1', '2024-01-01,1', '2024-01-02,2'],
    says: 'remove older rows',
    done: { lines: ['date,close', '2024-01-01,1', '2024-01-02,2'] },
    closes: [1, 2],
  },
  kind: {
    lines: ['date,rate', '2024-01-01,0.01', '2024-01-02,0.011'],
    says: '--kind price',
    done: { options: { kind: 'price' } },
    closes: [0.01, 0.011],
  },
  symbols: {
    lines: ['symbol,date,close', 'BTCUSD,2024-01-01,1', 'ETHUSD,2024-01-02,2'],
    options: { quote: 'USD', exchange: 'own', timeframe: '1d' },
    says: 'one symbol in each',
    done: { lines: ['symbol,date,close', 'BTCUSD,2024-01-01,1'] },
    closes: [1],
  },
  key: {
    lines: ['date,close', '2024-01-01,1', '2024-01-02,2'],
    options: {},
    says: '--symbol BTC --quote USD --exchange kraken',
    done: { options: { asset: 'BTC', quote: 'USD', exchange: 'kraken' } },
    closes: [1, 2],
  },
  name: {
    lines: ['date,close', '2024-01-01,1', '2024-01-02,2'],
    options: { ...BTC, asset: 'B T C' },
    says: 'Symbols are letters and digits',
    done: { options: { asset: 'BTC' } },
    closes: [1, 2],
  },
  currency: {
    lines: ['date,Close (EUR)', '2024-01-01,1', '2024-01-02,2'],
    says: 'Say --quote EUR',
    done: { options: { quote: 'EUR' } },
    closes: [1, 2],
  },
  derivative: {
    name: 'binance_BTCUSDT_perp.csv',
    lines: ['date,close', '2024-01-01,1', '2024-01-02,2'],
    options: {},
    says: '--kind price',
    done: { options: { kind: 'price' } },
    closes: [1, 2],
  },
  timeframe: {
    lines: ['date,close', '2024-01-01,1'],
    says: '--timeframe 1d',
    done: { options: { timeframe: '1d' } },
    closes: [1],
  },
  grid: {
    lines: ['time,close', '2024-01-01T23:59:59.999Z,1', '2024-01-02T23:59:59.999Z,2'],
    says: '--stamp close',
    done: { options: { stamp: 'close' } },
    closes: [1, 2],
  },
  future: {
    lines: ['date,close', '2024-01-01,1', '2024-01-02,2', '2099-01-01,3'],
    says: 'Remove the row',
    done: { lines: ['date,close', '2024-01-01,1', '2024-01-02,2'] },
    closes: [1, 2],
  },
  decimal: {
    lines: ['date,close', '2024-01-01,"42,283"', '2024-01-02,"42,284"'],
    says: '--decimal point',
    done: { options: { decimal: 'point' } },
    closes: [42_283, 42_284],
  },
  thousands: {
    lines: [
      'date,close,volume',
      ...['2,313', '2,232', '2,280', '2,202', '3,077'].map((row, i) => `${day(1 + i)},${row}`),
    ],
    says: 'Quote numbers with marks of thousands',
    done: {
      options: { decimal: 'point', volumeUnit: 'none' },
      lines: [
        'date,close,volume',
        ...['"2,313",', '"2,232",', '"2,280",', '"2,202",', '"3,077",'].map(
          (row, i) => `${day(1 + i)},${row}`,
        ),
      ],
    },
    closes: [2313, 2232, 2280, 2202, 3077],
  },
  number: {
    lines: ['date,close', '2024-01-01,1', '2024-01-02,x', '2024-01-03,3'],
    says: 'remove rows without them',
    done: { lines: ['date,close', '2024-01-01,1', '2024-01-03,3', '2024-01-04,4', '2024-01-05,5'] },
    closes: [1, 3, 4, 5],
  },
  bound: {
    lines: ['date,close,mid', '2024-01-01,0,1', '2024-01-02,0,2'],
    says: 'name another column with --columns',
    done: { options: { columns: { close: 'mid' } } },
    closes: [1, 2],
  },
  envelope: {
    lines: ['date,a,b,c,d', '2024-01-01,1,2,3,2', '2024-01-02,1,2,3,2'],
    options: { ...BTC, columns: { open: 'a', high: 'b', low: 'c', close: 'd' } },
    says: 'name them with --columns',
    done: { options: { columns: { open: 'b', high: 'c', low: 'a', close: 'd' } } },
    closes: [2, 2],
  },
  twice: {
    lines: ['date,close', '2024-01-01,1', '2024-01-01,1.5', '2024-01-02,2'],
    says: 'Remove the wrong one',
    done: { lines: ['date,close', '2024-01-01,1', '2024-01-02,2'] },
    closes: [1, 2],
  },
  jump: {
    lines: ['date,close', '2024-01-01,1', '2024-01-02,30', '2024-01-03,1'],
    says: '--allow-jumps',
    done: { options: { allowJumps: true } },
    closes: [1, 30, 1],
  },
  rows: {
    lines: ['date,close,mid', '2024-01-01,,1', '2024-01-02,,2'],
    says: 'Check the columns',
    done: { options: { columns: { close: 'mid' } } },
    closes: [1, 2],
  },
  'volume unit': {
    lines: ['date,close,volume', '2024-01-01,1,5', '2024-01-02,2,5'],
    says: '--volume-unit base (BTC)',
    done: { options: { volumeUnit: 'base' } },
    closes: [1, 2],
  },
  'funding unit': {
    lines: ['time,fundingRate', '2024-01-01T00:00Z,0.0001', '2024-01-01T08:00Z,0.0002'],
    says: '--funding-unit fraction',
    done: { options: { fundingUnit: 'fraction' } },
    closes: [0.0001, 0.0002],
  },
  'funding column': {
    lines: ['time,open,high,low,close', '2024-01-01T00:00Z,5,5,5,0.01', '2024-01-01T08:00Z,5,5,5,0.01'],
    options: { ...BTC, kind: 'funding' },
    says: '--columns funding=<name>',
    done: { options: { columns: { funding: 'close' }, fundingUnit: 'percent' } },
    closes: [0.0001, 0.0001],
  },
  replaced: {
    name: 'kraken_BTCUSD_1d.csv',
    before: { name: 'kraken_BTCUSD_1d.csv', lines: ['date,close', '2024-01-01,1', '2024-01-02,2'] },
    options: {},
    lines: ['date,close', '2024-01-01,3', '2024-01-02,4'],
    says: 'say --replace',
    done: { replace: true },
    closes: [3, 4],
  },
  shifted: {
    name: 'kraken_BTCUSD_1d.csv',
    before: { name: 'binance_BTCUSDT_1d.csv', lines: ['date,close', ...moved(0)] },
    options: {},
    lines: ['date,close', ...moved(1)],
    says: '--stamp snapshot',
    done: { options: { stamp: 'snapshot' } },
    closes: moved(0).map(row => Number(row.split(',')[1])),
  },
};

it.each(FAULT_KINDS)('The remedy of a fault of the kind "%s" leads to the right closes', async kind => {
  const { name = 'a.csv', lines, options = BTC, says, done, closes, before } = CASES[kind];
  const folder = temporaryFolder();
  const store = join(folder, 'market');
  const put = (at: string, file: string, text: readonly string[]) =>
    join(writeFiles(join(folder, at), { [file]: text }), file);
  if (before !== undefined)
    await importFiles({ store, paths: [put('before', before.name, before.lines)], now: NOW });
  const refused = await importFiles({ store, paths: [put('sent', name, lines)], options, now: NOW }).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(ImportError);
  const faults = (refused as ImportError).faults.filter(fault => fault.kind === kind);
  expect(faults.map(({ remedy }) => remedy).join()).toContain(says);
  await importFiles({
    store,
    paths: [put('corrected', name, done.lines ?? lines)],
    options: { ...options, ...done.options },
    replace: done.replace === true,
    now: NOW,
  });
  const ids = (await listStore(store)).map(line => line.split(' ').slice(0, 4).join(' '));
  const id = ids.find(each => before === undefined || each.includes('kraken')) as string;
  expect((await storedRows(store, id, ['close'])).flat()).toEqual(closes);
});
