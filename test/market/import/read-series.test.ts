/** The rows of a file as series: what each rule takes, up to its bounds, and what it says. */
import { describe, expect, it } from 'vitest';
import type { ImportFault } from '#src/market/import/import-error.js';
import { readSeries } from '#src/market/import/read-series.js';
import type { ImportOptions } from '#src/market/import/reading.js';
import { readTable } from '#src/market/import/table.js';
import { NUMBER_COLUMNS } from '#src/market/store/rows.js';
import { seriesId } from '#src/market/store/series-key.js';

const T0 = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = new Date('2024-06-01T12:00:00Z');
const BTC = { asset: 'BTC', quote: 'USD', exchange: 'kraken' } as const;

const shownFault = ({ line, column, message, count, remedy }: ImportFault): string => {
  expect(remedy).toMatch(/^[A-Z].*\S$/);
  return [line, column, `${message}${count > 1 ? ` x ${count}` : ''}`]
    .filter(part => part !== undefined)
    .join(':');
};

/** Reads a CSV; every row of the series as hours after T0 and its numbers, or the faults. */
async function read(
  lines: readonly string[],
  options: ImportOptions = BTC,
  { path = '/x/a.csv', end = '\n', now = NOW } = {},
) {
  const table = await readTable(path, Buffer.from(lines.join('\n') + end));
  const found = readSeries(path, table, options, now);
  if ('faults' in found) return { faults: found.faults.map(shownFault) };
  const series = Object.fromEntries(
    found.series.map(({ key, rows: { hours, numbers } }) => [
      seriesId(key),
      Array.from(hours, (hour, i) =>
        [
          hour - T0 / HOUR,
          ...NUMBER_COLUMNS.map(name => (Number.isNaN(numbers[name][i]) ? '-' : numbers[name][i])),
        ].join(' '),
      ),
    ]),
  );
  return { series, notes: found.notes, understood: found.understood };
}
const faultsOf = async (...args: Parameters<typeof read>): Promise<readonly string[]> => {
  const { faults = ['none'] } = await read(...args);
  return faults;
};
const seriesOf = async (...args: Parameters<typeof read>) => {
  const { series, faults } = await read(...args);
  return series ?? faults;
};
const at = (...times: number[]): string[] => [
  'time,close',
  ...times.map((time, i) => `${T0 + time},${i + 1}`),
];

describe('The time of a row', () => {
  const hourOf = async (options: ImportOptions, time: number): Promise<number | string> => {
    const { series, faults } = await read(at(time), { ...BTC, ...options });
    return series === undefined ? (faults as string[])[0] : Number(Object.values(series)[0][0].split(' ')[0]);
  };
  const OFF = /is not on the grid of/;

  it.each([
    ['the opening of a day', { timeframe: '1d' }, 24, 0],
    ['the opening of an hour', { timeframe: '1h' }, 1, 0],
    ['the end of a day', { timeframe: '1d', stamp: 'close' }, 0, 1000],
    ['the end of an hour', { timeframe: '1h', stamp: 'close' }, 0, 1000],
    ['a snapshot of a day', { timeframe: '1d', stamp: 'snapshot' }, 0, 2 * HOUR],
    ['a snapshot of an hour', { timeframe: '1h', stamp: 'snapshot' }, 0, 5 * MINUTE],
    ['a snapshot of an index', { kind: 'index', timeframe: '1d', stamp: 'snapshot' }, 0, 2 * HOUR],
    ['a settlement', { kind: 'funding', timeframe: '8h' }, 0, MINUTE],
  ] as const)('is %s up to its tolerance', async (_, options, hour, tolerance) => {
    expect(await hourOf(options, 0)).toBe(hour);
    for (const sign of [1, -1]) {
      expect(await hourOf(options, sign * tolerance)).toBe(hour);
      expect(await hourOf(options, sign * (tolerance + 1))).toMatch(OFF);
    }
  });

  it('says which grid it is not on', async () => {
    expect(await hourOf({ timeframe: '1d' }, 1)).toBe(
      '2:1:"1704067200001" is not on the grid of whole days, 00:00 UTC',
    );
    expect(await hourOf({ timeframe: '1h' }, 1)).toContain('the grid of 1 whole hour from 00:00');
    expect(await hourOf({ kind: 'funding', timeframe: '8h' }, HOUR)).toContain(
      'the grid of 8 whole hours from 00:00',
    );
  });

  it('of the newest snapshot may be any, and it is left out', async () => {
    const options = { ...BTC, timeframe: '1d', stamp: 'snapshot' } as const;
    const left = { notes: ['the last row, of "1704186000000", is not of a whole 1d: it is left out'] };
    expect(await read(at(0, DAY, DAY + 9 * HOUR), options)).toMatchObject(left);
    expect(await read(at(DAY + 9 * HOUR, 0, DAY), options)).toMatchObject(left);
    expect(await faultsOf(at(9 * HOUR), options)).toEqual([expect.stringMatching(OFF)]);
    expect(await faultsOf(at(0, DAY, DAY + 9 * HOUR, 2 * DAY, 3 * DAY), options)).toEqual([
      expect.stringMatching(OFF),
    ]);
    // A bar that contains the moment of the last row had not ended.
    expect(await read(at(0, DAY, DAY + 9 * HOUR), { ...options, stamp: 'open' })).toMatchObject({
      series: { 'price BTC/USD kraken 1d': ['24 - - - 1 -'] },
      notes: ['2 bars not closed when the file was written: left out'],
    });
    for (const other of [{ stamp: 'close' }, { kind: 'funding' }] as const)
      expect(await faultsOf(at(0, DAY, 2 * DAY + 9 * HOUR), { ...options, ...other })).toEqual([
        expect.stringMatching(OFF),
      ]);
  });

  it('may end at the present moment; a newest bar that ends later is left out, another is of the future', async () => {
    const options = { ...BTC, timeframe: '1h' } as const;
    const rows = at(0, HOUR, 2 * HOUR);
    const until = async (time: number) => {
      const { series, notes, faults } = await read(rows, options, { now: new Date(T0 + time) });
      return faults ?? [...(series?.['price BTC/USD kraken 1h'] ?? []), ...(notes ?? [])];
    };
    const [first, second, third] = ['1 - - - 1 -', '2 - - - 2 -', '3 - - - 3 -'];
    expect(await until(3 * HOUR)).toEqual([first, second, third]);
    const left = 'the bar of "1704074400000" is not finished: it is left out';
    expect(await until(3 * HOUR - 1)).toEqual([first, second, left]);
    expect(await until(2 * HOUR)).toEqual([first, second, left]);
    expect(await until(2 * HOUR - 1)).toEqual([
      '3:1:"1704070800000" lies in the future (it is 2024-01-01) x 2',
    ]);
  });

  it('is not before 2009-01-03', async () => {
    const options = { ...BTC, timeframe: '1d' } as const;
    expect(await read(['date,close', '2009-01-03,1'], options)).toHaveProperty('series');
    expect(await faultsOf(['date,close', '2009-01-02,1'], options)).toEqual([
      '2:1:"2009-01-02" lies before 2009-01-03',
    ]);
  });

  it('is refused with the first forty letters of its text', async () => {
    const told = async (text: string) => (await faultsOf(['date,close', `${text},1`]))[0];
    expect(await told('x'.repeat(40))).toBe(`2:1:"${'x'.repeat(40)}" is not a time`);
    expect(await told('x'.repeat(41))).toBe(`2:1:"${'x'.repeat(40)}…" is not a time`);
    expect(await told('')).toBe('2:1:"" is not a time');
    const orderless = (await faultsOf(['date,close', '3.1.2024,1', '1.2.2024,1']))[0];
    expect(orderless).toBe('2:1:"3.1.2024" does not say which part is the day and which the month x 2');
    expect((await faultsOf(['date,close', '31.01.2024,1'], { ...BTC, dates: 'mdy' }))[0]).toBe(
      '2:1:"31.01.2024" is not a time',
    );
  });

  it('of a last line without an end is not read where there are others', async () => {
    const lines = ['date,close', '2024-01-01,1', '2024-01-02,2', '2024-01-03,3'];
    const { series, notes } = await read(lines, BTC, { end: '' });
    expect(series).toEqual({ 'price BTC/USD kraken 1d': ['24 - - - 1 -', '48 - - - 2 -'] });
    expect(notes).toEqual([
      'the last line, 4, has no line end and may have been cut off inside a number: it is left out (--complete takes it)',
    ]);
    const whole = await read(lines, { ...BTC, complete: true }, { end: '' });
    expect(Object.values(whole.series ?? {})[0]).toHaveLength(3);
    expect(whole.notes).toEqual([]);
    const one = await read(lines.slice(0, 2), { ...BTC, timeframe: '1d' }, { end: '' });
    expect(one).toMatchObject({ notes: [], series: { 'price BTC/USD kraken 1d': ['24 - - - 1 -'] } });
  });
});

describe('The timeframe of a file', () => {
  const timeframe = async (options: ImportOptions, ...times: number[]) => {
    const found = await read(at(...times), { ...BTC, ...options });
    return (
      found.understood?.replace(/.*from the times: timeframe /, '') ??
      found.faults?.[0].replace(/^\d:\d:/, '')
    );
  };

  it.each([
    ['the most common distance', [0, HOUR, 2 * HOUR, DAY], '1h'],
    ['the first of two as common', [0, HOUR, 3 * HOUR], '1h'],
    ['that of times in any order', [HOUR, 0, 2 * HOUR], '1h'],
    ['not that of a time to itself', [0, 0, 0, HOUR], expect.stringMatching(/is there twice/)],
    ['a day', [0, DAY], '1d'],
  ])('is %s', async (_, times, found) => {
    expect(await timeframe({}, ...times)).toEqual(found);
  });

  it.each([
    ['to the minute', 29_000, '1h'],
    ['to the minute', -29_000, '1h'],
    ['and not beyond', 31_000, 'most rows are 1.0166666666666666 hours apart'],
    ['and not beyond', -31_000, 'most rows are 59 minutes apart'],
  ])('is read %s: an hour and %d ms', async (_, late, found) => {
    expect(await timeframe({ stamp: 'snapshot' }, 0, HOUR + late)).toBe(found);
  });

  it.each([
    [4 * HOUR, /not of a whole|not on the grid|1d/],
    [-4 * HOUR, /not of a whole|not on the grid|1d/],
    [4 * HOUR + MINUTE, /^most rows are 28.016666666666666 hours apart$/],
    [-4 * HOUR - MINUTE, /^most rows are 19.983333333333334 hours apart$/],
  ])('is a day where snapshots are %d ms early or late, up to four hours', async (late, found) => {
    expect(await timeframe({ stamp: 'snapshot' }, 0, DAY + late)).toMatch(found);
  });

  it.each([
    [{}, [0, 4 * HOUR], 'most rows are 4 hours apart'],
    [{}, [0, 5 * MINUTE], 'most rows are 5 minutes apart'],
    [{}, [0, MINUTE], 'most rows are 1 minute apart'],
    [{}, [0], 'one row does not say how long its bar is'],
    [{ timeframe: '8h' }, [0], 'a timeframe of 8h is not taken for a price'],
    [{ timeframe: '8h', kind: 'index' }, [0], 'a timeframe of 8h is not taken for a index'],
    [{ timeframe: '8h', kind: 'funding' }, [0, 4 * HOUR], 'most rows are 4 hours apart, not 8h'],
    [{ timeframe: '1d' }, [0, HOUR], 'most rows are 1 hour apart, not 1d'],
    [{ timeframe: '1d' }, [0, 1.5 * DAY], 'most rows are 36 hours apart, not 1d'],
  ] as const)('%j is refused for rows at %j', async (options, times, message) => {
    expect(await timeframe(options, ...times)).toBe(message);
  });

  it.each([
    [{ timeframe: '1h' }, [0, 2 * HOUR], 'price BTC/USD kraken 1h'],
    [{ timeframe: '8h', kind: 'funding' }, [0, DAY], 'funding BTC/USD kraken 8h'],
    [{ kind: 'funding' }, [0, 4 * HOUR], 'funding BTC/USD kraken 4h'],
    [{ kind: 'index' }, [0, DAY], 'index BTC kraken 1d'],
    [{ timeframe: '1d' }, [0], 'price BTC/USD kraken 1d'],
  ] as const)('%j is that of rows at %j', async (options, times, id) => {
    expect(Object.keys((await seriesOf(at(...times), { ...BTC, ...options })) ?? {})).toEqual([id]);
  });
});

describe('The numbers of a row', () => {
  const BARS = { ...BTC, timeframe: '1d' } as const;
  const bars = (...rows: string[]) => [
    'date,open,high,low,close',
    ...rows.map((row, i) => `2024-01-0${i + 1},${row}`),
  ];

  it.each(['10,10,10,10', '9,11,9,11', '11,11,9,9', '10,12,9,11'])(
    'are taken where high and low enclose open and close: %s',
    async row => {
      expect(await seriesOf(bars(row), BARS)).toEqual({
        'price BTC/USD kraken 1d': [`24 ${row.replaceAll(',', ' ')} -`],
      });
    },
  );

  it.each(['10,9,11,10', '12,11,9,10', '10,11,9,12', '8,11,9,10', '10,11,9,8'])(
    'are refused where they do not: %s',
    async row => {
      const [open, high, low, close] = row.split(',');
      expect(await faultsOf(bars('10,12,9,11', row), BARS)).toEqual([
        `3:high ${high} and low ${low} do not enclose open ${open} and close ${close}`,
      ]);
    },
  );

  it('are the rows where any is there; rows without one are left out and counted', async () => {
    const lines = ['date,close', '2024-01-01,1', '2024-01-02,', '2024-01-03,n/a', '2024-01-04,4'];
    expect(await read(lines)).toMatchObject({
      series: { 'price BTC/USD kraken 1d': ['24 - - - 1 -', '96 - - - 4 -'] },
      notes: [
        '2 rows without numbers left out',
        'BTC/USD kraken 1d: 2 rows missing in 1 gap, the longest 2024-01-02 to 2024-01-03',
      ],
    });
    for (const text of ['', 'null', 'NaN', 'None', 'N/A', '-', '.', '#N/A N/A'])
      expect(await faultsOf(['date,close', `2024-01-01,${text}`], BARS), text).toEqual([
        'no row holds numbers',
      ]);
    expect(await read(bars('1,2,1,', '1,,1,1', '.,.,.,.'), BARS)).toMatchObject({
      series: { 'price BTC/USD kraken 1d': ['48 1 - 1 1 -'] },
      notes: [
        '1 row without a close left out',
        '1 empty cell beside a close: stored as missing',
        '1 row without numbers left out',
      ],
    });
  });

  it('have their range by their kind', async () => {
    const told = async (options: ImportOptions, ...values: string[]) =>
      faultsOf(['date,close', ...values.map((value, i) => `2024-01-0${i + 1},${value}`)], {
        ...BARS,
        ...options,
      });
    expect(await told({}, '1', '0')).toEqual(['3:2:"0" is not a price from 1e-12 to 1e12']);
    expect(await told({ kind: 'index' }, '1', '1001')).toEqual([
      '3:2:"1001" is not a volatility in percent, above 0 and at most 1000',
    ]);
    expect(await told({}, 'x', '1e999')).toEqual(['2:2:"x" is not a number x 2']);
  });

  it('are of a price with its bars, of an index with its levels, and of funding alone', async () => {
    const lines = [
      'date,fundingRate,close,volume,open,high,low',
      '2024-01-01,0.001,10,5,10,12,9',
      '2024-01-02,-0.001,11,6,10,12,9',
    ];
    expect(await seriesOf(lines, { ...BTC, kind: 'price' })).toEqual({
      'price BTC/USD kraken 1d': ['24 10 12 9 10 5', '48 10 12 9 11 6'],
    });
    expect(await seriesOf(lines, { ...BTC, kind: 'index' })).toEqual({
      'index BTC kraken 1d': ['24 10 12 9 10 -', '48 10 12 9 11 -'],
    });
    expect(await seriesOf(lines, { ...BTC, fundingUnit: 'fraction' })).toEqual({
      'funding BTC/USD kraken 1d': ['0 - - - 0.001 -', '24 - - - -0.001 -'],
    });
  });

  it('of several markets are one series each, without their empty cells', async () => {
    const lines = [
      'date,binance_usdt,kraken_usd,okx_usd',
      '2024-01-01,1,,',
      '2024-01-02,2,3,',
      '2024-01-03,,4,',
    ];
    expect(await read(lines, { asset: 'BTC' })).toEqual({
      series: {
        'volume BTC/USDT binance 1d': ['24 - - - - 1', '48 - - - - 2'],
        'volume BTC/USD kraken 1d': ['48 - - - - 3', '72 - - - - 4'],
      },
      notes: [],
      understood: 'times are the opening of bars; from the times: timeframe 1d',
    });
  });
});

describe('The order of the rows', () => {
  const order = async (...rows: readonly (readonly [day: number, close: number])[]) => {
    const lines = ['date,close', ...rows.map(([day, close]) => `2024-01-0${day},${close}`)];
    const { series, notes, faults } = await read(lines, { ...BTC, timeframe: '1d' });
    return (
      faults ?? [
        Object.values(series ?? {})[0]
          .map(row => row.split(' ')[4])
          .join(' '),
        ...(notes ?? []),
      ]
    );
  };
  const UNORDERED = 'the rows were not in order of time';

  it('is that of time, and noted where it was neither rising nor falling', async () => {
    expect(await order([1, 1], [2, 2], [3, 3])).toEqual(['1 2 3']);
    expect(await order([3, 3], [2, 2], [1, 1])).toEqual(['1 2 3']);
    expect(await order([1, 1], [3, 3], [2, 2])).toEqual(['1 2 3', UNORDERED]);
    expect(await order([3, 3], [1, 1], [2, 2])).toEqual(['1 2 3', UNORDERED]);
    expect(await order([1, 1])).toEqual(['1']);
  });

  it('has each time once', async () => {
    expect(await order([1, 1], [1, 1], [2, 2], [2, 2])).toEqual([
      '1 2',
      '2 rows there twice with the same numbers',
    ]);
    expect(await order([1, 1], [2, 2], [1, 1])).toEqual([
      '1 2',
      '1 row there twice with the same numbers',
      UNORDERED,
    ]);
    // A row with a fault is none of them.
    const lines = ['date,close', '2024-01-01,x', '2024-01-01,1', '2024-01-02,2'];
    expect(await faultsOf(lines)).toEqual(['2:2:"x" is not a number']);
    expect(await order([1, 1], [2, 2], [1, 1.5])).toEqual([
      '4:1:2024-01-01 is there twice, with different numbers',
    ]);
  });
});

describe('A jump', () => {
  const lines = ['date,close', '2024-01-01,1', '2024-01-02,30', '2024-01-03,1'];

  it('without return is noted', async () => {
    expect((await read(lines.slice(0, 3))).notes).toEqual([
      'BTC/USD kraken 1d: 2024-01-02 closes at 30, 30.0 times the close before it; ' +
        'if the coin was redenominated, market rescale price BTC/USD kraken 1d --before 2024-01-02 --by 30',
    ]);
  });

  it('with return is refused, or noted where it is said to be real; that of an index is none', async () => {
    const words = '2024-01-02 closes at 30, 30.0 times the close before it';
    expect(await faultsOf(lines)).toEqual([`${words}, and the price goes back after it`]);
    expect((await read(lines, { ...BTC, allowJumps: true })).notes).toEqual([`BTC/USD kraken 1d: ${words}`]);
    expect((await read(lines, { ...BTC, kind: 'index' })).notes).toEqual([]);
  });
});

describe('Volumes', () => {
  const lines = (name: string) => [`date,close,${name}`, '2024-01-01,10,100', '2024-01-02,20,100'];
  const OWN = { ...BTC, exchange: 'own' };
  const coins = async (name: string, options: ImportOptions) => {
    const { series, notes, faults } = await read(lines(name), options);
    return faults ?? [...Object.values(series ?? {})[0].map(row => row.split(' ')[5]), ...(notes ?? [])];
  };
  const DIVIDED = 'volumes in USD are divided by the closes: the store counts BTC';

  it('are coins by an exchange, a name or an option', async () => {
    expect(await coins('volume', BTC)).toEqual(['100', '100']);
    for (const name of ['Volume BTC', 'base_volume', 'volume base', 'volumefrom'])
      expect(await coins(name, OWN), name).toEqual(['100', '100']);
    expect(await coins('volume', { ...OWN, volumeUnit: 'base' })).toEqual(['100', '100']);
    expect(await coins('volume', { ...BTC, volumeUnit: 'none' })).toEqual(['-', '-']);
    expect(await coins('volume', { ...BTC, volumeUnit: 'quote' })).toEqual(['10', '5', DIVIDED]);
  });

  it('are neither by a stranger or a publisher', async () => {
    for (const exchange of ['own', 'coingecko'])
      expect(await coins('volume', { ...BTC, exchange }), exchange).toEqual([
        'the file does not say whether its column volume counts BTC or USD',
      ]);
    // Of rows without names they are coins, and those of an index are not read.
    const rows = ['2024-01-01,10,12,9,11,5', '2024-01-02,10,12,9,11,5'];
    expect(await seriesOf(rows, OWN)).toEqual({
      'price BTC/USD own 1d': ['24 10 12 9 11 5', '48 10 12 9 11 5'],
    });
    expect(await coins('volume', { ...OWN, kind: 'index' })).toEqual(['-', '-']);
  });
});

describe('The facts of a file', () => {
  const ROWS = ['2024-01-01,10', '2024-01-02,11'];

  it('come from options, the columns, the name, the form and the times, in this order', async () => {
    const lines = ['symbol,date,close', ...ROWS.map(row => `ETHEUR,${row}`)];
    const path = '/x/kraken_BTCUSD_1d.csv';
    const understood = async (options: ImportOptions) => (await read(lines, options, { path })).understood;
    expect(await understood({})).toBe(
      'times are the opening of bars; from the column: symbol ETH, quote EUR; from the name: exchange kraken, timeframe 1d',
    );
    expect(await understood({ asset: 'SOL' })).toBe(
      'times are the opening of bars; from the name: quote USD, exchange kraken, timeframe 1d',
    );
    expect(await understood({ ...BTC, timeframe: '1d', stamp: 'close' })).toBe('times are the end of bars');
    expect(await understood({ ...BTC, kind: 'index', timeframe: '1d', stamp: 'snapshot' })).toBe(
      'times are moments: a price at 00:00 is the close of the day before',
    );
    expect((await read(['2024-01-01,10,12,9,11', '2024-01-02,10,12,9,11'])).understood).toBe(
      'rows are OHLC; times are the opening of bars; from the times: timeframe 1d',
    );
    expect((await read(['date,fundingRate,x', '2024-01-01,0.1,5', '2024-01-02,0.2,5'])).understood).toBe(
      'times are settlements; rates are percentage points, divided by 100; from the times: timeframe 1d; not used: x',
    );
    expect((await read([',close', ...ROWS])).understood).toBe(
      'times are the opening of bars; from the times: timeframe 1d',
    );
  });

  it('have a stamp by their kind', async () => {
    const stamp = async (header: string, options: ImportOptions = {}) => {
      const series = await seriesOf([header, ...ROWS], { ...BTC, ...options });
      return Object.values(series ?? {})[0][0].split(' ')[0];
    };
    expect(await stamp('date,close')).toBe('24');
    expect(await stamp('date,price')).toBe('24');
    expect(await stamp('date,price', { stamp: 'snapshot' })).toBe('0');
    // The index of Coin Metrics is a price at the start of the day.
    expect(await stamp('date,ReferenceRateUSD')).toBe('0');
    expect(await stamp('close_time,close')).toBe('0');
    expect(await stamp('date,close', { stamp: 'close' })).toBe('0');
    expect(await stamp('snapped_at,close', { exchange: 'coingecko' })).toBe('0');
    const both = ['date,close,price', '2024-01-01,1,2', '2024-01-02,1,2'];
    expect(await seriesOf(both)).toEqual({ 'price BTC/USD kraken 1d': ['24 - - - 1 -', '48 - - - 1 -'] });
  });

  it.each([
    [{}, 'the file does not say of which symbol, quote, exchange its rows are'],
    [{ asset: 'BTC' }, 'the file does not say of which quote, exchange its rows are'],
    [{ asset: 'BTC', exchange: 'own' }, 'the file does not say of which quote its rows are'],
    [{ quote: 'USD', exchange: 'own' }, 'the file does not say of which symbol its rows are'],
    [{ ...BTC, asset: 'USD' }, '"USD" is no name of an asset or an exchange'],
    [{ ...BTC, asset: 'cash' }, '"CASH" is no name of an asset or an exchange'],
    [{ ...BTC, asset: '1' }, '"1" is no name of an asset or an exchange'],
    [{ ...BTC, quote: 'U/D' }, '"U/D" is no name of an asset or an exchange'],
    [{ ...BTC, exchange: 'a b' }, '"a b" is no name of an asset or an exchange'],
  ])('%j are refused', async (options, message) => {
    expect(await faultsOf(['date,close', ...ROWS], options)).toEqual([message]);
  });

  it('are of one symbol, and of no derivative without an option', async () => {
    const lines = (...names: string[]) => [
      'symbol,date,close',
      ...names.map((name, i) => `${name},${ROWS[i]}`),
    ];
    const options = { quote: 'USD', exchange: 'own' };
    expect(await faultsOf(lines('BTCUSD', 'ETHUSD'), options)).toEqual([
      'the rows are of 2 symbols: BTCUSD, ETHUSD',
      'the file does not say of which symbol its rows are',
    ]);
    const swap = lines('BTC-USDT-SWAP', 'BTC-USDT-SWAP');
    const told = (where: string) => [
      `by ${where} these are prices of a perpetual or a future, and not of the asset itself`,
    ];
    expect(await faultsOf(swap, { exchange: 'own' })).toEqual(told('the column of symbols'));
    expect(Object.keys((await seriesOf(swap, { exchange: 'own', kind: 'price' })) ?? {})).toEqual([
      'price BTC/USDT own 1d',
    ]);
    // An option for the asset says that the column is known.
    expect(Object.keys((await seriesOf(swap, BTC)) ?? {})).toEqual(['price BTC/USD kraken 1d']);
    const path = '/x/BTC_USD_perp.csv';
    expect(await faultsOf(['date,close', ...ROWS], BTC, { path })).toEqual(told('the name of the file'));
    const funding = ['date,rate', '2024-01-01,0.1', '2024-01-02,0.2'];
    expect(Object.keys((await seriesOf(funding, BTC, { path })) ?? {})).toEqual([
      'funding BTC/USD kraken 1d',
    ]);
  });

  it('are refused at the line of the header, or of the first row', async () => {
    const told = async (...lines: string[]) => (await faultsOf(lines))[0].split(':')[0];
    expect(await told('date,x', '2024-01-01,1')).toBe('1');
    expect(await told('# a', '# b', 'date,x', '2024-01-01,1')).toBe('3');
    expect(await told('date,x')).toBe('1');
    expect(await told('1,2', '1,2')).toBe('1');
    expect(await told('# a', '1,2', '1,2')).toBe('2');
    await expect(read(['date,close'])).rejects.toThrow('there are no rows');
  });
});

it('Rows have as many fields as the header, or the first row', async () => {
  const options = { ...BTC, timeframe: '1d' } as const;
  const lines = ['date,close', '2024-01-01,1', '2024-01-02', '2024-01-03,1,2'];
  expect(await faultsOf(lines, options)).toEqual(['3:2 fields expected, 1 found x 2']);
  const rows = ['2024-01-01,10,12,9,11', '2024-01-02,10,12,9'];
  expect(await faultsOf(rows, options)).toEqual(['2:5 fields expected, 4 found']);
});
