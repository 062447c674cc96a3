/** Each kind of fault has its code, for a body, a query, a header, a tape and a line of a batch. */
import { afterAll, describe, expect, it } from 'vitest';
import { FAULT_CODES, type FaultCode } from '#src/core/errors.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { KEY, serve } from '../../support/http-app.ts';
import { LOAN_RISK, withMember } from '../../support/request-bodies.ts';

interface Sent {
  readonly path?: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const loan = (member: string, value: unknown): Sent => ({ body: withMember(LOAN_RISK, member, value) });
const { collateral_weights: _c, loan_weights: _l, loan_value: _v, N: _n, ...others } = LOAN_RISK.params;
const BY_AMOUNTS = { type: 'GBM', params: { ...others, collateral: { NOCOIN: 1 }, loan: { USD: 1000 } } };
const TAPE =
  'loan_id,collateral_asset,collateral_amount,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv';

/** By code: a request, and where its fault lies. A code without a row does not compile. */
const CAUSES: Readonly<Record<Exclude<FaultCode, 'not_fitted' | 'not_reachable'>, readonly [Sent, string]>> =
  {
    missing: [loan('params.model_lookback', undefined), 'params.model_lookback'],
    unknown_member: [loan('params.colour', 1), 'params.colour'],
    repeated: [{ path: '/loan_risk?include=model&include=model' }, 'query.include'],
    wrong_type: [loan('params.mc_iter', '5'), 'params.mc_iter'],
    malformed: [loan('params.analysis_date', '2024-06-30'), 'params.analysis_date'],
    unknown_value: [loan('type', 'GMB'), 'type'],
    out_of_range: [{ headers: { 'x-seed': '-1' } }, 'header.x-seed'],
    not_allowed: [loan('params.prices', { BTC: 1 }), 'params.prices'],
    inconsistent: [loan('params.M', 0.9), 'params.M'],
    not_supported: [{ path: '/var?include=distribution&sampling=sobol', body: {} }, 'query.sampling'],
    no_data: [{ body: BY_AMOUNTS }, 'params.prices.NOCOIN'],
    more_faults: [
      { path: `/loan_risk?${Array.from({ length: 60 }, (_, k) => `a${k}=1`).join('&')}` },
      'query',
    ],
  };

describe('A fault has the code', () => {
  let server: Promise<RunningServer> | undefined;
  afterAll(async () => (await server)?.drain(1000));

  async function errorsOf({ path = '/loan_risk', body = LOAN_RISK, type, headers = {} }: Sent) {
    server ??= serve();
    const response = await fetch((await server).url + path, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': type ?? 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const problem = text.split('\n', 1)[0];
    const parsed = JSON.parse(problem) as { errors?: object[]; body?: { errors: object[] } };
    return parsed.errors ?? parsed.body?.errors;
  }

  it.each(Object.entries(CAUSES))('%s', async (code, [sent, path]) => {
    expect(await errorsOf(sent)).toContainEqual({ code, path, message: expect.any(String) });
  });

  it.each<[FaultCode, string, string]>([
    ['missing', `${TAPE}\na,BTC,1,USD,,0.7,0.8\n`, 'line.2.loan_amount'],
    ['malformed', `${TAPE}\na,BTC,x,USD,1000,0.7,0.8\n`, 'line.2.collateral_amount'],
    ['inconsistent', `${TAPE}\na,BTC,1,USD,1000,0.9,0.8\n`, 'line.2.margin_call_ltv'],
  ])('%s in a tape', async (code, body, path) => {
    const errors = await errorsOf({ path: '/book_risk?default=grace_hours=24', body, type: 'text/csv' });
    expect(errors).toContainEqual({ code, path, message: expect.any(String) });
  });

  it('missing in a line of a batch', async () => {
    const sent = { path: '/batch', body: '{"id":"a"}\n', type: 'application/x-ndjson' };
    expect(await errorsOf(sent)).toContainEqual(expect.objectContaining({ code: 'missing', path: 'path' }));
  });

  it('of a meaning in words', () => {
    for (const [code, words] of Object.entries(FAULT_CODES)) expect(words, code).toMatch(/^[A-Z].*\.$/);
  });
});
