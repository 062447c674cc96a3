/** The package as a library: its programs of docs/library.md as TypeScript, answers against the service, refusals. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRisk, RiskRefusal } from '#src/library.js';
import { fencedBlocks, readDocument } from '../docs/tools/examples.mjs';
import { useSampleService } from './support/sample-service.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);
const programs = fencedBlocks(readDocument('docs/library.md')).filter(({ language }) => language === 'ts');

const TERMS = {
  collateral_weights: { BTC: 0.6, ETH: 0.4 },
  loan_weights: { USD: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 90,
  loan_duration: 3,
  mc_top_up: 24,
  loan_value: 1000,
  N: 1.5,
  M: 1.3,
  L: 1.1,
  R: 1.4,
  mc_iter: 500,
};
const LOAN = { type: 'GBM', params: TERMS };

describe('The programs of docs/library.md', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'library-'));
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(root, path.join(folder, 'node_modules/collateral-risk-engine'));
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    for (const [k, { content }] of programs.entries())
      writeFileSync(path.join(folder, `program-${k}.ts`), content);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are three', () => {
    expect(programs).toHaveLength(3);
  });

  it('have the types of the package and run', { tags: ['slow'] }, async () => {
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const options = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      '',
      '--outDir',
      'out',
    ];
    const files = programs.map((_, k) => `program-${k}.ts`);
    const libraries = ['--lib', 'es2023,dom', '--preserveSymlinks'];
    await run(process.execPath, [compiler, ...options, ...libraries, ...files], { cwd: folder }).catch(
      error => {
        throw new Error(error.stdout);
      },
    );
    const outputs = [];
    for (const k of programs.keys())
      outputs.push((await run(process.execPath, [`out/program-${k}.js`], { cwd: folder })).stdout);
    expect(outputs[0]).toMatch(/^closeout 0(\.\d+)?, underwater 0(\.\d+)?\n/);
    expect(outputs[0]).toContain('params.loan_value loan_value must be above 0');
    expect(outputs[1]).toMatch(/100 %\n\{ '0.95': .* \}\n.*the night is over\n$/s);
    const [, kept, byRule] = /([\d.]+) of the paths, by the rule ([\d.]+)/.exec(outputs[2]) ?? [];
    expect(Number(kept)).toBeGreaterThan(0);
    expect(Number(byRule)).toBeLessThan(Number(kept));
  });
});

describe('A question of the library', () => {
  const app = useSampleService();
  let risk: Awaited<ReturnType<typeof openRisk>>;
  beforeAll(async () => {
    risk = await openRisk({ market: 'sample', compute: 'cpu', cpuThreads: 2 });
  });
  afterAll(() => risk?.close());

  it('has the answer of the service', async () => {
    const options = { seed: 7, compute: 'cpu', include: ['accuracy', 'warnings'] } as const;
    const response = await app.post('/loan_risk?include=accuracy,warnings', LOAN, {
      'x-seed': '7',
      'x-compute': 'cpu',
    });
    expect(await risk.ask('/loan_risk', LOAN, options)).toEqual(await response.json());
  });

  it('is refused with every fault, as one error', async () => {
    const refused = risk.ask('/loan_risk', { type: 'GBM', params: { ...TERMS, N: -1, mc_iter: 0 } });
    const error = (await refused.catch(each => each)) as RiskRefusal;
    expect(error).toBeInstanceOf(RiskRefusal);
    expect(error.problem.errors.map(fault => fault.path)).toEqual(['params.N', 'params.mc_iter']);
    expect(error.message).toContain('params.N: N must be above 0');
  });

  it('has paths whose lowest coverage is that of the answer', async () => {
    const { Output } = await risk.ask('/loan_risk', LOAN, { seed: 7, compute: 'cpu' });
    const { hours, paths } = await risk.paths('/loan_risk', LOAN, { seed: 7, compute: 'cpu', count: 500 });
    expect(hours[hours.length - 1]).toBe(72);
    const isCalled = paths.map(({ BTC, ETH }) =>
      BTC.some((price, t) => 1.5 * (0.6 * price + 0.4 * ETH[t]) < 1.3),
    );
    // The engine of single precision may decide a path at the threshold otherwise (methodology, part 8).
    const share = isCalled.filter(Boolean).length / 500;
    expect(Math.abs(share - Output.PrMarginCall)).toBeLessThanOrEqual(1 / 500);
    await expect(risk.paths('/loan_risk', LOAN, { first: 499, count: 2 })).rejects.toThrow(
      'in the 500 paths',
    );
    const exposure = { ...TERMS, var_duration: [1], quantile: [0.95], collateral_value: 1500 };
    const { collateral_weights, loan_weights, analysis_date, model_lookback, loan_value } = TERMS;
    const { var_duration, quantile, collateral_value } = exposure;
    const params = { collateral_weights, loan_weights, analysis_date, model_lookback, loan_value };
    const body = {
      type: 'GBM',
      params: { ...params, var_duration, quantile, collateral_value, mc_iter: 100 },
    };
    await expect(risk.paths('/var', body, { count: 1 })).rejects.toThrow('/var has no prices by the step');
  });

  it('refuses closes that cannot be prices, all at once', async () => {
    const market = {
      BTC: { firstDay: '2024-02-30', closes: [1, 2] },
      eth: { firstDay: '2024-01-01', closes: [1, 0, null] },
    };
    const error = (await openRisk({ market, compute: 'cpu' }).catch(each => each)) as RiskRefusal;
    expect(error.problem.errors.map(fault => fault.path)).toEqual([
      'market.BTC.firstDay',
      'market.eth',
      'market.eth.closes.1',
    ]);
  });
});

it('The package exports the library with its types', () => {
  const { exports, files } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(exports).toEqual({
    '.': { types: './client/library.d.ts', default: './dist/library.js' },
    './package.json': './package.json',
  });
  expect(files).toContain('client/*.d.ts');
});
