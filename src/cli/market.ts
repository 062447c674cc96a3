/**
 * The command line of the market store: import files, follow exchanges, list and check series.
 *
 * Takes: arguments, the configuration. Gives: text, and an exit code: 0 done, 1 refused or failed, 2 not understood.
 */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ConfigError, loadConfig } from '../config.ts';
import { ImportError } from '../market/import/import-error.ts';
import { printableLines } from '../market/printable.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { runCheck } from './market-check.ts';
import {
  MARKET_OPTIONS,
  type MarketCall,
  type MarketOption,
  type MarketPlace,
  UsageError,
} from './market-command.ts';
import { IMPORT_OPTIONS, runImport } from './market-import.ts';
import { runList, runRemove, runUndo } from './market-store.ts';
import { runSync } from './market-sync.ts';
import { EXIT, guardCommand, type Output, processOutput } from './output.ts';

const HELP = `Market data of the risk engine.

Usage
  npm run market -- import <file or folder>... [options]   add market data to the store
  npm run market -- sync --exchange binance --symbols BTC/USDT,ETH/USDT --since 2023-01-01 [options]
                                                           follow an exchange (through ccxt)
  npm run market -- check [options]                        find gaps, jumps, stale ends, disagreement of sources
  npm run market -- list                                   list every series, and which of them price an asset
  npm run market -- remove "price BTC/USDT binance 1d"     remove a series from the store
  npm run market -- undo                                   restore the version before the last change
  npm run market -- --help

The store is the folder that MARKET_DB names (default data/market); the first import creates it. A running server loads
a new version within seconds. Without MARKET_DB and without that folder the server serves a synthetic sample market.

import reads CSV, JSON and Parquet files: OHLCV rows of ccxt, downloads of exchanges, prices of CoinGecko, date,close.
It prints how it reads each file before it writes anything. Options state what a file does not:
  --symbol BTC  --quote USD  --exchange kraken  --timeframe 1h|1d  --kind price|index|funding
  --stamp open|close|snapshot   what the times are: the opening of bars, their end, or moments of a price
  --columns time=Date,close=Price   names of columns: time, open, high, low, close, volume, price, funding, symbol
  --mapping <file.json>         the same from a file: {"symbol": "BTC", "columns": {"close": "Price"}}
  --volume-unit base|quote|none   what the volumes are counted in: BTC, or the USD of BTC/USD
  --dates dmy|mdy               31.01.2024 or 01/31/2024
  --decimal comma               numbers are written 42283,58
  --replace       replace more than 1 % of the stored rows of a series
  --complete      read a last line without a line end
  --allow-jumps   accept prices that jump to a multiple and back
  --dry-run       stop before anything is written
A faulty file stops the whole import. Stored rows remain; where a number differs, that of the file replaces it, and the
report counts them; more than 1 % of the rows of a series are replaced with --replace only. Prices of perpetuals and
futures are refused without --kind price. docs/market-data.md lists the formats.

sync fetches complete bars after the last stored one; it can be killed at any moment.
  --kind price|funding|index   bars (default), funding rates of BTC/USDT:USDT, Deribit's volatility index of BTC
  --timeframe 1h|1d            default 1h; 8h for funding, 1d for an index
  --since 2023-01-01           first day of a series that is not stored yet
  --again                      fetch everything from --since on again, to fill gaps
  --every 1h                   repeat at this interval
  --api-url <address>          a proxy in place of the exchange's own address

check reports jumps beyond --jump-sigmas 20 standard deviations, sources that differ by more than --disagreement 0.02, and
series whose last row is older than --stale-rows 3 rows; it fails on damage, disorder and impossible prices.

Exit codes: 0 done, 1 refused or failed, 2 not understood.
`;

interface MarketCommand {
  readonly run: (call: MarketCall) => Promise<void>;
  readonly options: readonly MarketOption[];
}

const COMMANDS: Readonly<Record<string, MarketCommand>> = {
  import: { run: runImport, options: IMPORT_OPTIONS },
  sync: {
    run: runSync,
    options: ['exchange', 'symbols', 'kind', 'timeframe', 'since', 'again', 'every', 'api-url'],
  },
  check: { run: runCheck, options: ['jump-sigmas', 'disagreement', 'stale-rows'] },
  list: { run: runList, options: [] },
  remove: { run: runRemove, options: [] },
  undo: { run: runUndo, options: [] },
};

/** Runs one command and returns its exit code; prints errors that the user can correct. @param args after the name of the program */
export async function runMarketCommand(
  args: readonly string[],
  place: MarketPlace,
  given: Output,
): Promise<number> {
  // Names of files and messages of libraries may contain control characters.
  const output: Output = { ...given, out: text => given.out(printableLines(text)) };
  const complain = (text: string) => given.err(printableLines(text));
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        ...Object.fromEntries(Object.entries(MARKET_OPTIONS).map(([name, type]) => [name, { type }])),
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
    if (values.help) {
      output.out(HELP);
      return EXIT.done;
    }
    const [name, ...operands] = positionals;
    if (name === undefined) throw new UsageError('a command is missing');
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw new UsageError(`unknown command ${name}`);
    const foreign = Object.keys(values).find(option => !command.options.some(each => each === option));
    if (foreign !== undefined) throw new UsageError(`${name} takes no option --${foreign}`);
    if (place.store === 'sample') {
      throw new MarketStoreError(
        'MARKET_DB=sample names the sample market, which is not a store: set MARKET_DB to a folder',
      );
    }
    await command.run({ ...place, operands, options: values as MarketCall['options'], output });
    return EXIT.done;
  } catch (error) {
    if (error instanceof UsageError || isArgumentError(error)) {
      complain(`${error.message}\nTry: npm run market -- --help\n`);
      return EXIT.notUnderstood;
    }
    if (error instanceof ImportError) complain(`Nothing was imported.\n${error.message}\n`);
    else if (error instanceof MarketStoreError || isSystemError(error)) {
      complain(`${error.message}\n`);
    } else throw error;
    return EXIT.refused;
  }
}

const isArgumentError = (error: unknown): error is Error =>
  error instanceof TypeError && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');

/** An error of the file system, with a sufficient message. */
const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

/** Whether this file is the program, not an import of it. */
const isProgram = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href;

if (isProgram) {
  const output = processOutput();
  guardCommand(output);
  try {
    const { marketDb: store, marketRules: rules } = loadConfig(process.env);
    process.exitCode = await runMarketCommand(process.argv.slice(2), { store, rules }, output);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    output.err(`${error.message}\n`);
    process.exitCode = 2;
  }
}
