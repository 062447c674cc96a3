/** A store behind http: the same answers, renewal, and servers that break. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from '#src/host/log.js';
import { importFiles } from '#src/market/import/import-files.js';
import { openMarket } from '#src/market/open-market.js';
import { storeFilesAt } from '#src/market/store/store-files.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { temporaryFolder, writeFiles } from '../../support/market-files.ts';

const log = createLogger('silent');
const now = () => new Date('2024-06-01T00:00:00Z');
const DAY = parseIsoDate('2024-01-02') as number;

let server: Server;
let url: string;
let store: string;
let requested: string[];
/** What becomes of a file on its way. */
let spoil: (name: string, bytes: Buffer) => Buffer | number;

beforeEach(async () => {
  store = join(temporaryFolder(), 'market');
  requested = [];
  spoil = (_, bytes) => bytes;
  server = createServer(async (request, response) => {
    const name = (request.url ?? '').slice('/shared/market/'.length);
    requested.push(name);
    try {
      const sent = spoil(name, await readFile(join(store, name)));
      if (typeof sent === 'number') response.writeHead(sent).end();
      else response.end(sent);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/shared/market`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const add = (name: string, ...rows: string[]) =>
  importFiles({
    store,
    paths: [writeFiles(join(store, '..', name), { 'daily/btc_usdt.csv': ['date,close', ...rows] })],
    now: now(),
    replace: true,
  });
const open = () => openMarket({ path: url, asked: true, now, log, everyMs: 3_600_000 });

it('A store behind http has the prices of the folder, fetches a file once, and finds new versions', async () => {
  await add('a', '2024-01-01,10', '2024-01-02,11');
  const market = await open();
  const closes = async () => [...(await market.current().dailyCloses(['BTC'], DAY, 2)).prices[0]];
  expect(await closes()).toEqual([10, 11]);
  expect(await closes()).toEqual([10, 11]);
  expect(requested.filter(name => name.startsWith('series/'))).toHaveLength(1);
  const old = market.current();
  await add('b', '2024-01-02,12');
  expect(await market.renew()).toBe(true);
  expect(await closes()).toEqual([10, 12]);
  expect(market.current().version).not.toBe(old.version);
  // What began on the old version ends on it.
  expect([...(await old.dailyCloses(['BTC'], DAY, 2)).prices[0]]).toEqual([10, 11]);
  await market.close();
});

it('A store behind http has its last version while the server fails, and the next one when it is back', async () => {
  await add('a', '2024-01-01,10', '2024-01-02,11');
  const market = await open();
  const { version } = market.current();
  await add('b', '2024-01-02,12');
  spoil = () => 503;
  expect(await market.renew()).toBe(false);
  // A proxy that cuts files, or serves a page in their place.
  spoil = (name, bytes) => (name === 'CURRENT' ? bytes : bytes.subarray(0, 40));
  expect(await market.renew()).toBe(false);
  spoil = () => Buffer.from('<html>Please log in</html>');
  expect(await market.renew()).toBe(false);
  expect(market.current().version).toBe(version);
  spoil = (_, bytes) => bytes;
  expect(await market.renew()).toBe(true);
  await market.close();
});

it('A store behind http reports unreadable data while the server is down, and reads again when it is back', async () => {
  await add('a', '2024-01-01,10', '2024-01-02,11');
  const market = await open();
  spoil = () => 502;
  await expect(market.current().dailyCloses(['BTC'], DAY, 2)).rejects.toMatchObject({
    reason: 'market-data-unavailable',
    retryAfterSeconds: 5,
    cause: { message: expect.stringContaining('was answered with status 502') },
  });
  spoil = (_, bytes) => bytes;
  expect([...(await market.current().dailyCloses(['BTC'], DAY, 2)).prices[0]]).toEqual([10, 11]);
  await market.close();
});

it('An address without a store is refused at start, and never written', async () => {
  await expect(open()).rejects.toThrow(`MARKET_DB names ${url}/, where there is no market store`);
  const files = writeFiles(join(store, '..', 'c'), { 'daily/btc_usdt.csv': ['date,close', '2024-01-01,1'] });
  await expect(importFiles({ store: url, paths: [files], now: now() })).rejects.toThrow(
    'A store behind http is read only.',
  );
});

it('is refused at start with the status of a server that fails', async () => {
  await add('a', '2024-01-01,10', '2024-01-02,11');
  spoil = name => (name === 'CURRENT' ? 503 : 200);
  await expect(open()).rejects.toThrow('CURRENT was answered with status 503');
});

const HASH = '0'.repeat(64);
it.each([
  ['CURRENT', 4096],
  [`manifests/${HASH}.json`, 64 * 2 ** 20],
  [`series/${HASH}.parquet`, 32 * 2 ** 20],
])('An answer without end in place of %s is refused at %d bytes', async (name, most) => {
  let sent = 0;
  const piece = Buffer.alloc(2 ** 20, ' ');
  const endless = createServer((_, response) => {
    Readable.from(
      (function* () {
        // An end, where the reader has none.
        for (; sent < 4 * most + 2 ** 27; sent += piece.length) yield piece;
      })(),
    )
      .on('error', () => {})
      .pipe(response);
    response.on('error', () => {});
  });
  await new Promise<void>(resolve => endless.listen(0, '127.0.0.1', resolve));
  try {
    const address = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`;
    const files = storeFilesAt(address);
    await expect(name === 'CURRENT' ? files.readPointer() : files.read(name)).rejects.toThrow(
      `${address}${name} has more than ${most} bytes, and no such file of a market store has. ` +
        'MARKET_DB must be the address of the folder of a store: check what is served there.',
    );
    // What the buffers of the connection hold is sent, too.
    expect(sent).toBeLessThan(most + 32 * 2 ** 20);
  } finally {
    endless.closeAllConnections();
    endless.close();
  }
});
