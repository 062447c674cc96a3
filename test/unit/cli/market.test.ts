import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMarketCommand } from '#src/cli/market.js';
import { dumpStore, temporaryFolder, writeFiles } from '../../support/market-files.js';

const BAR = 'date,open,high,low,close,volume';
const DAILY = 'daily/btc_usdt.csv';
const ROWS = [BAR, '2024-01-01,10,12,9,11,100', '2024-01-03,11,13,10,12,200'];

/** Runs a command; `text` is all that it wrote, the temporary folder shown as FOLDER. */
async function run(folder: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const code = await runMarketCommand(args, join(folder, 'market.duckdb'), {
    out: text => {
      written.out += text;
    },
    err: text => {
      written.err += text;
    },
    terminal: false,
  });
  return {
    code,
    out: written.out.replaceAll(folder, 'FOLDER'),
    err: written.err.replaceAll(folder, 'FOLDER'),
  };
}

/** Another process that has the store open as a server has. */
async function reader(path: string): Promise<ChildProcess> {
  const module = new URL('../../../dist/market/store/store-source.js', import.meta.url).href;
  const script = `
    const { StoreSource } = await import(${JSON.stringify(module)});
    await StoreSource.open(${JSON.stringify(path)});
    console.log('open');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill();
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

describe('the market command', () => {
  it('takes the sample market for no store', async () => {
    let told = '';
    const output = { out: () => {}, err: (text: string) => (told += text), terminal: false };
    for (const args of [['import', temporaryFolder()], ['list']]) {
      expect(await runMarketCommand(args, 'sample', output)).toBe(1);
    }
    expect(told).toMatch(/^(MARKET_DB=sample names the sample market, which is no store: .+\n){2}$/);
  });

  it('imports and says what it did', async () => {
    const folder = writeFiles(temporaryFolder(), { [DAILY]: ROWS, 'README.md': ['text'] });
    expect(await run(folder, 'import', folder)).toEqual({
      code: 0,
      err: '',
      out: [
        'source  files  new  unchanged  replaced',
        'daily       1    2          0         0',
        'Not part of the layout, left aside: FOLDER/README.md',
        'Imported into FOLDER/market.duckdb.',
        '',
      ].join('\n'),
    });
    const again = await run(folder, 'import', join(folder, 'daily'));
    expect(again.out).toBe(
      [
        'source  files  new  unchanged  replaced',
        'daily       1    0          2         0',
        'Nothing new: FOLDER/market.duckdb is as it was.',
        '',
      ].join('\n'),
    );
    writeFiles(folder, { [DAILY]: [BAR, '2024-01-01,10,12,9,10,100'] });
    expect((await run(folder, 'import', join(folder, DAILY))).out).toBe(
      [
        'source  files  new  unchanged  replaced',
        'daily       1    0          0         1',
        'FOLDER/daily/btc_usdt.csv: 1 row had other numbers and got those of the file',
        'Imported into FOLDER/market.duckdb.',
        '',
      ].join('\n'),
    );
  });

  it('tells of two sources that differ', async () => {
    const folder = writeFiles(temporaryFolder(), {
      [DAILY]: ROWS,
      'exchange_volume/btc_daily_volume.csv': ['date,binance_usdt', '2024-01-03,201'],
    });
    expect((await run(folder, 'import', folder)).out).toContain(
      'BTC/USDT binance: daily/ and exchange_volume/ tell different volumes on 1 day, first on 2024-01-03; daily/ is used',
    );
  });

  it('lists the series held', async () => {
    const folder = writeFiles(temporaryFolder(), {
      [DAILY]: ROWS,
      'funding/binance_btc_usdt_perp.csv': ['timestamp,funding_rate', '2024-01-01T08:00:00Z,0.0001'],
    });
    await run(folder, 'import', folder);
    expect(await run(folder, 'list')).toEqual({
      code: 0,
      err: '',
      out: [
        'series            kind          source   first              last               rows  gaps',
        'BTC               daily prices  daily    2024-01-01         2024-01-03            2     1',
        'BTC/USDT binance  funding rate  funding  2024-01-01T08:00Z  2024-01-01T08:00Z     1     0',
        'store FOLDER/market.duckdb, 1 asset, 2024-01-01 to 2024-01-03',
        '',
      ].join('\n'),
    });
  });

  it('refuses a faulty file with code 1 and every place', async () => {
    const folder = writeFiles(temporaryFolder(), { [DAILY]: [...ROWS, '2024-01-04,1,1,1,x,1'] });
    expect(await run(folder, 'import', folder)).toEqual({
      code: 1,
      out: '',
      err: 'Nothing was imported.\nFOLDER/daily/btc_usdt.csv:4:18: "x" is not a finite number\n',
    });
  });

  it('says how to make a store where there is none', async () => {
    const folder = temporaryFolder();
    expect(await run(folder, 'list')).toEqual({
      code: 1,
      out: '',
      err: 'There is no market store at FOLDER/market.duckdb. Make one: npm run market -- import <folder>\n',
    });
  });

  it('tells what the system refuses, without a stack', async () => {
    const folder = writeFiles(temporaryFolder(), { [DAILY]: ROWS });
    const written: string[] = [];
    // A file where a folder is needed.
    const code = await runMarketCommand(['import', folder], join(folder, DAILY, 'market.duckdb'), {
      out: () => {},
      err: text => written.push(text),
      terminal: false,
    });
    expect(code).toBe(1);
    expect(written.join('')).toMatch(/^EEXIST: .*\n$/);
  });

  it.each([
    [[], 'a command is missing'],
    [['export'], 'there is no command export'],
    [['import'], 'import needs a folder or a file'],
    [['list', 'everything'], 'list takes no further argument'],
  ])('does not understand %j', async (args, message) => {
    expect(await run(temporaryFolder(), ...args)).toEqual({
      code: 2,
      out: '',
      err: `${message}\nTry: npm run market -- --help\n`,
    });
  });

  it('does not understand an option that there is not', async () => {
    const { code, err } = await run(temporaryFolder(), 'list', '--all');
    expect(code).toBe(2);
    expect(err).toContain("Unknown option '--all'");
  });

  it('helps', async () => {
    for (const args of [['--help'], ['import', '-h']]) {
      const { code, out } = await run(temporaryFolder(), ...args);
      expect(code).toBe(0);
      expect(out).toContain('npm run market -- import <folder or file>...');
    }
  });

  it('cannot import into a store that a server reads, and leaves it as it was', async () => {
    const folder = writeFiles(temporaryFolder(), { [DAILY]: ROWS });
    const store = join(folder, 'market.duckdb');
    await run(folder, 'import', folder);
    const before = await dumpStore(store);
    writeFiles(folder, { [DAILY]: [...ROWS, '2024-01-04,1,1,1,1,1'] });
    const server = await reader(store);
    expect(await run(folder, 'import', folder)).toEqual({
      code: 1,
      out: '',
      err: 'FOLDER/market.duckdb is in use by another process. Stop the server that reads it, or import into another file.\n',
    });
    expect((await run(folder, 'list')).code).toBe(0);
    server.kill();
    await once(server, 'exit');
    expect(await dumpStore(store)).toBe(before);
    expect((await run(folder, 'import', folder)).code).toBe(0);
  });
});
