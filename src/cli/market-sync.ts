/** `market sync`: brings series of an exchange up to the last complete bar, once or at intervals. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { KIND_TIMEFRAMES, type Timeframe } from '../market/store/series-key.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { openExchange, UnknownExchange } from '../market/sync/exchange.ts';
import { type SyncedSeries, type SyncRequest, syncOnce } from '../market/sync/sync.ts';
import { type Day, formatIsoDate, MS_PER_DAY, MS_PER_HOUR } from '../text/calendar-date.ts';
import { counted } from '../text/counted.ts';
import type { MarketCall } from './market-command.ts';
import { day } from './options.ts';

const KINDS = ['price', 'funding', 'index'] as const;
const USUAL_TIMEFRAME: Readonly<Record<(typeof KINDS)[number], Timeframe>> = {
  price: '1h',
  funding: '8h',
  index: '1d',
};
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: MS_PER_HOUR, d: MS_PER_DAY };
/** Delay after the start of an interval, in which the exchange closes the bar. */
const GRACE_MS = 5000;

const STOPPED = 'Stopped; the rows fetched so far are stored.\n';

interface SyncOptions {
  readonly exchange: string;
  readonly symbols: readonly string[];
  readonly kind: (typeof KINDS)[number];
  readonly timeframe?: Timeframe;
  readonly since?: Day;
  readonly again?: true;
  readonly every?: number;
  readonly apiUrl?: string;
}

export function addSync(program: Command, call: MarketCall): void {
  program
    .command('sync')
    .description(
      'follow an exchange through ccxt: fetch complete bars after the last stored one; it can be killed at any moment',
    )
    .requiredOption('--exchange <name>', 'such as binance', text => text.toLowerCase())
    .requiredOption('--symbols <symbols>', 'with commas between: BTC/USDT,ETH/USDT', listOf)
    .addOption(
      new Option(
        '--kind <kind>',
        "bars, funding rates of BTC/USDT:USDT, or Deribit's volatility index of BTC",
      )
        .choices(KINDS)
        .default('price'),
    )
    .option('--timeframe <timeframe>', '1h or 1d; default 1h, 8h for funding, 1d for an index')
    .option('--since <day>', 'first day of a series that is not stored yet, such as 2023-01-01', day)
    .option('--again', 'fetch everything from --since on again, to fill gaps')
    .option('--every <interval>', 'repeat at this interval: 30m, 1h or 1d', interval)
    .option('--api-url <address>', "a proxy in place of the exchange's own address")
    .action((sent: SyncOptions, command: Command) => sync(sent, command, call));
}

/**
 * Runs until all series are up to date; with `--every` until a signal stops the process, which is not a failure.
 *
 * @throws MarketStoreError where a series failed and there is no `--every`
 */
async function sync(
  sent: SyncOptions,
  command: Command,
  { store, keepDays, output }: MarketCall,
): Promise<void> {
  const { exchange, symbols, kind, since, again = false, every: everyMs, apiUrl } = sent;
  const { timeframe = USUAL_TIMEFRAME[kind] } = sent;
  if (!KIND_TIMEFRAMES[kind].includes(timeframe))
    command.error(
      `error: --timeframe of a ${kind} is one of ${KIND_TIMEFRAMES[kind].join(', ')}; got ${timeframe}`,
    );
  if (again && since === undefined)
    command.error('error: --again requests rows from --since on; add for example --since 2023-01-01');
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    const client = await openExchange(exchange, {
      ...(apiUrl === undefined ? {} : { apiUrl }),
      signal: stop.signal,
    });
    let request: SyncRequest = {
      store,
      keepDays,
      client,
      kind,
      symbols,
      timeframe,
      since: since === undefined ? undefined : new Date(since * MS_PER_DAY),
      again,
      now: () => new Date(),
      signal: stop.signal,
      wait: milliseconds => wait(milliseconds, undefined, { signal: stop.signal }),
      onPage: (name, fetched, untilHour) => {
        if (output.terminal)
          output.err(
            `\r${name}: ${counted(fetched, 'row')}, to ${formatIsoDate(Math.floor(untilHour / 24))} `,
          );
      },
      onRetry: (name, error, waitMs) =>
        output.err(`${name}: ${error.message.split('\n')[0].slice(0, 200)}; again in ${waitMs / 1000} s\n`),
    };
    try {
      for (;;) {
        const results = await syncOnce(request);
        if (output.terminal) output.err('\n');
        for (const result of results) output.out(`${describe(result)}\n`);
        if (stop.signal.aborted) break;
        const failed = results.filter(({ failure }) => failure !== undefined);
        if (everyMs === undefined) {
          if (failed.length > 0)
            throw new MarketStoreError(
              `${counted(failed.length, 'series')} could not be brought up to the present.`,
            );
          return;
        }
        request = { ...request, again: false };
        const present = Date.now();
        await request.wait(Math.ceil(present / everyMs) * everyMs + GRACE_MS - present);
      }
      output.out(STOPPED);
    } finally {
      await client.close();
    }
  } catch (error) {
    if (error instanceof UnknownExchange) command.error(`error: ${error.message}`);
    if (!stop.signal.aborted) throw error;
    output.out(STOPPED);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

/** Reads a list with commas. */
const listOf = (text: string): readonly string[] =>
  [...new Set(text.split(',').map(each => each.trim()))].filter(each => each !== '');

/** Reads an interval, milliseconds. */
function interval(text: string): number {
  const [, number, unit] = /^(\d{1,4})([smhd])$/.exec(text) ?? [];
  if (!(Number(number) > 0)) throw new InvalidArgumentError('It is written 30m, 1h or 1d.');
  return Number(number) * UNITS[unit];
}

function describe({ name, added, replaced, failure }: SyncedSeries): string {
  const corrected = replaced > 0 ? `, ${counted(replaced, 'row')} corrected` : '';
  return `${name}: ${counted(added, 'new row')}${corrected}${failure === undefined ? '' : `; stopped: ${failure}`}`;
}
