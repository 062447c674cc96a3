/** Accounts of every venue under every model, by the kernel of every width: path by path those of the reference, and the same bits at every width. */
import { describe, expect, it } from 'vitest';
import { tiersOf } from '#src/core/account/tiers.js';
import { FLAG_LIQUIDATION } from '#src/core/engine.js';
import { RATIO_SLOTS } from '#src/core/plan/distribution.js';
import {
  type AccountProduct,
  type AccountRow,
  equityAtStart,
  type FundingProcess,
} from '#src/core/plan/product/account.js';
import { contractOf } from '#src/core/plan/products.js';
import { RecordSink } from '#src/core/plan/records.js';
import type { Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { REFERENCE_PATHS } from '#src/core/reference/products.js';
import { type PathMaker, runPaths } from '#src/core/run-paths.js';
import type { Kernel } from '#src/core/simd/kernel.js';
import { kernelPaths } from '#src/core/simd/products.js';
import { openNativeKernel } from '#src/engine/native/native-kernels.js';
import { loadKernel } from '#src/engine/wasm/read-kernel.js';
import { venueTerms } from '#src/question/account/open-account.js';
import { VENUES } from '#src/question/account/venues/venues.js';
import { accountPlan } from '../support/check-accounts.ts';
import { openTestGpuEngine } from '../support/gpu.ts';
import { HEAVY_TAILS, heavyTailed } from '../support/heavy-tails.ts';
import { MAKES_WIDE, makeWideKernel, NATIVE_HERE } from '../support/native-kernels.ts';
import { Dice, randomGarch } from '../support/random-plans.ts';

const ASSETS = 3;
const PATHS = 70;
const MODELS: Readonly<Record<string, () => Scenarios>> = {
  gbm: () => accountPlan('A5', 1, 1, 1).scenarios,
  garch: () => randomGarch(new Dice(3), ASSETS),
  ...Object.fromEntries(HEAVY_TAILS.map(model => [model, () => heavyTailed(model, ASSETS, 11)])),
};
const KERNELS: Readonly<Record<string, () => Kernel>> = {
  ...Object.fromEntries(NATIVE_HERE.map(name => [name, () => openNativeKernel(name)])),
  ...(MAKES_WIDE ? { 'wide, of vectors of 8': makeWideKernel } : {}),
};

/** The software driver is slow, a GPU is not. */
const IS_HARDWARE = process.env.TEST_GPU === 'own';
const GPU_TAGS = IS_HARDWARE ? [] : ['slow'];
/** Models that the GPU has with late prices and drawn rates, too: one of normals, and one of returns. Each has kernels of its own, slow to compile. */
const WITH_ALL_COSTS: readonly string[] = ['gbm', 'bootstrap by hours'];

const row = (own: Partial<AccountRow> & Pick<AccountRow, 'asset' | 'quantity'>): AccountRow => ({
  currency: 0,
  inverse: false,
  entryPrice: 100,
  markPrice: 100,
  assetPrice: 100,
  coin: false,
  tiers: tiersOf([
    { from: 0, rate: 0.02 },
    { from: 60_000, rate: 0.05 },
  ]),
  fundingRate: 0.0003,
  fundingIntervalHours: 8,
  ...own,
});

/** Linear and inverse rows, long and short, in USD, in a coin and in a stablecoin that moves; tiers in USD and in coins. */
const ROWS: readonly AccountRow[] = [
  row({ asset: 0, quantity: 900, depth: 20_000, hourlyVolume: 1e6 }),
  row({ asset: 1, quantity: -400, entryPrice: 103, currency: 2, fundingIntervalHours: 1 }),
  row({ asset: 2, quantity: 300, markPrice: 101, fundingRate: -0.0001, fundingIntervalHours: 4 }),
  row({
    ...{ asset: 0, quantity: -20_000, inverse: true, currency: 1, coin: true },
    tiers: tiersOf([
      { from: 0, rate: 0.01 },
      { from: 150, rate: 0.03 },
    ]),
  }),
];

const drawn = (own: Partial<FundingProcess>): FundingProcess => ({
  ...{ of: 'rate', asset: 0, rank: 0, mean: 0.0003, deviation: 0.0004, phi: 0.8, correlation: 0.3 },
  ...{ start: 0.0001, intervalHours: 8, interest: 0.0001, clamp: 0.0005, linearWeights: false, cap: 0.001 },
  ...own,
});

/** A process of each kind, for the first and the third row. */
const PROCESSES = [
  drawn({}),
  drawn({
    ...{ of: 'premium', asset: 2, rank: 5, correlation: -0.4, start: -0.0002 },
    ...{ intervalHours: 4, linearWeights: true },
  }),
];
const DRAWN_ROWS = ROWS.map((row, i) => (i % 2 === 0 && i < 3 ? { ...row, process: i / 2 } : row));

const planOf = (venue: string, scenarios: Scenarios, i: number): SimulationPlan<AccountProduct> => ({
  seed: 40 + i,
  paths: PATHS,
  scenarios,
  product: {
    kind: 'account',
    venue: venueTerms(VENUES.get(venue)!),
    currencies: [
      { asset: ASSETS, price: 1, balance: 3_600, haircut: 0, debtMarkup: 0 },
      { asset: 0, price: 100, balance: 60, haircut: 0.05, debtMarkup: 0 },
      { asset: 1, price: 0.99, balance: -1_000, haircut: 0.1, debtMarkup: 0.02 },
    ],
    ...(i % 4 === 0 ? { rows: DRAWN_ROWS, processes: PROCESSES } : { rows: ROWS, processes: [] }),
    // Every other plan begins after a shock: near its line.
    ...(i % 2 === 0 ? {} : { shock: Float64Array.of(0.97, 1.01, 0.98) }),
    marginCallRatio: 0.8,
    slippage: 0.0005,
    slippageGrowth: 0.02,
    feedLagHours: i % 3 === 0 ? i % 9 : 0,
    bridgeVariance: i % 3 === 0 ? 0 : 1.1,
    debitsOnly: i % 5 === 4,
    steps: 101,
  },
});

/** Each venue and each model once in the quick suite, all pairs in the full one. */
const CASES = Object.keys(MODELS).flatMap((model, m) =>
  [...VENUES.keys()].map((venue, v) => ({
    model,
    venue,
    i: m * VENUES.size + v,
    tags: v === m % VENUES.size ? [] : ['slow'],
    // No kernel of the GPU knows model and closing rule together: by the software driver each venue runs under a third of the models.
    onGpu: IS_HARDWARE || WITH_ALL_COSTS.includes(model) || (v + m) % 3 === 0,
  })),
);

function traced(maker: PathMaker, plan: SimulationPlan<AccountProduct>) {
  const fields = contractOf(plan.product).recordFields(plan.product);
  const range = { first: 0, count: plan.paths };
  const records = new RecordSink(fields.length, range);
  const counted = { ...plan, distribution: { daySteps: 24 as const } };
  const { distribution } = runPaths(maker, counted, range, records);
  const columns = Object.fromEntries(fields.map((field, i) => [field, records.columns[i]]));
  return { columns, distribution: distribution ?? new Float64Array() };
}

const AMOUNTS = ['finalEquity', 'accumulatedFunding', 'maxEquityDrawdown', 'fees', 'fundShortfall'] as const;

/** Counts without those of nothing: what is left of an account that has lost all is 0, or rounding below all bins. */
const aboveNothing = (counts: Float64Array) =>
  counts.filter((_, k) => k % RATIO_SLOTS !== 0 && k % RATIO_SLOTS !== RATIO_SLOTS - 1);

/** Expects the paths of the reference: every flag and hour, amounts to 1e-4 of the equity. */
function expectThoseOfReference(
  plan: SimulationPlan<AccountProduct>,
  { columns: got, distribution }: ReturnType<typeof traced>,
) {
  const reference = traced(REFERENCE_PATHS, plan);
  const wanted = reference.columns;
  const equity = equityAtStart(plan.product);
  expect(wanted.closeHour.some(hour => hour > 0)).toBe(true);
  for (const column of ['flags', 'callHour', 'closeHour', 'endHour'])
    expect([...got[column]], column).toEqual([...wanted[column]]);
  for (const column of AMOUNTS)
    got[column].forEach((amount, path) => {
      expect(Math.abs(amount - wanted[column][path]) / equity, `${column} of path ${path}`).toBeLessThan(
        1e-4,
      );
    });
  got.medianLeverage.forEach((median, path) => {
    // The median is narrowed down to 1.2e-4 of its value on the GPU.
    expect(Math.abs(median - wanted.medianLeverage[path]), `leverage of path ${path}`).toBeLessThan(
      2e-4 * (1 + wanted.medianLeverage[path]),
    );
  });
  plan.product.rows.forEach((_, k) => {
    for (const column of [`closed.${k}`, `forced.${k}`])
      got[column].forEach((share, path) => {
        expect(Math.abs(share - wanted[column][path]), `${column} of path ${path}`).toBeLessThan(1e-3);
      });
    got[`funding.${k}`].forEach((funding, path) => {
      expect(Math.abs(funding - wanted[`funding.${k}`][path]) / equity).toBeLessThan(1e-5);
    });
  });
  // A value at the edge of a bin falls to either side: 1e-4 of a value, of bins of 1e-2.
  const [most, counted] = [reference.distribution, distribution].map(aboveNothing);
  const moved = most.reduce((sum, count, k) => sum + Math.abs(count - counted[k]), 0);
  expect(moved / reference.distribution.reduce((sum, count) => sum + count, 0)).toBeLessThan(0.01);
}

describe('accounts by the kernel', () => {
  const kernel = kernelPaths(loadKernel());
  const wide = Object.fromEntries(Object.entries(KERNELS).map(([name, open]) => [name, kernelPaths(open())]));

  for (const { model, venue, i, tags } of CASES)
    it(`are those of the reference: ${venue}, ${model}`, { tags }, () => {
      const plan = planOf(venue, MODELS[model](), i);
      const packets = traced(kernel, plan);
      expectThoseOfReference(plan, packets);
      for (const [name, maker] of Object.entries(wide))
        expect(traced(maker, plan), `${name} against four lanes`).toEqual(packets);
    });

  it('end on some paths, and on others not', () => {
    const { columns } = traced(kernel, planOf('simple', MODELS.gbm(), 0));
    const ended = [...columns.flags].filter(flag => (flag & FLAG_LIQUIDATION) !== 0).length;
    expect(ended).toBeGreaterThan(0);
    expect(ended).toBeLessThan(PATHS);
  });
});

describe('accounts by the GPU', () => {
  for (const { model, venue, i, tags } of CASES.filter(({ onGpu }) => onGpu))
    it(`are those of the reference: ${venue}, ${model}`, { tags: [...tags, ...GPU_TAGS] }, async () => {
      // Of a seed whose paths keep further from their lines than the rounding of singles: else one acts an hour earlier or later.
      const plan = {
        ...planOf(venue, MODELS[model](), i),
        seed: 90 + i,
        distribution: { daySteps: 24 as const },
      };
      if (!WITH_ALL_COSTS.includes(model))
        Object.assign(plan.product, { rows: ROWS, processes: [], feedLagHours: 0 });
      const engine = await openTestGpuEngine();
      const columns = await engine.trace(plan);
      const { distribution = new Float64Array() } = await engine.run(plan);
      expectThoseOfReference(plan, { columns, distribution });
    });
});
