/** What is counted and measured of requests, and whether they should come. */
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineSet } from '#src/engine/engine-set.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { ANSWER, KEY, observation, post, serve, testRoutes } from '../../support/http-app.ts';
import { LOAN_RISK } from '../../support/request-bodies.ts';

let server: RunningServer;
afterEach(() => server.drain(1000));

/** The samples of /metrics, by name with labels. */
async function samples(headers: Readonly<Record<string, string>> = {}): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${server.url}/metrics`, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n').filter(line => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('The metrics', () => {
  it('count requests by operation, methodology, engine and status, and the finished work', async () => {
    server = await serve();
    await post(server, '/loan_risk', LOAN_RISK);
    await post(server, '/loan_risk', LOAN_RISK);
    await post(server, '/loan_risk', {});
    await post(server, '/loan_risk', LOAN_RISK, { 'x-api-key': 'wrong' });
    await post(server, '/loan_risk', LOAN_RISK, { 'x-api-key': null });
    await post(server, '/made/up/by/a/caller', LOAN_RISK);
    await fetch(`${server.url}/healthz`);
    const found = await samples();
    const requests = [...found].filter(([name]) => name.startsWith('risk_requests_total'));
    expect(Object.fromEntries(requests)).toEqual({
      'risk_requests_total{operation="/loan_risk",methodology="GBM",engine="cpu",status="200"}': 2,
      'risk_requests_total{operation="/loan_risk",methodology="none",engine="none",status="422"}': 1,
      'risk_requests_total{operation="/loan_risk",methodology="none",engine="none",status="401"}': 2,
      'risk_requests_total{operation="other",methodology="none",engine="none",status="404"}': 1,
    });
    expect(found.get('risk_asset_steps_total{operation="/loan_risk",engine="cpu"}')).toBe(
      2 * 1000 * 1440 * 3,
    );
    expect(found.get('risk_request_seconds_count{operation="/loan_risk",engine="cpu"}')).toBe(2);
    expect(found.get('risk_queue_wait_seconds_count{operation="/loan_risk"}')).toBe(2);
    expect(found.get('risk_refused_keys_total{reason="missing"}')).toBe(1);
    expect(found.get('risk_refused_keys_total{reason="unknown"}')).toBe(1);
    expect(found.get('risk_build_info{version="1.2.3"}')).toBe(1);
  });

  it('count a run that failed by its status, as a fault of this application, and not as work done', async () => {
    const failing = async () => Promise.reject(new Error('broken'));
    const other = await serve();
    server = await serve({ routes: testRoutes(failing) });
    await post(server, '/loan_risk', LOAN_RISK);
    const found = await samples();
    expect(found.get('risk_faults')).toBe(1);
    expect(await (await fetch(`${other.url}/metrics`)).text()).toContain('\nrisk_faults 0\n');
    await other.drain(1000);
    expect([...found.keys()].some(name => name.startsWith('risk_asset_steps_total'))).toBe(false);
    const failed = 'risk_requests_total{operation="/loan_risk",methodology="GBM",engine="none",status="500"}';
    expect(found.get(failed)).toBe(1);
  });

  it('are read on request: queues, GPU, age of the data, readiness', async () => {
    const observed = observation();
    const { metrics } = observed;
    metrics.read({
      longestSliceSeconds: () => 0.0125,
      backlogs: () => [{ engine: 'cpu', size: 'large', waiting: 3, seconds: 1.5 }],
      gpu: () => ({ state: 'restarting', losses: 4, restarts: 2 }),
      simd: () => ({ kernel: 'avx2', lanes: 8 }),
      dataAges: () => [['BTC', 3600]],
      marketStore: () => false,
      droppedLogLines: () => 7,
      sharedCounters: () => true,
      keysFile: () => false,
      expiringKeys: () => 3,
      fleet: () => ({ answers: false, workers: 2 }),
      ready: () => false,
    });
    server = await serve({ observation: observed });
    const found = await samples();
    expect(found.get('risk_queue_length{engine="cpu",size="large"}')).toBe(3);
    expect(found.get('risk_queue_work_seconds{engine="cpu",size="large"}')).toBe(1.5);
    expect(found.get('risk_gpu_state{state="restarting"}')).toBe(1);
    expect(found.get('risk_gpu_state{state="ready"}')).toBe(0);
    expect(found.get('risk_simd_lanes{kernel="avx2"}')).toBe(8);
    expect(found.get('risk_gpu_losses')).toBe(4);
    expect(found.get('risk_gpu_restarts')).toBe(2);
    expect(found.get('risk_market_data_age_seconds{asset="BTC"}')).toBe(3600);
    expect(found.get('risk_market_store')).toBe(0);
    expect(found.get('risk_log_lines_dropped')).toBe(7);
    expect(found.get('risk_shared_counters')).toBe(1);
    expect(found.get('risk_keys_file')).toBe(0);
    expect(found.get('risk_expiring_keys')).toBe(3);
    expect(found.get('risk_fleet_store')).toBe(0);
    expect(found.get('risk_fleet_workers')).toBe(2);
    expect(found.get('risk_ready')).toBe(0);
  });

  it('omit a reading that fails, and count it', async () => {
    const observed = observation();
    const readings = {
      longestSliceSeconds: () => 0.0125,
      backlogs: () => [],
      gpu: () => ({ state: 'ready', losses: 4, restarts: 2 }),
      simd: () => undefined,
      dataAges: () => [['BTC', 3600]] as const,
      marketStore: () => true,
      droppedLogLines: () => 7,
      sharedCounters: () => undefined,
      keysFile: () => undefined,
      expiringKeys: () => 0,
      fleet: () => undefined,
      ready: () => true,
    };
    const failing = () => {
      throw new Error('the market cannot be read');
    };
    observed.metrics.read(readings);
    server = await serve({ observation: observed });
    expect((await samples()).get('risk_market_data_age_seconds{asset="BTC"}')).toBe(3600);
    expect((await samples()).has('risk_keys_file')).toBe(false);
    expect((await samples()).get('risk_market_store')).toBe(1);
    observed.metrics.read({ ...readings, dataAges: failing, droppedLogLines: failing });
    await samples();
    const found = await samples();
    expect(found.has('risk_market_data_age_seconds{asset="BTC"}')).toBe(false);
    expect(found.has('risk_log_lines_dropped')).toBe(false);
    expect([found.get('risk_gpu_losses'), found.get('risk_ready')]).toEqual([4, 1]);
    for (const metric of ['risk_market_data_age_seconds', 'risk_log_lines_dropped'])
      expect(found.get(`risk_failed_readings_total{metric="${metric}"}`)).toBeGreaterThan(0);
  });

  it('omit an asset that the market no longer has', async () => {
    const observed = observation();
    let assets = ['BTC', 'ETH'];
    observed.metrics.read({
      longestSliceSeconds: () => 0.0125,
      backlogs: () => [],
      gpu: () => ({ state: 'none', losses: 0, restarts: 0 }),
      simd: () => undefined,
      dataAges: () => assets.map(asset => [asset, 60] as const),
      marketStore: () => true,
      droppedLogLines: () => 0,
      sharedCounters: () => undefined,
      keysFile: () => undefined,
      expiringKeys: () => 0,
      fleet: () => undefined,
      ready: () => true,
    });
    server = await serve({ observation: observed });
    await samples();
    assets = ['BTC'];
    const ages = [...(await samples()).keys()].filter(name => name.startsWith('risk_market_data_age'));
    expect(ages).toEqual(['risk_market_data_age_seconds{asset="BTC"}']);
  });

  it('need a key where the configuration requires it', async () => {
    server = await serve({ metricsNeedKey: true });
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
    expect((await samples({ 'x-api-key': KEY })).get('risk_ready')).toBe(0);
  });
});

describe('Readiness', () => {
  const ready = async () => {
    const response = await fetch(`${server.url}/readyz`);
    return [response.status, await response.json()];
  };
  const gpu = (gpuState: string) => ({ gpuState }) as EngineSet;

  it.each([
    ['restarting', 503],
    ['given-up', 503],
    ['ready', 200],
  ])('with a required GPU that is %s is %i', async (state, status) => {
    server = await serve({ observation: observation({ gpuRequired: true, engines: gpu(state) }) });
    expect((await ready())[0]).toBe(status);
  });

  it('ends where the latest close is older than the limit', async () => {
    const DAY = 86_400;
    const dataAges = { latest: () => 2 * DAY + 1 };
    server = await serve({ observation: observation({ dataAges, maxDataAgeDays: 2 }) });
    expect(await ready()).toEqual([503, { status: 'not ready', reasons: ['market data too old'] }]);
    await server.drain(1000);
    server = await serve({ observation: observation({ dataAges, maxDataAgeDays: 3 }) });
    expect(await ready()).toEqual([200, { status: 'ready', reasons: [] }]);
  });

  it('ends with draining, while requests are answered and their connections closed', async () => {
    const observed = observation();
    server = await serve({ observation: observed });
    observed.readiness.beginDraining();
    expect(await ready()).toEqual([503, { status: 'not ready', reasons: ['draining'] }]);
    const answer = await post(server, '/loan_risk', LOAN_RISK);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect(await answer.json()).toMatchObject({ Output: ANSWER.result });
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  });
});
