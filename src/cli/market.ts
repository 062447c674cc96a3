/**
 * The command line of the market store: import files, list what is held.
 *
 * Takes: arguments, the configuration. Gives: text, and an exit code: 0 done, 1 refused, 2 not understood.
 */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Presets, SingleBar } from 'cli-progress';
import { ConfigError, loadConfig } from '../config.ts';
import { counted } from '../market/counted.ts';
import { ImportError } from '../market/import/import-error.ts';
import { type ImportReport, importFiles } from '../market/import/import-files.ts';
import { SAMPLE_MARKET } from '../market/open-market.ts';
import { MarketStoreError } from '../market/store/database.ts';
import { StoreSource } from '../market/store/store-source.ts';
import { formatTable } from './table.ts';

const HELP = `Market data of the risk engine.

Usage
  npm run market -- import <folder or file>...   add market data to the store
  npm run market -- list                         show every series held
  npm run market -- --help

The store is the file that MARKET_DB names (default data/market.duckdb); it is made by the first import.
Without MARKET_DB and without that file the server serves a synthetic sample market.

import reads CSV files from folders called
  daily            <symbol>_usdt.csv                      date,open,high,low,close,volume
  hourly           <symbol>_usdt.csv                      timestamp,open,high,low,close,volume
  stablecoin       <symbol>_usd.csv                       date,timestamp,price
  dvol             <symbol>_dvol.csv                      date,open,high,low,close
  exchange_volume  <symbol>_daily_volume.csv              date,<exchange>_<quote>,...
  funding          <exchange>_<symbol>_<quote>_perp.csv   timestamp,funding_rate
Times are UTC; a bar is stamped with its opening. One file can be imported too, from inside such a folder.
Everything is imported or, if a row is faulty, nothing. Rows that are held already stay; where a number differs,
the file's replaces it, and the report says how many. A server that reads the store has to be stopped first.

Exit codes: 0 done, 1 refused or failed, 2 not understood.
`;

/** Where the command writes. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a progress bar can be drawn on standard error. */
  readonly terminal: boolean;
}

/**
 * Runs one command and returns its exit code; prints what went wrong rather than throwing it.
 *
 * @param args arguments after the program's name
 * @param store path of the market store
 */
export async function runMarketCommand(
  args: readonly string[],
  store: string,
  output: Output,
): Promise<number> {
  let command: string | undefined;
  let paths: string[];
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (values.help) {
      output.out(HELP);
      return 0;
    }
    [command, ...paths] = positionals;
  } catch (error) {
    return misunderstood((error as Error).message, output);
  }
  try {
    if (store === SAMPLE_MARKET) {
      throw new MarketStoreError(
        `MARKET_DB=${SAMPLE_MARKET} names the sample market, which is no store: set MARKET_DB to the path of one`,
      );
    }
    if (command === 'import') {
      if (paths.length === 0) return misunderstood('import needs a folder or a file', output);
      await runImport(paths, store, output);
    } else if (command === 'list') {
      if (paths.length > 0) return misunderstood('list takes no further argument', output);
      await runList(store, output);
    } else {
      return misunderstood(
        command === undefined ? 'a command is missing' : `there is no command ${command}`,
        output,
      );
    }
    return 0;
  } catch (error) {
    if (error instanceof ImportError) output.err(`Nothing was imported.\n${error.message}\n`);
    else if (error instanceof MarketStoreError || isSystemError(error)) output.err(`${error.message}\n`);
    else throw error;
    return 1;
  }
}

/** A file that cannot be read, a folder that cannot be made: the system's own words say it. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

function misunderstood(message: string, output: Output): number {
  output.err(`${message}\nTry: npm run market -- --help\n`);
  return 2;
}

async function runImport(paths: readonly string[], store: string, output: Output): Promise<void> {
  const bar = output.terminal
    ? new SingleBar(
        { format: '{bar} {percentage} % | {file}', hideCursor: true, clearOnComplete: true },
        Presets.shades_classic,
      )
    : undefined;
  bar?.start(1, 0, { file: '' });
  try {
    const report = await importFiles({
      store,
      paths,
      onProgress: (done, total, file) => {
        bar?.setTotal(total);
        bar?.update(done, { file });
      },
    });
    bar?.stop();
    output.out(reportText(report, store));
  } finally {
    bar?.stop();
  }
}

function reportText({ files, leftAside, disagreements }: ImportReport, store: string): string {
  const sources = [...new Set(files.map(({ source }) => source))];
  const rows = sources.map(source => {
    const ofSource = files.filter(file => file.source === source);
    const sum = (count: 'added' | 'replaced' | 'unchanged'): string =>
      String(ofSource.reduce((total, file) => total + file[count], 0));
    return [source, String(ofSource.length), sum('added'), sum('unchanged'), sum('replaced')];
  });
  const lines = [formatTable(['source', 'files', 'new', 'unchanged', 'replaced'], rows, 1)];
  for (const { path, replaced } of files) {
    if (replaced > 0)
      lines.push(`${path}: ${counted(replaced, 'row')} had other numbers and got those of the file`);
  }
  for (const { market, days, firstDay } of disagreements) {
    lines.push(
      `${market}: daily/ and exchange_volume/ tell different volumes on ${counted(days, 'day')}, first on ${firstDay}; daily/ is used`,
    );
  }
  if (leftAside.length > 0) lines.push(`Not part of the layout, left aside: ${leftAside.join(', ')}`);
  const changed = files.some(({ added, replaced }) => added + replaced > 0);
  lines.push(changed ? `Imported into ${store}.` : `Nothing new: ${store} is as it was.`);
  return `${lines.join('\n')}\n`;
}

async function runList(store: string, output: Output): Promise<void> {
  if (!existsSync(store)) {
    throw new MarketStoreError(
      `There is no market store at ${store}. Make one: npm run market -- import <folder>`,
    );
  }
  const source = await StoreSource.open(store);
  try {
    const rows = (await source.list()).map(series => [
      series.symbol,
      series.kind,
      series.source,
      series.first,
      series.last,
      String(series.rows),
      String(series.gaps),
    ]);
    output.out(
      `${formatTable(['series', 'kind', 'source', 'first', 'last', 'rows', 'gaps'], rows, 5)}\n${source.description}\n`,
    );
  } finally {
    await source.close();
  }
}

/** Whether this file is the program, and not imported by another. */
const isProgram = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href;

if (isProgram) {
  try {
    process.exitCode = await runMarketCommand(process.argv.slice(2), loadConfig(process.env).marketDb, {
      out: text => process.stdout.write(text),
      err: text => process.stderr.write(text),
      terminal: process.stderr.isTTY === true,
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
