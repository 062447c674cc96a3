/**
 * /cross_perp_risk over HTTP with a GPU (the software driver of the tests): what the GPU does not run is refused for `gpu`, and the
 * processor answers it for `auto`.
 *
 * @module-tag slow
 */
import { describe, expect, it } from 'vitest';
import { ACCOUNT_NOT_ON_GPU } from '#src/core/plan/product/account.js';
import { methodologiesOf } from '#src/models/methodology/methodologies.js';
import { useSampleService } from '../../support/sample-service.ts';

const { post } = useSampleService({ COMPUTE: 'auto', SOFTWARE_GPU: 'auto' });

const POSITION = {
  market: 'BTC',
  contract_type: 'linear',
  position_size: 0.1,
  entry_price: 60_000,
  funding_rate: 0.0001,
};
const PARAMS = {
  collateral: { USD: 40_000 },
  positions: [POSITION],
  venue: 'binance',
  prices: { BTC: 60_000 },
  analysis_date: '06-30-2024',
  model_lookback: 60,
  horizon_hours: 24,
};

/** A request for each member that the GPU does not run. */
const BEYOND: Readonly<Record<keyof typeof ACCOUNT_NOT_ON_GPU, object>> = {
  positions: { positions: Array.from({ length: 9 }, (_, i) => ({ ...POSITION, id: `row-${i}` })) },
};

const TYPES = methodologiesOf('account').map(({ name }) => name);
const CASES = [
  ...Object.entries(BEYOND).map(([member, params]) => ({
    name: member,
    body: { type: 'GBM', params: { ...PARAMS, ...params, mc_iter: 100 } },
    words: `${ACCOUNT_NOT_ON_GPU[member as keyof typeof BEYOND][0]} runs on the CPU only`,
  })),
  ...TYPES.filter(name => name === 'HISTORICAL').map(type => ({
    name: type,
    body: { type, params: PARAMS },
    words: `${type} always runs on the CPU`,
  })),
];

describe.each(CASES)('An account that the GPU does not run, for $name,', ({ body, words }) => {
  it('is refused for gpu with what it is and what to send', async () => {
    const response = await post('/cross_perp_risk', body, { 'x-compute': 'gpu' });
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: unknown[] };
    expect(errors).toEqual([
      {
        code: 'not_supported',
        path: 'header.x-compute',
        message: `${words}: x-compute must be auto or cpu, not gpu.`,
      },
    ]);
  });

  it.each(['auto', 'cpu'])('is answered by the processor for %s', async choice => {
    const response = await post('/cross_perp_risk', body, { 'x-compute': choice });
    expect(response.status, await response.clone().text()).toBe(200);
    expect(response.headers.get('x-compute')).toBe('cpu');
  });
});
