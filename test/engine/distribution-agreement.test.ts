/**
 * The distribution of the engines in single precision: their counts against every path recomputed in double precision. A path
 * may be counted on the other side of an edge, or of a day, where it comes within rounding of it, and nowhere else.
 */

import { describe, expect, it } from 'vitest';
import { AMOUNT_BINS, allSlots } from '#src/core/distribution/bins.js';
import type { Engine } from '#src/core/engine.js';
import { drawnPrices } from '#src/core/plan/models.js';
import { distributionScales } from '#src/core/plan/product/value-at-risk.js';
import type {
  CappedLoanProduct,
  LoanProduct,
  PerpetualProduct,
  Scenarios,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import { withAssetThresholds } from '../support/any-terms.ts';
import {
  byDay,
  fanFaults,
  HOURLY,
  loanRatioFaults,
  loanSections,
  PLAIN_AMOUNTS,
  type PlainLoanPath,
  plainLoanPaths,
  plainMarks,
  slotFaults,
  valuesAtHorizon,
} from '../support/distribution.ts';
import { engineCases, SINGLE_ENGINES, type TestEngine } from '../support/engines.ts';
import { heavyTailed } from '../support/heavy-tails.ts';
import { logRatioTolerance, nearestThreshold } from '../support/parity.ts';
import {
  Dice,
  randomCappedPlan,
  randomGarch,
  randomLoanPlan,
  randomPerpetualPlan,
  randomValueAtRiskPlan,
} from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const PATHS = 200;
/** The first is of the fast suite, where the engine is. */
const SEEDS = [1, 2, 3];
/**
 * A pair, and twice three assets: the software driver compiles some thirty kernels for each other number of assets. Those of five
 * to eight are in test/shader/awkward-plans.test.ts.
 */
const SEEDS_ON_GPU = [10, 3, 4];
const seedsOf = ({ name }: TestEngine) => (name === 'gpu' ? SEEDS_ON_GPU : SEEDS);
/** Whether outcomes of loans are compared with those of plans without counts, whose kernels are others: on the GPU those of pairs. */
const comparesPlain = ({ name }: TestEngine, seed: number) => name !== 'gpu' || seed === SEEDS_ON_GPU[0];
const tagsOf = (engine: TestEngine, seed: number) => (seed === SEEDS[0] ? engine.tags : ['slow']);

const reference = sharedReference(2);
const opened = new Map<string, Promise<Engine>>();
function engineOf(engine: TestEngine): Promise<Engine> {
  const known = opened.get(engine.name) ?? engine.open();
  opened.set(engine.name, known);
  return known;
}

const MODEL_KINDS = ['gbm', 'garch', 'student-t', 'filtered-historical', 'bootstrap'] as const;
type Model = (typeof MODEL_KINDS)[number];

/** Scenarios of a model, or those that the plan has. */
function scenariosOf(model: Model, given: Scenarios, seed: number): Scenarios {
  if (model === 'gbm') return given;
  if (model === 'garch') return randomGarch(new Dice(seed), given.assets);
  return heavyTailed(model === 'bootstrap' ? 'bootstrap by hours' : model, given.assets, seed);
}

type Loan = LoanProduct | CappedLoanProduct;

/** How far ln(C/L) of a plan may drift in single precision. */
function toleranceOf(plan: SimulationPlan<Loan | PerpetualProduct>): number {
  const { product, scenarios } = plan;
  const years = product.steps / 8760;
  const variances = drawnPrices(scenarios)?.varianceOfTerm(scenarios, years) ?? [];
  return logRatioTolerance(Math.sqrt(2 * Math.max(...variances)), product.steps);
}

type RandomLoan = (seed: number, kind: 'gbm', paths: number) => SimulationPlan<Loan>;
const LOANS: readonly RandomLoan[] = [randomLoanPlan, randomCappedPlan];
/** The same with thresholds of liquidation by asset, on baskets. */
const LOANS_BY_ASSET: readonly RandomLoan[] = LOANS.map(random => {
  const byAsset: RandomLoan = (...of) => withAssetThresholds(random(...of), new Dice(of[0]));
  Object.defineProperty(byAsset, 'name', { value: `${random.name} by asset` });
  return byAsset;
});

/** Loans of a seed under a model with their paths, recomputed once for all engines. */
const known = new Map<string, { plan: SimulationPlan<Loan>; paths: PlainLoanPath[] }>();
function plainLoans(random: RandomLoan, model: Model, seed: number) {
  const key = JSON.stringify([random.name, model, seed]);
  const given: SimulationPlan<Loan> = random(seed, 'gbm', PATHS);
  const plan = { ...given, scenarios: scenariosOf(model, given.scenarios, seed) };
  const found = known.get(key) ?? { plan, paths: plainLoanPaths(plan) };
  known.set(key, found);
  return found;
}

/** Counts by day that differ by more paths than come within `tolerance` of a threshold. */
function eventFaults(
  plan: SimulationPlan<Loan>,
  paths: readonly PlainLoanPath[],
  counts: Float64Array,
  tolerance: number,
): string[] {
  const { steps } = plan.product;
  const { events } = loanSections(counts, steps, HOURLY);
  let near: number | undefined;
  return (['call', 'liquidation', 'closeout'] as const).flatMap(name => {
    const expected = byDay(
      paths.map(path => path[`${name}Step`]),
      steps,
      HOURLY,
    );
    const moved = expected.reduce((sum, count, day) => sum + Math.abs(count - events[name][day]), 0);
    if (moved === 0) return [];
    near ??= paths.filter((_, p) => nearestThreshold(plan, p) < tolerance).length;
    return moved <= 2 * near ? [] : [`${name}: ${events[name]} for ${expected}, ${near} paths are near`];
  });
}

describe.each(engineCases(SINGLE_ENGINES, 'loan', MODEL_KINDS))(
  '$engine.name under $model',
  ({ engine, model }) => {
    for (const seed of seedsOf(engine))
      it(`counts loans ${seed}, with and without a cap, by their paths`, {
        tags: tagsOf(engine, seed),
      }, async () => {
        const running = await engineOf(engine);
        const { scenarios } = randomLoanPlan(seed, 'gbm', PATHS);
        const isByAsset = model === 'gbm' && scenarios.assets > 2;
        for (const random of isByAsset ? [...LOANS, ...LOANS_BY_ASSET] : LOANS) {
          const { plan: plain, paths } = plainLoans(random, model, seed);
          if (!engine.has(plain.product.kind, model)) continue;
          const plan = { ...plain, distribution: HOURLY };
          const { distribution = new Float64Array(0), ...outcome } = await running.run(plan);
          const told = JSON.stringify({ seed, model, ...plan.product });
          const tolerance = toleranceOf(plan);
          expect(tolerance, told).toBeLessThan(1e-4);
          expect(loanRatioFaults(distribution, paths, plan.product.steps, HOURLY, tolerance), told).toEqual(
            [],
          );
          expect(eventFaults(plan, paths, distribution, tolerance), told).toEqual([]);
          if (comparesPlain(engine, seed)) expect(outcome, told).toEqual(await running.run(plain));
        }
      });
  },
);

describe.each(
  engineCases(
    SINGLE_ENGINES,
    'value-at-risk',
    MODEL_KINDS.filter(kind => kind !== 'garch'),
  ),
)('$engine.name under $model', ({ engine, model }) => {
  for (const seed of seedsOf(engine))
    it(`counts the values at the horizons of ${seed}`, { tags: tagsOf(engine, seed) }, async () => {
      const running = await engineOf(engine);
      const given = randomValueAtRiskPlan(seed, 2000);
      const hours = given.product.horizonYears.map(years => Math.max(1, Math.round(8760 * years)));
      const plain = {
        ...given,
        scenarios: scenariosOf(model, given.scenarios, seed),
        product: {
          ...given.product,
          horizonSteps: model === 'bootstrap' ? Uint32Array.from(hours) : new Uint32Array(0),
        },
      };
      const plan = { ...plain, distribution: HOURLY };
      const outcome = await running.run(plan);
      const expected = await reference.run(plan);
      const records = await reference.trace(plan);
      const told = JSON.stringify({ seed, model, ...plan.product });
      const scales = distributionScales(plan.product);
      outcome.horizons.forEach(({ distribution }, k) => {
        const values = valuesAtHorizon(plan.product, records, k);
        for (const name of ['collateral', 'loan', 'netExposure'] as const) {
          const where = `${name} at horizon ${k}; ${told}`;
          const relative = Array.from(values[name], value => value / scales[name]);
          // A value is good to some 1e-6 of the larger side, which may be several times the scale.
          const size = Math.max(
            ...relative.map(Math.abs),
            ...values.collateral.map(value => value / scales[name]),
          );
          const nearness = 3e-6 * size;
          expect(
            slotFaults(
              distribution ? allSlots(AMOUNT_BINS, distribution[name].counts) : [],
              relative,
              PLAIN_AMOUNTS,
              nearness,
            ),
            where,
          ).toEqual([]);
          const exact = expected.horizons[k].distribution?.[name].quantiles ?? new Float64Array(0);
          distribution?.[name].quantiles.forEach((quantile, i) => {
            const off = Math.abs(quantile - exact[i]) / scales[name];
            expect(off, `quantile ${i}: ${quantile} for ${exact[i]}; ${where}`).toBeLessThan(nearness);
          });
          expect(distribution?.[name].quantiles.length, where).toBe(exact.length);
        }
      });
      const tails = outcome.horizons.map(({ distribution: _, ...rest }) => rest);
      expect({ ...outcome, horizons: tails }, told).toEqual(await running.run(plain));
    });
});

const PERPETUAL_CASES = engineCases(SINGLE_ENGINES, 'perpetual', MODEL_KINDS);
describe.runIf(PERPETUAL_CASES.length > 0).each(PERPETUAL_CASES)(
  '$engine.name under $model',
  ({ engine, model }) => {
    for (const seed of seedsOf(engine))
      it(`counts the mark of position ${seed}`, { tags: tagsOf(engine, seed) }, async () => {
        const running = await engineOf(engine);
        const given = randomPerpetualPlan(seed, 'gbm', PATHS);
        const plain = { ...given, scenarios: scenariosOf(model, given.scenarios, seed) };
        const plan = { ...plain, distribution: HOURLY };
        expect(running.supports(plan)).toBe(true);
        const { distribution = new Float64Array(0), ...outcome } = await running.run(plan);
        const told = JSON.stringify({ seed, model, ...plan.product });
        expect(
          fanFaults(distribution, plainMarks(plan), plan.product.steps, toleranceOf(plan)),
          told,
        ).toEqual([]);
        expect(outcome, told).toEqual(await running.run(plain));
      });
  },
);
