/** `market sync`: brings series of an exchange up to the last complete bar, once or at intervals. */
import { setTimeout as wait } from 'node:timers/promises';
import { formatIsoDate, MS_PER_DAY, MS_PER_HOUR, parseIsoDate } from '../calendar-date.ts';
import { counted } from '../counted.ts';
import { KIND_TIMEFRAMES, type Timeframe } from '../market/store/series-key.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { openExchange, UnknownExchange } from '../market/sync/exchange.ts';
import { type SyncedSeries, type SyncRequest, syncOnce } from '../market/sync/sync.ts';
import { type MarketCall, UsageError } from './market-command.ts';

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

/**
 * Runs until all series are up to date; with `--every` until a signal stops the process, which is not a failure.
 *
 * @throws MarketStoreError where a series failed and there is no `--every`
 */
export async function runSync({ operands, options: sent, store, output }: MarketCall): Promise<void> {
  const { exchange, symbols, kind, timeframe, since, again, everyMs } = syncOptions(operands, sent);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    const client = await openExchange(exchange, {
      ...(sent['api-url'] === undefined ? {} : { apiUrl: sent['api-url'] }),
      signal: stop.signal,
    });
    let request: SyncRequest = {
      store,
      client,
      kind,
      symbols,
      timeframe,
      since,
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
    if (error instanceof UnknownExchange) throw new UsageError(error.message);
    if (!stop.signal.aborted) throw error;
    output.out(STOPPED);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

interface SyncOptions {
  readonly exchange: string;
  readonly symbols: readonly string[];
  readonly kind: (typeof KINDS)[number];
  readonly timeframe: Timeframe;
  readonly since: Date | undefined;
  readonly again: boolean;
  readonly everyMs: number | undefined;
}

function syncOptions(operands: readonly string[], sent: MarketCall['options']): SyncOptions {
  if (operands.length > 0) throw new UsageError('sync takes options only; use --symbols BTC/USDT,ETH/USDT');
  const { exchange, symbols } = sent;
  if (exchange === undefined || symbols === undefined) {
    throw new UsageError(
      'sync needs --exchange and --symbols, for example --exchange binance --symbols BTC/USDT',
    );
  }
  const kind = KINDS.find(each => each === (sent.kind ?? 'price'));
  if (kind === undefined) throw new UsageError(`--kind is one of ${KINDS.join(', ')}; got ${sent.kind}`);
  const timeframe = KIND_TIMEFRAMES[kind].find(each => each === (sent.timeframe ?? USUAL_TIMEFRAME[kind]));
  if (timeframe === undefined) {
    throw new UsageError(
      `--timeframe of a ${kind} is one of ${KIND_TIMEFRAMES[kind].join(', ')}; got ${sent.timeframe}`,
    );
  }
  const day = sent.since === undefined ? undefined : parseIsoDate(sent.since);
  if (sent.since !== undefined && day === undefined) {
    throw new UsageError(`--since is a day written 2023-01-01; got ${sent.since}`);
  }
  if (sent.again === true && day === undefined) {
    throw new UsageError('--again requests rows from --since on; add for example --since 2023-01-01');
  }
  const every = sent.every === undefined ? undefined : /^(\d{1,4})([smhd])$/.exec(sent.every);
  if (every === null || (every !== undefined && Number(every[1]) === 0)) {
    throw new UsageError(`--every is written 30m, 1h or 1d; got ${sent.every}`);
  }
  return {
    exchange: exchange.toLowerCase(),
    symbols: [...new Set(symbols.split(',').map(symbol => symbol.trim()))].filter(symbol => symbol !== ''),
    kind,
    timeframe,
    since: day === undefined ? undefined : new Date(day * MS_PER_DAY),
    again: sent.again === true,
    everyMs: every === undefined ? undefined : Number(every[1]) * UNITS[every[2]],
  };
}

function describe({ name, added, replaced, failure }: SyncedSeries): string {
  const corrected = replaced > 0 ? `, ${counted(replaced, 'row')} corrected` : '';
  return `${name}: ${counted(added, 'new row')}${corrected}${failure === undefined ? '' : `; stopped: ${failure}`}`;
}
