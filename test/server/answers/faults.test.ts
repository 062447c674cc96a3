/** Several faults at once, and bodies that are no requests at all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '#src/server/transport/server.js';
import { post, problem, serve } from '../../support/http-app.ts';
import { GOOD_BODIES, LOAN_ORIGINATION, LOAN_RISK, withMember } from '../../support/request-bodies.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.drain(1000));

const paths = Object.keys(GOOD_BODIES) as (keyof typeof GOOD_BODIES)[];

async function faultsOf(path: string, body: unknown, headers = {}): Promise<string[]> {
  const response = await post(server, path, body, headers);
  expect(response.status).toBe(422);
  return (await problem(response)).errors.map(fault => fault.path);
}

describe('A request with several faults', () => {
  it('reports all of them, including the headers', async () => {
    const body = {
      type: 'GBM',
      extra: 1,
      params: {
        ...LOAN_RISK.params,
        collateral_weights: { BTC: -1, 'no symbol': 1 },
        analysis_date: '02-30-2026',
        mc_iter: '1000',
        M: 1,
        R: 1.1,
        unknown: true,
      },
    };
    const faults = await faultsOf('/loan_risk', body, { 'x-seed': '-1', 'x-compute': 'GPU' });
    expect(faults.sort()).toEqual([
      'extra',
      'header.x-compute',
      'header.x-seed',
      'params.M',
      'params.R',
      'params.analysis_date',
      'params.collateral_weights.BTC',
      'params.collateral_weights.no symbol',
      'params.mc_iter',
      'params.unknown',
    ]);
  });

  it('reports members that are named twice, which a parsed body would not show', async () => {
    const text = JSON.stringify(withMember(LOAN_RISK, 'params.mc_iter', 0))
      .replace('"params":{', '"params":{"N":9,')
      .replace('"BTC":', '"BTC":0.25,"BTC":');
    expect(await faultsOf('/loan_risk', text)).toEqual([
      'params.collateral_weights.BTC',
      'params.N',
      'params.mc_iter',
    ]);
  });

  it('reports a broken rule between members together with the fault of another member', async () => {
    const body = withMember(withMember(LOAN_RISK, 'params.M', 2), 'params.loan_value', 0);
    expect(await faultsOf('/loan_risk', body)).toEqual(['params.loan_value', 'params.N']);
  });

  it('does not report a rule whose members have faults', async () => {
    const body = withMember(withMember(LOAN_RISK, 'params.M', 2), 'params.N', 'high');
    expect(await faultsOf('/loan_risk', body)).toEqual(['params.N']);
  });

  it('reports the rules inside opt_param and those with members outside it', async () => {
    const inside = {
      ...LOAN_ORIGINATION.params.opt_param,
      score_target: 2,
      variable_min: 1,
      variable_max: 1.05,
    };
    const body = withMember(LOAN_ORIGINATION, 'params.opt_param', inside);
    expect((await faultsOf('/loan_origination', body)).sort()).toEqual([
      'params.opt_param.score_target',
      'params.opt_param.variable_max',
    ]);
  });

  it('with a wrong type reports the faults under every type', async () => {
    const body = withMember(withMember(LOAN_RISK, 'type', 'WALK'), 'params.L', 0);
    expect(await faultsOf('/loan_risk', body)).toEqual(['type', 'params.L']);
  });

  it('reports each repeat', async () => {
    const twice = { ...LOAN_RISK.params, loan_weights: { USD: 0.25, cash: 0.25, btc: 0.25, BTC: 0.25 } };
    expect(await faultsOf('/loan_risk', { type: 'GBM', params: twice })).toEqual([
      'params.loan_weights.cash',
      'params.loan_weights.BTC',
    ]);
    const tails = {
      ...GOOD_BODIES['/var'].params,
      var_duration: [30, 1, 30, 1],
      quantile: [0.5, 0.5],
    };
    expect(await faultsOf('/var', { type: 'GBM', params: tails })).toEqual([
      'params.var_duration.2',
      'params.var_duration.3',
      'params.quantile.1',
    ]);
    const markets = [
      ['BTC', 'USDT', 'binance'],
      ['btc', 'usdt', 'Binance'],
    ];
    const body = withMember(GOOD_BODIES['/loan_risk_low_liquidity'], 'params.markets', markets);
    expect(await faultsOf('/loan_risk_low_liquidity', body)).toEqual(['params.markets.1']);
  });
});

describe('A body that is not a request', () => {
  it.each(paths)('%s is answered 422 for JSON that is not an object', async path => {
    for (const text of ['[]', '"text"', '""', 'null', 'true', '0', '[{}]']) {
      const response = await post(server, path, text);
      expect(response.status, text).toBe(422);
      expect((await problem(response)).errors[0]?.path, text).toBe('body');
    }
  });

  it.each(paths)('%s is answered 400 for a body that is not JSON', async path => {
    for (const text of [
      '',
      ' ',
      '{',
      '{"a":1,}',
      "{'a':1}",
      'NaN',
      '{"a":NaN}',
      '\u0000',
      '{} {}',
      'type=GBM',
    ]) {
      const response = await post(server, path, text);
      expect(response.status, JSON.stringify(text)).toBe(400);
      expect((await problem(response)).errors).toEqual([]);
    }
  });

  it('is refused at any depth, with a small answer', async () => {
    const depth = 32_000;
    const text = `{"type":"GBM","params":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const response = await post(server, '/loan_risk', text);
    expect(response.status).toBe(422);
    const answer = await response.text();
    expect(answer.length).toBeLessThan(2000);
    expect(answer).toContain('params must be an object; got a list of 1');
  });

  it('is refused with a bounded answer where it has thousands of faults', async () => {
    const entries = Array.from({ length: 6_000 }, (_, i) => `"k${i}":1`);
    const response = await post(server, '/loan_risk', `{"type":"GBM","params":{${entries.join()}}}`);
    expect(response.status).toBe(422);
    const { errors } = await problem(response);
    expect(errors).toHaveLength(101);
    expect(errors[100]?.message).toMatch(/more faults/);
  });

  it('cannot reach a prototype', async () => {
    const params = JSON.stringify(LOAN_RISK.params).slice(1, -1);
    for (const [text, path] of [
      [`{"__proto__":{"polluted":1},"type":"GBM","params":{${params}}}`, '__proto__'],
      [`{"type":"GBM","params":{"__proto__":{"polluted":1},${params}}}`, 'params.__proto__'],
      [`{"type":"GBM","params":{${params},"loan_weights":{"__proto__":1}}}`, 'params.loan_weights.__proto__'],
      [
        `{"type":"GBM","params":{${params},"loan_weights":{"__proto__":{"x":1},"BTC":1}}}`,
        'params.loan_weights.__proto__',
      ],
      [`{"constructor":1,"type":"GBM","params":{${params}}}`, 'constructor'],
    ] as const) {
      expect(await faultsOf('/loan_risk', text), text).toContain(path);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const named = await post(
      server,
      '/loan_risk',
      withMember(LOAN_RISK, 'params.loan_weights', { constructor: 1 }),
    );
    expect(named.status).toBe(200);
  });

  it('refuses numbers that overflow', async () => {
    const text = JSON.stringify(LOAN_RISK).replace('5000', '1e999');
    const response = await post(server, '/loan_risk', text);
    expect(response.status).toBe(422);
    expect((await problem(response)).errors[0]?.message).toBe(
      'loan_value must be above 0 and at most 1e15 USD; got Infinity',
    );
  });
});

describe('The headers x-seed and x-compute', () => {
  it('are accepted at their bounds and echoed', async () => {
    for (const seed of ['0', '4294967295', '007']) {
      const response = await post(server, '/loan_risk', LOAN_RISK, { 'x-seed': seed });
      expect(response.status, seed).toBe(200);
      expect(response.headers.get('x-seed')).toBe(String(Number(seed)));
    }
    const unsaid = await post(server, '/loan_risk', LOAN_RISK);
    expect(unsaid.headers.get('x-seed')).toBe('0');
    for (const compute of ['auto', 'gpu', 'cpu'])
      expect((await post(server, '/loan_risk', LOAN_RISK, { 'x-compute': compute })).status).toBe(200);
  });

  it('are refused outside them', async () => {
    for (const seed of ['', '-1', '4294967296', '1.5', '1e3', '0x10', 'abc', '1, 2', '99999999999']) {
      const response = await post(server, '/loan_risk', LOAN_RISK, { 'x-seed': seed });
      expect(response.status, seed).toBe(422);
      const [fault] = (await problem(response)).errors;
      expect(fault).toEqual({
        code: 'out_of_range',
        path: 'header.x-seed',
        message: `header.x-seed must be a whole number from 0 to 4294967295; got ${JSON.stringify(seed)}`,
      });
    }
    for (const compute of ['', 'GPU', 'cuda', 'auto, gpu'])
      expect(await faultsOf('/loan_risk', LOAN_RISK, { 'x-compute': compute })).toEqual(['header.x-compute']);
  });
});
