/** Traces of a service, as a collector on the loopback receives them. */
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#src/server/config.js';
import { type Service, startService } from '#src/server/service.js';
import { checkEveryAnswer } from '../../support/checked-answers.ts';
import { KEY, post } from '../../support/http-app.ts';
import { collectLog } from '../../support/log-lines.ts';
import { LOAN_RISK, LOW_LIQUIDITY, withMember } from '../../support/request-bodies.ts';
import {
  attributesOf,
  collectSpans,
  type SentSpan,
  type SpanCollector,
} from '../../support/span-collector.ts';

checkEveryAnswer();
let collector: SpanCollector | undefined;
let service: Service | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
  await collector?.close();
  collector = undefined;
});

async function start(endpoint: string, log = collectLog().log): Promise<Service> {
  const config = loadConfig({
    PORT: '0',
    API_KEYS: KEY,
    MARKET_DB: 'sample',
    COMPUTE: 'cpu',
    CPU_THREADS: '1',
    REQUEST_TIMEOUT_SECONDS: '3600',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  });
  service = await startService(config, log);
  return service;
}

const ask = (to: Service, path: string, body: unknown, headers = {}) =>
  post({ url: to.url, drain: async () => {} }, path, body, headers);

/** Names of the spans below one, in the order in which they began. */
function below(spans: readonly SentSpan[], parent: SentSpan | undefined): string[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent?.spanId)
    .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
    .map(({ name }) => name);
}

describe('A request sends', () => {
  it('one span each for validation, queue, market, calibration and engine, in the trace of its caller', async () => {
    collector = await collectSpans();
    const { log, lines } = collectLog();
    const running = await start(`${collector.endpoint}/`, log);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const answer = await ask(running, '/loan_risk', LOAN_RISK, { traceparent, 'x-request-id': 'r1' });
    expect(answer.status).toBe(200);
    await running.stop();
    service = undefined;
    const root = collector.spans.find(({ name }) => name === 'POST /loan_risk');
    expect(root).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', kind: 2 });
    expect(attributesOf(root?.attributes ?? [])).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/loan_risk',
      'http.response.status_code': 200,
      'risk.request_id': 'r1',
      'risk.methodology': 'GBM',
      'risk.backend': 'cpu',
    });
    expect(below(collector.spans, root)).toEqual(['validation', 'queue', 'market', 'calibration', 'engine']);
    for (const { traceId: each, startTimeUnixNano: from, endTimeUnixNano: to } of collector.spans) {
      expect(each).toBe(traceId);
      expect(BigInt(to)).toBeGreaterThanOrEqual(BigInt(from));
    }
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'collateral-risk-engine',
      'service.version': running.version,
    });
    expect(JSON.stringify(collector.spans)).not.toContain(KEY);
    expect(lines.find(({ msg }) => msg === 'answered')?.trace_id).toBe(traceId);
  });

  it('a span of the fit of GARCH, and a failed one where a window is too short', {
    tags: ['slow'],
  }, async () => {
    collector = await collectSpans();
    const running = await start(collector.endpoint);
    expect((await ask(running, '/loan_risk_low_liquidity', LOW_LIQUIDITY)).status).toBe(200);
    const short = withMember(withMember(LOAN_RISK, 'type', 'STUDENT_T'), 'params.model_lookback', 5);
    expect((await ask(running, '/loan_risk', short)).status).toBe(422);
    await running.stop();
    service = undefined;
    const good = collector.spans.find(({ name }) => name === 'POST /loan_risk_low_liquidity');
    const bad = collector.spans.find(({ name }) => name === 'POST /loan_risk');
    expect(below(collector.spans, good)).toContain('calibration');
    expect(below(collector.spans, good)).toContain('engine');
    expect(below(collector.spans, bad)).not.toContain('engine');
    const failed = collector.spans.find(
      ({ name, parentSpanId }) => name === 'calibration' && parentSpanId === bad?.spanId,
    );
    expect(failed?.status).toEqual({ code: 2, message: 'calibration-failed' });
  });

  it('none for a health check', { tags: ['slow'] }, async () => {
    collector = await collectSpans();
    const running = await start(collector.endpoint);
    for (const path of ['/livez', '/readyz', '/healthz', '/metrics'])
      expect((await fetch(running.url + path)).status).toBe(200);
    expect((await fetch(`${running.url}/nothing`)).status).toBe(404);
    await running.stop();
    service = undefined;
    expect(collector.spans.map(({ name }) => name)).toEqual(['GET']);
  });
});

describe('A collector', () => {
  it.each([
    ['that refuses', 400],
    ['that is not there', undefined],
  ])('%s causes a line of the log only', { tags: ['slow'] }, async (_, status) => {
    collector = await collectSpans(status);
    const { endpoint } = collector;
    if (status === undefined) {
      await collector.close();
      collector = undefined;
    }
    const { log, lines } = collectLog();
    const running = await start(endpoint, log);
    expect((await ask(running, '/loan_risk', LOAN_RISK)).status).toBe(200);
    await running.stop();
    service = undefined;
    const told = lines.filter(({ msg }) => msg === 'the collector did not accept spans');
    expect(told.length).toBeGreaterThan(0);
    expect(JSON.stringify(told)).not.toContain(endpoint);
  });
});
