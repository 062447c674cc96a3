/** The typed client: its types are those of the service, and its calls are understood. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES } from '#src/server/openapi/examples.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { type AnswerOf, createClient, type Problem } from '../../client/index.js';
import { KEY, serve } from '../support/http-app.ts';
import { ANSWERS } from '../support/test-answers.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

let server: RunningServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.drain(1000));

const connect = (key = KEY) => createClient({ url: `${server.url}/`, key });

const loan = {
  collateral_weights: { BTC: 0.6, ETH: 0.4 },
  loan_weights: { USD: 1 },
  analysis_date: '01-30-2026',
  model_lookback: 30,
  loan_duration: 60,
  mc_top_up: 24,
  loan_value: 5000,
  L: 1.1,
};
const ratios = { N: 1.5, M: 1.3, R: 1.7 };

/** Installs the packed client, and what it depends on, into `folder`. */
function install(folder: string) {
  const packed = execFileSync(
    'npm',
    ['pack', '-w', 'client', '--ignore-scripts', '--json', '--pack-destination', folder],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [{ filename }] = JSON.parse(packed) as { filename: string }[];
  const home = join(folder, 'node_modules/collateral-risk-engine-client');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', home, '--strip-components=1']);
  const { dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    const from = [`client/node_modules/${name}`, `node_modules/${name}`].find(place =>
      existsSync(root + place),
    );
    symlinkSync(root + from, join(folder, 'node_modules', name));
  }
}

/** What the compiler says of a file of `folder`: empty where nothing is wrong. */
function faultsOf(folder: string, file: string): string {
  const compiler = `${root}node_modules/typescript/bin/tsc`;
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', file];
  return spawnSync(process.execPath, [compiler, ...options], { cwd: folder, encoding: 'utf8' }).stdout;
}

describe('The types of the client', () => {
  it('come with the package and accept the examples of every operation', { tags: ['slow'] }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-'));
    try {
      install(folder);
      const asked = Object.entries(EXAMPLES).flatMap(([path, bodies]) =>
        bodies.map(body => `client.POST(${JSON.stringify(path)}, { body: ${JSON.stringify(body)} });`),
      );
      const program = ["import { createClient } from 'collateral-risk-engine-client';"]
        .concat("const client = createClient({ url: 'http://127.0.0.1' });", asked)
        .join('\n');
      writeFileSync(join(folder, 'right.mts'), program);
      writeFileSync(join(folder, 'wrong.mts'), program.replaceAll('"model_lookback"', '"model_look_back"'));
      expect(faultsOf(folder, 'right.mts')).toBe('');
      expect(faultsOf(folder, 'wrong.mts')).toContain('model_look_back');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuse what the service refuses', async () => {
    const client = connect();
    const { error } = await client.POST('/loan_risk', {
      // @ts-expect-error There is no such methodology.
      body: { type: 'WALK', params: { ...loan, ...ratios, mc_iter: 1000 } },
    });
    const problem: Problem | undefined = error;
    expect(problem).toMatchObject({ status: 422, errors: [{ path: 'type' }] });
    // @ts-expect-error Every methodology needs params.
    await client.POST('/loan_risk', { body: { type: 'HISTORICAL' } });
    const both = { ...loan, ...ratios, initial_ltv: 0.6 };
    // @ts-expect-error N and initial_ltv are two forms of one thing.
    const twice = await client.POST('/loan_risk', { body: { type: 'HISTORICAL', params: both } });
    expect(twice.response.status).toBe(422);
    // @ts-expect-error A loan has a coverage at the start: N, initial_ltv or amounts.
    const missing = await client.POST('/loan_risk', { body: { type: 'HISTORICAL', params: loan } });
    expect(missing.error?.errors.map(({ path }) => path)).toEqual(['params.N', 'params.M', 'params.R']);
  });
});

describe('The types of answers', () => {
  type Loan = AnswerOf<'/loan_risk'>;

  it('know figures with their errors, plans, and what is none of them', () => {
    const shown = ({ Accuracy, Plan }: Loan) => {
      const low: number | null | undefined = Accuracy?.figures.PrLiquidation?.low;
      const kinds: readonly (string | undefined)[] = [Plan?.scenarios.kind, Plan?.product.kind];
      return [low, Plan?.seed, kinds];
    };
    // @ts-expect-error There is no such figure.
    const misspelt = ({ Accuracy }: Loan) => Accuracy?.figures.PrLiquidated?.low;
    // @ts-expect-error There is no such model.
    const unknown = ({ Plan }: Loan) => Plan?.scenarios.kind === 'walk';
    const resultOfJob = async (): Promise<Loan | undefined> => {
      const { data } = await connect().GET('/jobs/{id}/result', { params: { path: { id: 'a' } } });
      return data !== undefined && 'Output' in data && 'PrMarginCall' in data.Output
        ? (data as Loan)
        : undefined;
    };
    expect(shown({ ...ANSWERS['/loan_risk'], Accuracy: undefined } as unknown as Loan)[0]).toBeUndefined();
    expect([misspelt, unknown, resultOfJob]).toHaveLength(3);
  });
});

describe('What is not JSON', () => {
  it('is not in the types of the client', () => {
    const client = connect();
    // @ts-expect-error A batch is lines.
    const batch = () => client.POST('/batch', { body: { id: 'a', path: '/var', body: {} } });
    // @ts-expect-error Metrics are text.
    const metrics = () => client.GET('/metrics');
    const body = { type: 'HISTORICAL', params: { ...loan, ...ratios } } as const;
    const header = { prefer: 'respond-async' };
    // @ts-expect-error A job is begun by fetch.
    const job = () => client.POST('/loan_risk', { params: { header }, body });
    const text = readFileSync(`${root}client/schema.d.ts`, 'utf8');
    expect([batch, metrics, job]).toHaveLength(3);
    expect(text).not.toMatch(/"\/batch"|"\/metrics"|prefer|idempotency-key| 202:/);
  });

  it.each([
    ['a success', 200, 'JSON'],
    ['a refusal', 502, undefined],
  ])('is told apart where a proxy answers: %s', async (_, status, thrown) => {
    const proxy = async () => new Response('<p>A page</p>', { status });
    const asked = createClient({ url: server.url, key: KEY, fetch: proxy }).GET('/jobs');
    if (thrown !== undefined) await expect(asked).rejects.toThrow(thrown);
    else expect((await asked).error).toBe('<p>A page</p>');
  });
});

describe('The client', () => {
  it('asks each operation and reads its answer', async () => {
    const client = connect();
    const header = { 'x-seed': 7, 'x-compute': 'cpu' } as const;
    const loanRisk = await client.POST('/loan_risk', {
      params: { header },
      body: { type: 'GBM', params: { ...loan, ...ratios, mc_iter: 1000 } },
    });
    expect(loanRisk.response.headers.get('x-seed')).toBe('7');
    expect(loanRisk.data?.Output.PrLiquidation).toBe(ANSWERS['/loan_risk'].result.PrLiquidation);
    const origination = await client.POST('/loan_origination', {
      body: {
        type: 'HISTORICAL',
        params: {
          ...loan,
          opt_param: {
            score_variable: 'PrLiquidation',
            score_target: 0.05,
            variable_min: 1.2,
            variable_max: 3,
            error_tolerance: 0.001,
          },
        },
      },
    });
    expect(origination.data?.Output.N).toBe(ANSWERS['/loan_origination'].result.N);
    const valueAtRisk = await client.POST('/var', {
      body: {
        type: 'GBM_VIX',
        params: {
          collateral_weights: { BTC: 1 },
          loan_weights: { USD: 1 },
          model_lookback: 30,
          var_duration: [1, 30],
          quantile: [0.95],
          loan_value: 5000,
          collateral_value: 7500,
          mc_iter: 1000,
        },
      },
    });
    expect(valueAtRisk.data?.Output['1']).toEqual(ANSWERS['/var'].result['1']);
    const capped = await client.POST('/loan_risk_low_liquidity', {
      body: {
        type: 'GARCH',
        params: {
          ...loan,
          ...ratios,
          volume_lookback: 30,
          markets: [['BTC', 'USDT', 'binance']],
          participation_ratio: 0.1,
          mc_iter: 1000,
        },
      },
    });
    expect(capped.data?.Output['Volume Summary (per Million)'].Median).toBe(3);
    const perpetual = await client.POST('/isolated_perp_risk', {
      params: { query: { include: ['warnings'] } },
      body: {
        model: 'GBM',
        market: 'BTC',
        model_lookback: 30,
        trade_duration_hours: 72,
        contract_type: 'linear',
        funding_method: 'flat',
        entry_price: 100_000,
        initial_margin: 10_000,
        position_size: -2,
        funding_rate: 0.0001,
        funding_interval_hour: 8,
        contract_size: 1,
      },
    });
    expect(perpetual.data?.Results.Roi.q50).toBe(0.1);
    expect(perpetual.data?.Warnings).toEqual([]);
    const health = await client.GET('/healthz');
    expect(health.data).toEqual({
      status: 'ok',
      version: '1.2.3',
      interface: expect.any(String),
      gpu: 'none',
      market: 'sample',
    });
  });

  it('gets a 401 with the id of its request for a wrong key', async () => {
    const { error, response } = await connect('wrong').POST('/loan_risk', {
      body: { type: 'GBM', params: { ...loan, ...ratios, mc_iter: 1000 } },
    });
    expect(response.status).toBe(401);
    expect(error?.request_id).toBe(response.headers.get('x-request-id'));
  });
});
