/** GET /prices: the closes at which amounts would be valued. */
import { expect, it } from 'vitest';
import { priceList } from '#src/server/openapi/response/service.js';
import { useSampleService } from '../../support/sample-service.ts';

const app = useSampleService({});

it('GET /prices gives the closes that the day ends with, the dollar among them, and each asset once', async () => {
  const response = await app.get('/prices?symbols=btc,ETH,CASH,xbt&date=06-30-2024');
  expect(response.status).toBe(200);
  const { date, time, prices } = priceList.parse(await response.json());
  expect({ date, time }).toEqual({ date: '06-30-2024', time: '2024-07-01T00:00Z' });
  expect(prices.map(({ symbol }) => symbol)).toEqual(['BTC', 'ETH', 'USD']);
  expect(prices[2].price).toBe(1);
  // The price of the window that ends on the same day: the sum of two weights at these closes is that of a basket.
  const again = priceList.parse(await (await app.get('/prices?symbols=BTC&date=06-30-2024')).json());
  expect(again.prices[0]).toEqual(prices[0]);
  const before = priceList.parse(await (await app.get('/prices?symbols=BTC&date=06-29-2024')).json());
  expect(before.prices[0].price).not.toBe(prices[0].price);
});

it('GET /prices of today gives the close of yesterday', async () => {
  const { time } = priceList.parse(await (await app.get('/prices?symbols=BTC')).json());
  expect(Date.parse(time.replace('Z', ':00Z'))).toBeLessThanOrEqual(Date.now());
});

it.each([
  ['', ['query.symbols']],
  ['?symbols=', ['query.symbols']],
  ['?symbols=BTC,,ETH', ['query.symbols']],
  ['?symbols=BTC&date=13-01-2024', ['query.date']],
  ['?symbols=BTC&date=01-01-2100', ['query.date']],
  ['?symbols=BTC&symbols=ETH&dat=06-30-2024', ['query.dat', 'query.symbols']],
  [`?symbols=${Array(33).fill('BTC').join(',')}`, ['query.symbols']],
  ['?symbols=BTC,NOPE,NADA', ['query.symbols', 'query.symbols']],
  ['?symbols=BTC&date=01-01-1990', ['query.symbols']],
])('GET /prices%s is refused at %j', async (query, paths) => {
  const response = await app.get(`/prices${query}`);
  expect(response.status).toBe(422);
  const { errors } = (await response.json()) as { errors: { path: string }[] };
  expect(errors.map(({ path }) => path)).toEqual(paths);
});
