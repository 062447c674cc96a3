/** What a successful answer holds, and what a failed one hides. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { decodePlan } from '#src/core/plan/codec.js';
import { ACCOUNT_QUESTION } from '#src/question/account/cross-perpetual.js';
import { ADVANCE_RATE_QUESTION } from '#src/question/advance-rate/advance-rate.js';
import { CAPPED_LOAN_QUESTION } from '#src/question/capped-loan/capped-loan.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import type { LoanRiskRequest } from '#src/question/loan/request.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import type { OperationContext } from '#src/question/question.js';
import { QUESTIONS_WITHOUT_PLANS } from '#src/question/questions.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { ANSWER, KEY, NOW, post, problem, serve, testRoutes } from '../../support/http-app.ts';
import {
  GOOD_BODIES,
  LOAN_RISK,
  PERPETUAL,
  VALUE_AT_RISK,
  withMember,
} from '../../support/request-bodies.ts';
import { ANSWERS } from '../../support/test-answers.ts';

const BY_PATH = {
  '/loan_risk': LOAN_QUESTION,
  '/loan_origination': ORIGINATION_QUESTION,
  '/var': VALUE_AT_RISK_QUESTION,
  '/advance_rate': ADVANCE_RATE_QUESTION,
  '/loan_risk_low_liquidity': CAPPED_LOAN_QUESTION,
  '/isolated_perp_risk': PERPETUAL_QUESTION,
  '/cross_perp_risk': ACCOUNT_QUESTION,
} as const;

let server: RunningServer;
afterEach(() => server.drain(1000));

describe('A successful answer', () => {
  it('has three members and states engine and data', async () => {
    server = await serve();
    const response = await post(server, '/loan_risk', LOAN_RISK, { 'x-seed': '7' });
    expect(await response.json()).toEqual({
      Arguments: ANSWER.arguments,
      Output: ANSWER.result,
      'Risk engine version': '1.2.3',
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-seed': '7',
      'x-compute': 'cpu',
      'x-compute-device': 'test processor, 2 threads',
      'x-market-data': 'sample',
      'x-market-data-filled': 'USDC=9',
    });
  });

  it('names its result Results where the operation declares it, and omits empty members', async () => {
    const perpetual = async () => ({ ...ANSWERS['/isolated_perp_risk'], filled: [] });
    server = await serve({
      routes: [{ ...PERPETUAL_QUESTION, answer: perpetual }],
    });
    const response = await post(server, '/isolated_perp_risk', PERPETUAL);
    expect(Object.keys((await response.json()) as object)).toEqual([
      'Arguments',
      'Results',
      'Risk engine version',
    ]);
    expect(response.headers.has('x-market-data-filled')).toBe(false);
  });

  it('has the plan of the run where the query asks for it, and a reader can decode it', async () => {
    const query = { include: ['plan' as const], sampling: [] };
    server = await serve({
      routes: [{ ...LOAN_QUESTION, answer: async () => ANSWER, query }],
    });
    const response = await post(server, '/loan_risk?include=plan', LOAN_RISK);
    const { Plan } = (await response.json()) as { Plan: unknown };
    expect(decodePlan(Plan)).toEqual(ANSWER.plan);
  });

  it('offers no plan where the configuration does not allow it', async () => {
    server = await serve({ routes: QUESTIONS_WITHOUT_PLANS });
    const { errors } = await problem(await post(server, '/loan_risk?include=plan', LOAN_RISK));
    expect(errors.map(({ path }) => path)).toEqual(['query.include']);
  });

  it('has its warnings in a header, and in a member where the query asks for it', async () => {
    const warnings = [
      { code: 'filled' as const, message: 'One close was carried forward.' },
      { code: 'few-windows' as const, message: 'Three windows do not overlap.' },
      { code: 'filled' as const, message: 'Another one was.' },
    ];
    server = await serve({ routes: testRoutes(async () => ({ ...ANSWER, warnings })) });
    const plain = await post(server, '/loan_risk', LOAN_RISK);
    expect(plain.headers.get('x-warnings')).toBe('filled,few-windows');
    expect(await plain.json()).not.toHaveProperty('Warnings');
    const asked = await post(server, '/loan_risk?include=warnings', LOAN_RISK);
    expect(asked.headers.get('x-warnings')).toBe('filled,few-windows');
    expect(await asked.json()).toMatchObject({ Output: { PrLiquidation: 0.25 }, Warnings: warnings });
  });

  it.each(Object.keys(ANSWERS) as (keyof typeof ANSWERS)[])(
    'of %s has a warning where a quarter of a window was carried, and none where it was less',
    async path => {
      const filled = [
        { symbol: 'BTC', count: 12, unit: 'hour' as const, of: 49 },
        { symbol: 'USDC', count: 8, unit: 'day' as const, of: 31 },
        { symbol: 'BTC-VIX', count: 2, unit: 'day' as const },
      ];
      const query = { include: ['warnings' as const], sampling: [] };
      const operation = async () => ({ ...ANSWERS[path], filled });
      server = await serve({
        routes: [{ ...(BY_PATH[path] as typeof LOAN_QUESTION), answer: operation, query }],
      });
      const response = await post(server, `${path}?include=warnings`, GOOD_BODIES[path]);
      expect(response.headers.get('x-market-data-filled')).toBe('BTC=12h,USDC=8,BTC-VIX=2');
      expect(response.headers.get('x-warnings')).toBe('filled');
      expect(await response.json()).toHaveProperty('Warnings', [
        {
          code: 'filled',
          message:
            '8 of the 31 daily closes of USDC were missing and carried forward. ' +
            'Do not rely on its correlations and GARCH parameters: the carried closes have returns of 0.',
        },
      ]);
    },
  );

  it('has no header without warnings, and an empty list where the query asks for it', async () => {
    server = await serve();
    const response = await post(server, '/var?include=warnings', VALUE_AT_RISK);
    expect(response.headers.has('x-warnings')).toBe(false);
    expect(await response.json()).toHaveProperty('Warnings', []);
  });

  it('has the members that the operation includes, beside the result', async () => {
    const included = { Model: { symbols: ['BTC'] } };
    const operation = async () => ({ ...ANSWER, included });
    const query = { include: ['model' as const], sampling: [] };
    server = await serve({ routes: [{ ...LOAN_QUESTION, answer: operation, query }] });
    const response = await post(server, '/loan_risk?include=model', LOAN_RISK);
    expect(Object.keys((await response.json()) as object)).toEqual([
      'Arguments',
      'Output',
      'Risk engine version',
      'Model',
    ]);
  });

  it('names a device in visible ASCII, whatever the name from its driver', async () => {
    const engine = { backend: 'gpu' as const, device: 'Karte™\r\nx: y', software: false };
    server = await serve({ routes: testRoutes(async () => ({ ...ANSWER, engine })) });
    const response = await post(server, '/loan_risk', LOAN_RISK);
    expect(response.headers.get('x-compute-device')).toBe('Karte???x: y');
    expect(response.headers.get('x-compute')).toBe('gpu');
  });

  it('is made from the processed request and the whole context', async () => {
    const seen: { request: LoanRiskRequest; context: OperationContext }[] = [];
    const loanRisk = async (request: LoanRiskRequest, context: OperationContext) => {
      seen.push({ request, context });
      return ANSWER;
    };
    server = await serve({ routes: testRoutes(loanRisk) });
    await post(server, '/loan_risk', LOAN_RISK, { 'x-seed': '12', 'x-compute': 'cpu' });
    const [{ request, context }] = seen;
    expect(request.terms.loan_weights).toEqual({ USD: 1 });
    expect(context).toMatchObject({ seed: 12, compute: 'cpu', now: NOW });
    expect(context.signal.aborted).toBe(false);
    expect(context.maintenanceMargins.rateOf('BTC', 1)).toBe(0.005);
  });
});

describe('A failure', () => {
  const failing = (error: unknown) =>
    testRoutes(async () => {
      throw error;
    });

  it.each([
    ['missing-market-data', 422, null],
    ['calibration-failed', 422, null],
    ['target-not-reachable', 422, null],
    ['work-limit-exceeded', 422, null],
    ['queue-full', 429, '5'],
    ['engine-unavailable', 503, null],
    ['deadline-exceeded', 504, null],
  ] as const)('for the reason %s is answered %i with its own message', async (reason, status, retryAfter) => {
    const faults = [{ code: 'no_data' as const, path: 'PEPE', message: 'PEPE has no price' }];
    server = await serve({ routes: failing(new RiskError(reason, 'What is wrong.', { faults })) });
    const response = await post(server, '/loan_risk', LOAN_RISK);
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(retryAfter);
    const body = await problem(response);
    expect(body).toMatchObject({
      type: `urn:collateral-risk-engine:${reason}`,
      detail: 'What is wrong.',
      errors: faults,
    });
    expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'detail', 'errors', 'request_id']);
  });

  it('of the server that is no bug is logged as a warning, with its reason', async () => {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const routes = failing(new RiskError('engine-unavailable', 'The GPU is away.'));
    server = await serve({ routes, log: pino({ level: 'trace' }, sink) });
    await post(server, '/loan_risk', LOAN_RISK);
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { level: 40, status: 503, reason: 'engine-unavailable', detail: 'The GPU is away.' },
    ]);
  });

  it('has a Retry-After in whole seconds', async () => {
    const error = new RiskError('engine-unavailable', 'Not now.', { retryAfterSeconds: 6.2 });
    server = await serve({ routes: failing(error) });
    expect((await post(server, '/loan_risk', LOAN_RISK)).headers.get('retry-after')).toBe('7');
  });

  it.each([
    ['an error', () => new Error('secret-detail at /etc/passwd')],
    [
      'an error that claims to be harmless',
      () => Object.assign(new Error('secret-detail'), { status: 200, expose: true }),
    ],
    ['an engine failure', () => new RiskError('engine-failed', 'secret-detail of a shader')],
    ['something that is no error', () => 'secret-detail'],
    ['nothing', () => undefined],
  ])('by %s shows nothing internal and is logged with the request id', async (_name, make) => {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    server = await serve({ routes: failing(make()), log: pino({ level: 'trace' }, sink) });
    const response = await post(server, '/loan_risk', LOAN_RISK, { 'x-request-id': 'find-me' });
    expect(response.status).toBe(500);
    const body = await problem(response);
    expect(body).toEqual({
      type: body.type,
      title: body.title,
      status: 500,
      detail: 'The server failed to answer this request.',
      errors: [],
      request_id: 'find-me',
    });
    expect(JSON.stringify([body, [...response.headers]])).not.toContain('secret-detail');
    const logged = lines.map(line => JSON.parse(line)).filter(line => line.request_id === 'find-me');
    expect(logged.map(({ level, status }) => [level, status])).toEqual([[50, 500]]);
    expect(lines.join('')).not.toContain(KEY);
    expect(lines.join('')).not.toContain('collateral_weights');
  });

  it('of arithmetic is answered 500, never as null', async () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      server = await serve({
        routes: testRoutes(async () => ({ ...ANSWER, result: { deep: [{ value }] } })),
      });
      const response = await post(server, '/loan_risk', LOAN_RISK);
      expect(response.status).toBe(500);
      await problem(response);
      expect(response.headers.get('x-compute')).toBeNull();
      if (Number.isNaN(value)) await server.drain(1000);
    }
  });

  it('of the caller is logged without a stack, a body or a key', async () => {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    server = await serve({ log: pino({ level: 'trace' }, sink) });
    await post(server, '/loan_risk', { ...LOAN_RISK, extra: 'body-of-the-caller' });
    await post(server, '/loan_risk', withMember(LOAN_RISK, 'params.collateral_weights.BTC', -987_654.5));
    await post(server, '/loan_risk', '{"body-of-the-caller":');
    await post(server, '/isolated_perp_risk', PERPETUAL, { 'x-api-key': 'key-of-the-caller' });
    const text = lines.join('');
    expect(lines).toHaveLength(4);
    expect(text).not.toMatch(/of-the-caller|987654|stack|\.js:/);
  });
});
