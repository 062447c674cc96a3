/**
 * What accounts of perpetuals take, in units of an asset-step of a loan of two assets in the same process: bench/results/operations/accounts.json.
 *
 *   npm run --silent prebench && node build/bench/operations/accounts.js
 *
 * Checks come first: the chance of a forced close of each account is that of test/support/check-accounts.ts within four standard errors.
 */
import { writeFileSync } from 'node:fs';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { weighedWork } from '#src/core/plan/work.js';
import { runRange } from '#src/core/reference/products.js';
import { runSimdRange } from '#src/core/simd/products.js';
import { loadKernel } from '#src/engine/wasm/read-kernel.js';
import { ACCOUNTS, type AccountName, accountPlan, FORCED_CLOSES } from '../../test/support/check-accounts.ts';
import { planNamed } from '../plans.ts';

const PATHS = 4000;
const REPEATS = 3;
const SEED = 3;
const ROOT = new URL('../../../', import.meta.url);

const kernel = loadKernel();
const ENGINES = {
  reference: (plan: SimulationPlan) => runRange(plan, { first: 0, count: plan.paths }),
  simd: (plan: SimulationPlan) => runSimdRange(kernel, plan, { first: 0, count: plan.paths }),
} as const;

/** Milliseconds of the fastest of some runs. */
function fastest(run: () => unknown): number {
  const times = Array.from({ length: REPEATS }, () => {
    const begin = performance.now();
    run();
    return performance.now() - begin;
  });
  return Math.min(...times);
}

const loan = planNamed('w1').plan(2000, SEED);
const units: Record<string, number> = {};
const rows: object[] = [];
for (const [engine, run] of Object.entries(ENGINES)) {
  const perLoanStep = fastest(() => run(loan)) / weighedWork(loan);
  const costs: number[] = [];
  for (const name of Object.keys(ACCOUNTS) as AccountName[]) {
    const hourly = accountPlan(name, PATHS, SEED, 0);
    const outcome = run(hourly) as unknown as { readonly forcedCloses: number };
    const share = FORCED_CLOSES[name];
    const error = Math.sqrt((share * (1 - share)) / PATHS);
    if (Math.abs(outcome.forcedCloses / PATHS - share) > 4 * error)
      throw new Error(`${name} on ${engine}: a share of ${outcome.forcedCloses / PATHS}, not ${share}`);
    for (const bridge of [0, 1]) {
      const plan = accountPlan(name, PATHS, SEED, bridge);
      const milliseconds = fastest(() => run(plan));
      const cost = milliseconds / weighedWork(plan) / perLoanStep;
      costs.push(cost);
      rows.push({
        engine,
        account: name,
        bridge,
        microsecondsPerPath: (1000 * milliseconds) / PATHS,
        units: cost,
      });
    }
  }
  units[engine] = Number(
    Math.exp(costs.reduce((sum, cost) => sum + Math.log(cost), 0) / costs.length).toPrecision(3),
  );
}
const file = new URL('bench/results/operations/accounts.json', ROOT);
writeFileSync(file, `${JSON.stringify({ units, rows }, undefined, 2)}\n`);
console.log(JSON.stringify(units));
