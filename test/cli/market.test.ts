import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runMarketCommand } from '#src/cli/market.js';
import { marketCommand } from '#src/host/market-command.js';
import { DEFAULT_RULES, readRules } from '#src/market/rules.js';
import { EMPTY_MANIFEST, sha256 } from '#src/market/store/manifest.js';
import { openStoreWriter } from '#src/market/store/store-writer.js';
import { temporaryFolder, writeFiles } from '../support/market-files.ts';
import { recorded } from '../support/recorded-output.ts';

const BAR = 'date,open,high,low,close,volume';
const DAILY = 'daily/btc_usdt.csv';
const SYNC = ['sync', '--exchange', 'binance', '--symbols', 'BTC/USDT'];
const ROWS = [BAR, '2024-01-01,10,12,9,11,100', '2024-01-03,11,13,10,12,200'];

/** Runs a command; the output names the temporary folder as FOLDER. */
async function run(folder: string, ...args: string[]) {
  const { code, out, err } = await recorded(output =>
    runMarketCommand(args, { store: join(folder, 'market'), rules: DEFAULT_RULES }, output),
  );
  return { code, out: out.replaceAll(folder, 'FOLDER'), err: err.replaceAll(folder, 'FOLDER') };
}

const notUnderstood = (message: string) => ({
  code: 2,
  out: '',
  err: `error: ${message}\nTry: ${marketCommand()} --help\n`,
});

describe('the market command', () => {
  it('refuses the sample market as a store', async () => {
    for (const args of [['import', temporaryFolder()], ['list']]) {
      const { code, err } = await recorded(output =>
        runMarketCommand(args, { store: 'sample', rules: DEFAULT_RULES }, output),
      );
      expect(code).toBe(1);
      expect(err).toMatch(/^MARKET_DB=sample names the sample market, which is not a store: .+\n$/);
    }
  });

  it('lists the names of a foreign store without what a terminal obeys', async () => {
    const key = {
      kind: 'price',
      symbol: 'BTC',
      asset: 'BTC',
      quote: '\u001b[2J',
      exchange: '\u009bx',
      timeframe: '1d',
    };
    const file = `series/${'0'.repeat(64)}.parquet`;
    const series = {
      ...key,
      rows: 1,
      gaps: 0,
      volumes: false,
      firstHour: 0,
      lastHour: 24,
      content: '',
      file,
      bytes: 9,
    };
    const manifest = JSON.stringify({ ...EMPTY_MANIFEST, series: [series] });
    const name = `manifests/${sha256(`${manifest}\n`)}.json`;
    const folder = temporaryFolder();
    writeFiles(join(folder, 'market'), { [name]: [manifest], CURRENT: [JSON.stringify({ manifest: name })] });
    const { code, out } = await run(folder, 'list');
    expect(code).toBe(0);
    expect(out).toContain('\\u{1b}[2J \\u{9b}x 1d');
    expect(out).toMatch(/^[\n -~]*$/);
  });

  it('shows the reading of a file, imports it and reports the result', async () => {
    const folder = writeFiles(temporaryFolder(), { [DAILY]: ROWS, 'README.md': ['text'] });
    const understood = [
      'FOLDER/daily/btc_usdt.csv: price of BTC/USDT binance 1d, 2 rows, 2024-01-01 to 2024-01-03',
      '  times are the opening of bars; from the name: symbol BTC, quote USDT, exchange binance, timeframe 1d',
      '  note: BTC/USDT binance 1d: 1 row missing in 1 gap, the longest 2024-01-02',
    ];
    expect(await run(folder, 'import', folder)).toEqual({
      code: 0,
      err: '',
      out: [
        ...understood,
        'Not market data, left aside: FOLDER/README.md',
        'kind   files  new  unchanged  replaced',
        'price      1    2          0         0',
        'Imported into FOLDER/market.',
        '',
      ].join('\n'),
    });
    const again = await run(folder, 'import', join(folder, 'daily'));
    expect(again.out).toBe(
      [
        ...understood,
        'kind   files  new  unchanged  replaced',
        'price      1    0          2         0',
        'Nothing new: FOLDER/market is as it was.',
        '',
      ].join('\n'),
    );
    writeFiles(folder, { [DAILY]: [BAR, '2024-01-01,10,12,9,10,100'] });
    const refused = await run(folder, 'import', join(folder, DAILY));
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(
      '1 of the 2 rows held of price BTC/USDT binance 1d would get other numbers\n  Check that the file is of this market',
    );
    expect((await run(folder, 'import', join(folder, DAILY), '--replace')).out).toContain(
      [
        'price      1    0          0         1',
        'FOLDER/daily/btc_usdt.csv: 1 row had other numbers and got those of the file',
        'Imported into FOLDER/market.',
        '',
      ].join('\n'),
    );
  });

  it('writes nothing with --dry-run', async () => {
    const folder = writeFiles(temporaryFolder(), { [DAILY]: ROWS });
    const { code, out } = await run(folder, 'import', join(folder, 'daily'), '--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/price of BTC\/USDT binance 1d[\s\S]*Nothing was written \(--dry-run\)\.\n$/);
    expect(existsSync(join(folder, 'market'))).toBe(false);
  });

  it('completes a file by options, or by a mapping file', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'prices.csv': ['Tag,Schluss', '2024-01-01,10', '2024-01-02,11'],
      'mapping.json': [
        '{"symbol": "ETH/EUR", "exchange": "Kraken", "columns": {"time": "Tag", "close": "Schluss"}}',
      ],
    });
    const file = join(folder, 'prices.csv');
    await run(
      folder,
      'import',
      file,
      '--symbol=btc',
      '--quote=usd',
      '--exchange=Kraken',
      '--columns=time=Tag,close=Schluss',
    );
    await run(folder, 'import', file, `--mapping=${join(folder, 'mapping.json')}`);
    const { out } = await run(folder, 'list');
    expect(out).toContain('BTC/USD kraken 1d  price  price of BTC  2024-01-01  2024-01-02     2     0');
    // A quote that is no dollar prices nothing.
    expect(out).toContain('ETH/EUR kraken 1d  price  not used      2024-01-01  2024-01-02     2     0');
  });

  it('lists the stored series, their use as prices, and the rule', async () => {
    const folder = writeFiles(temporaryFolder(), {
      [DAILY]: ROWS,
      'kraken_BTC_USD_1d.csv': [BAR, '2024-01-01,10,12,9,11.5,7'],
      'funding/binance_btc_usdt_perp.csv': ['timestamp,funding_rate', '2024-01-01T08:00:00Z,0.0001'],
      'rules.json': ['{"exchanges": ["kraken"], "aliases": {"WBTC": "BTC"}}'],
    });
    await run(folder, 'import', folder);
    await run(folder, 'import', join(folder, 'kraken_BTC_USD_1d.csv'));
    const { out } = await run(folder, 'list');
    expect(out.replace(/ +/g, ' ').split('\n')).toEqual([
      'series kind use first last rows gaps',
      'BTC/USDT binance 8h funding 2024-01-01T08:00Z 2024-01-01T08:00Z 1 0',
      'BTC/USD kraken 1d price not used 2024-01-01 2024-01-01 1 0',
      'BTC/USDT binance 1d price price of BTC 2024-01-01 2024-01-03 2 1',
      expect.stringMatching(
        /^Prices: .* Exchanges: index, binance, .* Quotes taken as USD: USD, USDT, USDC\.$/,
      ),
      'Symbols: CASH is USD, XBT is BTC, XXBT is BTC.',
      expect.stringMatching(
        /^store FOLDER\/market, 1 asset, 2024-01-01 to 2024-01-03, version [0-9a-f]{12}$/,
      ),
      '',
    ]);
    let printed = '';
    const output = { out: (text: string) => (printed += text), err: () => {}, terminal: false };
    const place = { store: join(folder, 'market'), rules: readRules(join(folder, 'rules.json')) };
    expect(await runMarketCommand(['list'], place, output)).toBe(0);
    expect(printed).toMatch(/BTC\/USD kraken 1d +price +price of BTC/);
    expect(printed).toContain('WBTC is BTC');
  });

  it('refuses a faulty file with code 1 and every place', async () => {
    const folder = writeFiles(temporaryFolder(), { [DAILY]: [...ROWS, '2024-01-04,1,1,1,x,1'] });
    expect(await run(folder, 'import', folder)).toEqual({
      code: 1,
      out: '',
      err:
        'Nothing was imported.\nFOLDER/daily/btc_usdt.csv:4:5: "x" is not a number\n' +
        '  Numbers have a point as decimal mark, or a comma with --decimal comma; remove rows without them.\n',
    });
  });

  it('explains the creation of a store if there is none', async () => {
    const folder = temporaryFolder();
    expect(await run(folder, 'list')).toEqual({
      code: 1,
      out: '',
      err: `There is no market store at FOLDER/market. Make one: ${marketCommand()} import <file or folder>\n`,
    });
  });

  it('refuses a file in place of the folder of the store, without a stack', async () => {
    const folder = writeFiles(temporaryFolder(), { [DAILY]: ROWS });
    // A file in place of a folder.
    const place = { store: join(folder, DAILY, 'market'), rules: DEFAULT_RULES };
    const { code, err } = await recorded(output =>
      runMarketCommand(['import', join(folder, 'daily')], place, output),
    );
    expect(code).toBe(1);
    expect(err).toMatch(/^.* is not a market store\.\n$/);
  });

  it.each([
    [['export'], "unknown command 'export'\n(Did you mean import?)"],
    [['import'], "missing required argument 'paths'"],
    [['list', 'everything'], "too many arguments for 'list'. Expected 0 arguments but got 1."],
    [['list', '--all'], "unknown option '--all'"],
    [['remove', 'BTC'], 'name the kind and the name of a series, as in price BTC/USDT binance 1d'],
    [
      ['import', 'a.csv', '--kind', 'spot'],
      "option '--kind <kind>' argument 'spot' is invalid. Allowed choices are price, volume, index, funding.",
    ],
    [
      ['import', 'a.csv', '--columns', 'time=Date,last=Price'],
      "option '--columns <pairs>' argument 'time=Date,last=Price' is invalid. It is written time=Date,close=Price with time, open, high, low, close, volume, price, funding, symbol; got last=Price.",
    ],
  ])('refuses %j', async (args, message) => {
    expect(await run(temporaryFolder(), ...args)).toEqual(notUnderstood(message));
  });

  it('shows its help where no command is named', async () => {
    const { code, out, err } = await run(temporaryFolder());
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`Usage: ${marketCommand()} [options] [command]`);
  });

  it.each([
    ['{"kind": "spot"}', 'kind must be one of price, volume, index, funding; got "spot"'],
    [
      '{"name": "BTC"}',
      'name is an unknown member; known here are symbol, quote, exchange, timeframe, kind, stamp, volume-unit, funding-unit, dates, decimal, columns',
    ],
    ['{"columns": {"last": "Price"}}', 'columns.last is an unknown member; known here are time, open'],
    ['[]', 'The body must be an object; got a list of 0'],
    ['{', 'It cannot be read as JSON: '],
  ])('refuses the mapping file %s', async (text, message) => {
    const folder = writeFiles(temporaryFolder(), { 'mapping.json': [text] });
    const { code, err } = await run(folder, 'import', folder, '--mapping', join(folder, 'mapping.json'));
    expect(code).toBe(2);
    expect(err).toContain(
      `error: option '--mapping <file>' argument 'FOLDER/mapping.json' is invalid. ${message}`,
    );
  });

  it('prints its help', async () => {
    const help = await run(temporaryFolder(), '--help');
    expect(help.code).toBe(0);
    for (const command of ['import', 'sync', 'check', 'list', 'remove', 'undo'])
      expect(help.out).toMatch(new RegExp(`^  ${command} `, 'm'));
    const { code, out } = await run(temporaryFolder(), 'import', '-h');
    expect(code).toBe(0);
    expect(out).toContain(`Usage: ${marketCommand()} import [options] <paths...>`);
  });

  it('checks a store and prints findings, remedies and the bounds of the checks', async () => {
    const folder = writeFiles(temporaryFolder(), {
      [DAILY]: ROWS,
      'kraken_BTC_USD_1d.csv': [BAR, '2024-01-01,10,12,9,11.5,7'],
    });
    await run(folder, 'import', join(folder, DAILY), join(folder, 'kraken_BTC_USD_1d.csv'));
    const { code, out, err } = await run(folder, 'check');
    expect([code, err]).toEqual([0, '']);
    expect(out.replaceAll(/\d+ rows old/g, 'N rows old')).toBe(
      [
        'price of BTC/USD kraken 1d',
        '  stale: the last row, 2024-01-01, is N rows old',
        '    Sync or import newer rows; a delisted asset stays as it is.',
        'price of BTC/USDT binance 1d',
        '  gap: 1 row missing in 1 gap, the longest 2024-01-02',
        '    Import the missing rows, or sync with --again --since a day before the gap; requests over a longer gap than is carried are refused.',
        '  stale: the last row, 2024-01-03, is N rows old',
        '    Sync or import newer rows; a delisted asset stays as it is.',
        'price of BTC/USD kraken 1d',
        '  disagreement: closes differ from price of BTC/USDT binance 1d by more than 2 % on 1 day, most on 2024-01-01: 11.5 and 11',
        '    One of the two is wrong on these days, or quoted in a coin that had lost its peg; name the one to use in MARKET_RULES.',
        '2 series looked at, 4 findings (jumps beyond 20 standard deviations, sources apart by more than 2 %, ends older than 3 rows).',
        '',
      ].join('\n'),
    );
    const wide = await run(folder, 'check', '--disagreement', '0.05', '--stale-rows', '1000000');
    expect(wide.out).toContain('2 series looked at, 1 finding (jumps beyond 20');
    for (const file of readdirSync(join(folder, 'market/series'))) {
      writeFileSync(join(folder, 'market/series', file), 'spoilt');
    }
    const damaged = await run(folder, 'check');
    expect([damaged.code, damaged.err]).toEqual([1, '2 findings cannot be right.\n']);
    expect(damaged.out).toMatch(/damage: series\/[0-9a-f]{64}\.parquet holds other bytes than its name says/);
  });

  it.each([
    [['check', 'everything'], "too many arguments for 'check'. Expected 0 arguments but got 1."],
    [
      ['check', '--jump-sigmas=-1'],
      "option '--jump-sigmas <number>' argument '-1' is invalid. It must be a number above 0.",
    ],
    [
      ['check', '--disagreement', 'much'],
      "option '--disagreement <share>' argument 'much' is invalid. It must be a number above 0.",
    ],
    [['check', '--since', '2024-01-01'], "unknown option '--since'"],
    [['sync'], "required option '--exchange <name>' not specified"],
    [['sync', '--exchange', 'binance'], "required option '--symbols <symbols>' not specified"],
    [
      [...SYNC, '--kind', 'volume'],
      "option '--kind <kind>' argument 'volume' is invalid. Allowed choices are price, funding, index.",
    ],
    [[...SYNC, '--timeframe', '8h'], '--timeframe of a price is one of 1h, 1d; got 8h'],
    [
      [...SYNC, '--since', '01/02/2023'],
      "option '--since <day>' argument '01/02/2023' is invalid. It is a day, written YYYY-MM-DD.",
    ],
    [
      [...SYNC, '--every', 'hour'],
      "option '--every <interval>' argument 'hour' is invalid. It is written 30m, 1h or 1d.",
    ],
    [
      [...SYNC, '--every', '0h'],
      "option '--every <interval>' argument '0h' is invalid. It is written 30m, 1h or 1d.",
    ],
    [[...SYNC, '--again'], '--again requests rows from --since on; add for example --since 2023-01-01'],
  ])('refuses %j', async (args, message) => {
    expect(await run(temporaryFolder(), ...args)).toEqual(notUnderstood(message));
  });

  it('admits one writer at a time', async () => {
    const folder = writeFiles(temporaryFolder(), { [DAILY]: ROWS });
    const writer = await openStoreWriter(join(folder, 'market'));
    const [, busy] = [
      await run(folder, 'import', folder),
      await run(folder, 'import', join(folder, 'daily')),
    ];
    expect([busy.code, busy.err]).toEqual([
      1,
      'Another import or sync is writing to FOLDER/market. Run this again when it is done.\n',
    ]);
    writer.close();
    expect((await run(folder, 'import', join(folder, 'daily'))).code).toBe(0);
  });
});
