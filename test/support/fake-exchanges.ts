/**
 * Loopback servers that speak the REST formats of Binance klines, Kraken OHLC, Coinbase candles and Deribit's volatility
 * index, with the faults that exchanges have.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the next requests for data are answered with, one after the other; then whole answers. */
export type Failure = '429' | '500' | 'cut' | 'stall' | 'hang';

export interface FakeExchange {
  readonly url: string;
  readonly failures: Failure[];
  /** Requests for data so far. */
  requests: number;
  /** Called for each of them, before it is answered. */
  onRequest?: () => void;
  /** Called once a request hangs or its answer stalls. */
  onSilence?: () => void;
  close(): Promise<void>;
}

const HOUR = 3_600_000;
/** Hours that the exchange has no bar of. */
export interface FakeData {
  readonly startMs: number;
  /** Of the exchange's clock. */
  readonly now: () => number;
  readonly missing?: (openMs: number) => boolean;
  /** Whether pages come shuffled and with a bar twice. */
  readonly untidy?: boolean;
}

/** The close of an hour: the same function in the tests and in every format. */
export const closeAt = (openMs: number): number => 100 + ((openMs / HOUR) % 37);

const rowAt = (openMs: number): readonly [number, number, number, number, number, number] => {
  const close = closeAt(openMs);
  return [openMs, close - 0.5, close + 1, close - 1, close, 7];
};

function barsFrom(data: FakeData, sinceMs: number, untilMs: number, stepMs: number, limit: number) {
  const rows = [];
  const first = Math.max(data.startMs, Math.ceil(sinceMs / stepMs) * stepMs);
  for (let open = first; open <= Math.min(untilMs, data.now()) && rows.length < limit; open += stepMs) {
    if (data.missing?.(open) !== true) rows.push(rowAt(open));
  }
  if (data.untidy === true && rows.length > 2) {
    rows.push(rows[1]);
    rows.reverse();
  }
  return rows;
}

const BINANCE_SYMBOL = {
  symbol: 'BTCUSDT',
  status: 'TRADING',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  baseAssetPrecision: 8,
  quotePrecision: 8,
  isSpotTradingAllowed: true,
  permissions: ['SPOT'],
  orderTypes: ['LIMIT'],
  filters: [],
};
const PERPETUAL = {
  ...BINANCE_SYMBOL,
  pair: 'BTCUSDT',
  contractType: 'PERPETUAL',
  deliveryDate: 4133404800000,
  onboardDate: 1569398400000,
  marginAsset: 'USDT',
  underlyingType: 'COIN',
};

/** What a path answers, undefined for a path that there is not. `data` marks answers that may fail. */
function answer(data: FakeData, url: URL): { readonly body: unknown; readonly data: boolean } | undefined {
  const number = (name: string, otherwise: number) => Number(url.searchParams.get(name) ?? otherwise);
  switch (url.pathname) {
    case '/api/v3/exchangeInfo':
      return {
        data: false,
        body: {
          timezone: 'UTC',
          serverTime: data.now(),
          rateLimits: [],
          symbols: [BINANCE_SYMBOL, { ...BINANCE_SYMBOL, symbol: 'ETHUSDT', baseAsset: 'ETH' }],
        },
      };
    case '/fapi/v1/exchangeInfo':
      return {
        data: false,
        body: { timezone: 'UTC', serverTime: data.now(), rateLimits: [], symbols: [PERPETUAL] },
      };
    case '/api/v3/klines': {
      const step = url.searchParams.get('interval') === '1d' ? 24 * HOUR : HOUR;
      const rows = barsFrom(
        data,
        number('startTime', 0),
        number('endTime', 9e15),
        step,
        number('limit', 500),
      );
      return {
        data: true,
        body: rows.map(([open, ...numbers]) => [
          open,
          ...numbers.map(String),
          open + step - 1,
          '1',
          9,
          '1',
          '1',
          '0',
        ]),
      };
    }
    case '/fapi/v1/fundingRate': {
      const rows = barsFrom(
        data,
        number('startTime', 0),
        number('endTime', 9e15),
        8 * HOUR,
        number('limit', 100),
      );
      return {
        data: true,
        body: rows.map(([open]) => ({ symbol: 'BTCUSDT', fundingTime: open + 3, fundingRate: '0.00010000' })),
      };
    }
    case '/0/public/Assets':
      return {
        data: false,
        body: {
          error: [],
          result: {
            XXBT: {
              aclass: 'currency',
              altname: 'XBT',
              decimals: 10,
              display_decimals: 5,
              status: 'enabled',
            },
            ZUSD: { aclass: 'currency', altname: 'USD', decimals: 4, display_decimals: 2, status: 'enabled' },
          },
        },
      };
    case '/0/public/AssetPairs':
      return {
        data: false,
        body: {
          error: [],
          result: {
            XXBTZUSD: {
              altname: 'XBTUSD',
              wsname: 'XBT/USD',
              aclass_base: 'currency',
              base: 'XXBT',
              aclass_quote: 'currency',
              quote: 'ZUSD',
              lot: 'unit',
              cost_decimals: 5,
              pair_decimals: 1,
              lot_decimals: 8,
              lot_multiplier: 1,
              leverage_buy: [],
              leverage_sell: [],
              fees: [[0, 0.4]],
              fees_maker: [[0, 0.25]],
              ordermin: '0.0001',
              costmin: '0.5',
              tick_size: '0.1',
              status: 'online',
            },
          },
        },
      };
    case '/0/public/OHLC': {
      const sinceMs = 1000 * number('since', 0);
      const rows = barsFrom(data, sinceMs, 9e15, HOUR * (number('interval', 60) / 60), 720);
      return {
        data: true,
        body: {
          error: [],
          result: {
            XXBTZUSD: rows.map(([open, o, h, l, c, v]) => [
              open / 1000,
              `${o}`,
              `${h}`,
              `${l}`,
              `${c}`,
              `${c}`,
              `${v}`,
              3,
            ]),
            last: 0,
          },
        },
      };
    }
    case '/currencies':
      return {
        data: false,
        body: ['BTC', 'USD'].map(id => ({
          id,
          name: id,
          status: 'online',
          max_precision: '0.01',
          details: {},
        })),
      };
    case '/products':
      return {
        data: false,
        body: [
          {
            id: 'BTC-USD',
            base_currency: 'BTC',
            quote_currency: 'USD',
            quote_increment: '0.01',
            base_increment: '0.00000001',
            min_market_funds: '1',
            status: 'online',
            trading_disabled: false,
          },
        ],
      };
    case '/products/BTC-USD/candles': {
      const from = Date.parse(url.searchParams.get('start') ?? '');
      const until = Date.parse(url.searchParams.get('end') ?? '');
      const rows = barsFrom(data, from, until, 1000 * number('granularity', 3600), 300);
      return {
        data: true,
        body: rows.map(([open, o, h, l, c, v]) => [open / 1000, l, h, o, c, v]).reverse(),
      };
    }
    case '/api/v2/public/get_volatility_index_data': {
      const step = url.searchParams.get('resolution') === '1D' ? 24 * HOUR : HOUR;
      const until = number('end_timestamp', 0);
      const from = Math.max(number('start_timestamp', 0), until - 20 * step);
      const rows = barsFrom(data, from, until, step, 1000).map(row => row.slice(0, 5));
      const whole = Math.ceil(Math.max(data.startMs, number('start_timestamp', 0)) / step) * step;
      const first = rows[0]?.[0] ?? until;
      return {
        data: true,
        body: { jsonrpc: '2.0', result: { data: rows, continuation: first > whole ? first - 1 : null } },
      };
    }
    default:
      return undefined;
  }
}

function fail(response: ServerResponse, failure: Failure, text: string): void {
  if (failure === 'hang') return;
  if (failure === 'stall') {
    // The length of the whole, half of it, and then nothing.
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.write(text.slice(0, text.length / 2));
    return;
  }
  if (failure === 'cut')
    response.writeHead(200, { 'content-type': 'application/json' }).end(text.slice(0, text.length / 2));
  else
    response
      .writeHead(Number(failure), { 'content-type': 'application/json', 'retry-after': '1' })
      .end('{"code":-1,"msg":"no"}');
}

/** Starts a server on the loopback. */
export async function fakeExchange(data: FakeData): Promise<FakeExchange> {
  const failures: Failure[] = [];
  const server = createServer((request, response) => {
    const found = answer(data, new URL(request.url ?? '/', 'http://localhost'));
    if (found === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const text = JSON.stringify(found.body);
    if (found.data) {
      fake.requests++;
      fake.onRequest?.();
    }
    const failure = found.data ? failures.shift() : undefined;
    if (failure !== undefined) {
      fail(response, failure, text);
      if (failure === 'hang') fake.onSilence?.();
      // As a rule the half that is sent has come by then; a caller that is slower finds an answer that hangs.
      if (failure === 'stall') setTimeout(() => fake.onSilence?.(), 200);
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeExchange = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    requests: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
  return fake;
}
