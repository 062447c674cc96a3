/** A plan as JSON: exact in both directions; any other value is refused with every fault at its place. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { decodePlan, encodePlan } from '#src/core/plan/codec.js';
import { MODEL_KINDS, MODELS } from '#src/core/plan/models.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import { PRODUCT_KINDS } from '#src/core/plan/product/kinds.js';
import { PRODUCTS } from '#src/core/plan/products.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import {
  type ModelKind,
  randomCappedPlan,
  randomLoanPlan,
  randomPerpetualPlan,
  randomUnderWayPlan,
  randomValueAtRiskPlan,
} from '../../support/random-plans.ts';

const throughText = (plan: SimulationPlan) => decodePlan(JSON.parse(JSON.stringify(encodePlan(plan))));

/** The faults of a value that is not a plan. */
function faultsOf(json: unknown): readonly { path: string; message: string }[] {
  try {
    decodePlan(json);
  } catch (error) {
    if (error instanceof RiskError) return error.faults;
    throw error;
  }
  return [];
}

/** A plan of one of the kinds, as JSON that a test may change. */
const json = (plan: SimulationPlan) =>
  JSON.parse(JSON.stringify(encodePlan(plan))) as Record<string, Record<string, unknown>>;

describe('A plan through JSON', () => {
  it.each(['gbm', 'garch', 'historical'] as const satisfies readonly ModelKind[])(
    'is the same plan to the last bit under %s',
    kind => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 1e6 }), seed => {
          for (const plan of [
            randomLoanPlan(seed, kind, 5),
            randomUnderWayPlan(seed, kind, 5),
            randomCappedPlan(seed, kind, 5),
            randomPerpetualPlan(seed, kind, 5),
          ])
            expect(throughText(plan)).toStrictEqual(plan);
        }),
        { numRuns: 40 },
      );
    },
  );

  it('has the version of its form, and up to 100 million paths', () => {
    const plan = json(randomLoanPlan(1, 'gbm', 5));
    expect(plan.form).toBe(1);
    expect(faultsOf({ ...plan, form: 2 }).map(({ path }) => path)).toEqual(['plan.form']);
    expect(faultsOf({ ...plan, paths: 100_000_000 })).toEqual([]);
    expect(faultsOf({ ...plan, paths: 100_000_001 }).map(({ path }) => path)).toEqual(['plan.paths']);
  });

  it('requests its distribution, and is refused for a product without one', () => {
    const plan = { ...randomLoanPlan(1, 'gbm', 5), distribution: { daySteps: 1 } } as const;
    expect(throughText(plan)).toStrictEqual(plan);
    const hourly = { ...plan, distribution: { daySteps: 24 } } as const;
    expect(throughText(hourly)).toStrictEqual(hourly);
    expect(json(randomLoanPlan(1, 'gbm', 5))).not.toHaveProperty('distribution');
    const scan = PRODUCTS.origination.usual.terms(2)[0];
    expect(faultsOf(json({ ...plan, product: scan }))).toContainEqual(
      expect.objectContaining({
        path: 'plan.distribution',
        message: 'plan.distribution must be absent for the product origination; got an object',
      }),
    );
    expect(faultsOf({ ...json(plan), distribution: { daySteps: 2 } }).map(({ path }) => path)).toEqual([
      'plan.distribution.daySteps',
    ]);
  });

  it('is the same plan for value at risk', () => {
    for (let seed = 0; seed < 40; seed++) {
      const plan = randomValueAtRiskPlan(seed, 5);
      expect(throughText(plan)).toStrictEqual(plan);
    }
  });

  it('is the same plan at Sobol points', () => {
    for (let seed = 0; seed < 10; seed++) {
      const plan = { ...randomValueAtRiskPlan(seed, 5), paths: 4096 };
      const sent = { ...plan, scenarios: MODELS['gbm-sobol'].usual(plan.scenarios.assets) };
      expect(throughText(sent)).toStrictEqual(sent);
    }
  });

  it('is the same plan with shifted paths', () => {
    for (let seed = 0; seed < 10; seed++) {
      const plan = randomLoanPlan(seed, 'gbm', 5);
      const scenarios = {
        ...MODELS['gbm-shifted'].usual(plan.scenarios.assets),
        steps: plan.product.steps,
        distance: 2.5,
      };
      const sent = { ...plan, scenarios };
      expect(throughText(sent)).toStrictEqual(sent);
    }
  });

  it.each(PRODUCT_KINDS)('is the same plan for the usual %s', kind => {
    const contract = PRODUCTS[kind];
    const assets = kind === 'perpetual' ? 1 : 3;
    for (const product of contract.usual.terms(assets)) {
      const plan = { seed: 1, paths: 7, scenarios: MODELS.gbm.usual(assets), product } as SimulationPlan;
      expect(throughText(plan)).toStrictEqual(plan);
    }
  });

  it('is written for every kind of product and model', () => {
    expect(PRODUCT_KINDS.length).toBeGreaterThan(4);
    for (const kind of MODEL_KINDS) {
      const plan = { ...randomPerpetualPlan(1, 'gbm', 1), scenarios: MODELS[kind].usual(1) };
      expect(encodePlan(plan).scenarios).toMatchObject({ kind });
    }
  });

  it('preserves every finite double, including negative zero', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), pnl => {
        const plan = randomPerpetualPlan(2, 'gbm', 1);
        const sent = { ...plan, product: { ...plan.product, unrealizedPnl: pnl } };
        const read = throughText(sent) as typeof sent;
        expect(Object.is(read.product.unrealizedPnl, pnl)).toBe(true);
      }),
    );
    const plan = randomPerpetualPlan(2, 'gbm', 1);
    const zero = throughText({ ...plan, product: { ...plan.product, unrealizedPnl: -0 } }) as typeof plan;
    expect(Object.is(zero.product.unrealizedPnl, -0)).toBe(true);
  });

  it('is refused for a number that is not finite', () => {
    const plan = randomPerpetualPlan(2, 'gbm', 1);
    for (const unrealizedPnl of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => encodePlan({ ...plan, product: { ...plan.product, unrealizedPnl } })).toThrow(RangeError);
  });

  it('has no member that a plan does not declare', () => {
    const plan = randomLoanPlan(3, 'gbm', 2);
    const named = { ...plan.product.portfolio, symbols: ['A', 'B'] };
    expect(
      throughText({ ...plan, product: { ...plan.product, portfolio: named } } as SimulationPlan),
    ).toStrictEqual(plan);
  });
});

describe('A value that is not a plan', () => {
  it.each([null, undefined, 5, 'plan', [], {}, { form: 1 }, { form: 2, seed: 0 }])(
    'is refused: %j',
    value => {
      expect(faultsOf(value).length).toBeGreaterThan(0);
    },
  );

  it('is refused at Sobol points for another product, and for paths that are not 16 times a power of two', () => {
    const plan = randomLoanPlan(3, 'gbm', 2);
    const loan = { ...plan, scenarios: MODELS['gbm-sobol'].usual(plan.scenarios.assets), paths: 48 };
    expect(faultsOf(json(loan)).map(({ path }) => path)).toEqual(['plan.product.kind', 'plan.paths']);
  });

  it('is refused with shifted paths for products without weights, for other steps, and with a distribution', () => {
    const shifted = (assets: number) => ({ ...MODELS['gbm-shifted'].usual(assets), steps: 5, distance: 2 });
    const perpetual = { ...randomPerpetualPlan(1, 'gbm', 1), scenarios: shifted(1) };
    expect(faultsOf(json(perpetual))).toContainEqual(
      expect.objectContaining({
        path: 'plan.product.kind',
        message: 'plan.product.kind must be loan or book with gbm-shifted; got "perpetual"',
      }),
    );
    const plan = randomLoanPlan(3, 'gbm', 2);
    const loan = {
      ...plan,
      scenarios: { ...shifted(plan.scenarios.assets), steps: plan.product.steps + 1 },
      distribution: { daySteps: 24 },
    } as const;
    expect(faultsOf(json(loan)).map(({ path }) => path)).toEqual([
      'plan.distribution',
      'plan.scenarios.steps',
    ]);
  });

  it.each(['book', 'value-at-risk'] as const)('is refused with a quantile of 1 for the product %s', kind => {
    const product = { ...PRODUCTS[kind].usual.terms(2)[0], quantiles: Float64Array.of(0.95, 1) };
    const plan = { seed: 1, paths: 2, scenarios: MODELS.gbm.usual(2), product } as SimulationPlan;
    expect(faultsOf(json(plan)).map(({ path }) => path)).toEqual(['plan.product.quantiles.1']);
  });

  it('is refused with all its faults at once', () => {
    const value = json(randomLoanPlan(3, 'gbm', 2));
    value.product.steps = 0;
    value.product.nominalRatio = '1.5';
    value.product.extra = 1;
    (value.scenarios.annualVolatility as unknown[])[0] = -1;
    const paths = faultsOf(value).map(({ path }) => path);
    expect([...paths].sort()).toEqual([
      'plan.product.extra',
      'plan.product.nominalRatio',
      'plan.product.steps',
      'plan.scenarios.annualVolatility.0',
    ]);
  });

  it('is refused with 20 faults at most', () => {
    const value = json(randomPerpetualPlan(4, 'gbm', 1));
    value.product.settlements = Array.from({ length: 80_000 }, () => 'x');
    expect(faultsOf(value)).toHaveLength(20);
  });

  it.each([
    ['plan.scenarios.factor', []],
    ['plan.product.portfolio.loanWeights', []],
    ['plan.seed', 2 ** 32],
    ['plan.paths', 0.5],
    ['plan.product.kind', 'constructor'],
    ['plan.scenarios.kind', '__proto__'],
  ])('is refused at %s', (path, value) => {
    const plan: Record<string, unknown> = json(randomLoanPlan(5, 'gbm', 2));
    const members = path.split('.').slice(1);
    const last = members.pop() ?? '';
    const parent = members.reduce((each, name) => each[name] as typeof plan, plan);
    parent[last] = value;
    expect(faultsOf(plan).map(fault => fault.path)).toContain(path);
  });

  it('is refused where history is too short for the product', () => {
    const value = json(randomLoanPlan(6, 'historical', 3));
    value.product.steps = Number(value.scenarios.lead) + 1;
    expect(faultsOf(value).map(({ path }) => path)).toEqual(['plan.scenarios.lead']);
    const short = json(randomLoanPlan(6, 'historical', 3));
    (short.scenarios.prices as number[][])[0].pop();
    expect(faultsOf(short).map(({ path }) => path)).toEqual(['plan.scenarios.prices.0']);
  });

  it('is refused for a book whose loans have a missing basket, or a term outside the steps', () => {
    const [book] = PRODUCTS.book.usual.terms(2);
    const plan = { seed: 1, paths: 7, scenarios: MODELS.gbm.usual(2), product: book } as SimulationPlan;
    const { steps, saleDelaySteps, basket, collateralWeights } = book as BookProduct;
    const faultsWith = (member: string, value: number) => {
      const changed = json(plan);
      (changed.product[member] as number[])[0] = value;
      return faultsOf(changed).map(({ path }) => path);
    };
    const baskets = collateralWeights.length / 2;
    expect(basket.length).toBeGreaterThan(0);
    for (const good of [1, steps - saleDelaySteps])
      expect(faultsWith('termSteps', good), `${good}`).toEqual([]);
    for (const bad of [0, steps - saleDelaySteps + 1])
      expect(faultsWith('termSteps', bad), `${bad}`).toEqual(['plan.product.termSteps']);
    expect(faultsWith('basket', baskets - 1)).toEqual([]);
    expect(faultsWith('basket', baskets)).toEqual(['plan.product.basket']);
  });

  it('is refused with faults and no other error', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        expect(faultsOf(JSON.parse(text)).length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
    const base = JSON.stringify(encodePlan(randomLoanPlan(7, 'gbm', 2)));
    fc.assert(
      fc.property(
        fc.nat(base.length - 1),
        fc.constantFrom('0', '-', '"', '1e999', 'null', '[', '}'),
        (at, piece) => {
          const text = base.slice(0, at) + piece + base.slice(at + 1);
          let value: unknown;
          try {
            value = JSON.parse(text);
          } catch {
            return;
          }
          for (const { path, message } of faultsOf(value)) expect(message.startsWith(path)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
