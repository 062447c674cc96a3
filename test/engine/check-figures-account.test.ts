/** The five accounts against figures of a million paths of another program, and the kernels against the reference path by path. */
import { describe, expect, it } from 'vitest';
import type { AccountOutcome, PathRecords } from '#src/core/engine.js';
import { equityAtStart } from '#src/core/plan/product/account.js';
import { contractOf } from '#src/core/plan/products.js';
import { RecordSink } from '#src/core/plan/records.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { REFERENCE_PATHS } from '#src/core/reference/products.js';
import type { PathMaker } from '#src/core/run-paths.js';
import { runPaths } from '#src/core/run-paths.js';
import { kernelPaths } from '#src/core/simd/products.js';
import { openNativeKernel } from '#src/engine/native/native-kernels.js';
import { loadKernel } from '#src/engine/wasm/read-kernel.js';
import { ACCOUNTS, type AccountName, accountPlan } from '../support/check-accounts.ts';
import { openTestGpuEngine } from '../support/gpu.ts';
import { NATIVE_HERE } from '../support/native-kernels.ts';

const NAMES = Object.keys(ACCOUNTS) as AccountName[];
const PATHS = 20_000;
/** The reference takes ten times as long for one. */
const REFERENCE_COUNT = 8_000;

/** A figure with its standard error. */
type Figure = readonly [value: number, error: number];
interface Figures {
  readonly call: Figure;
  readonly forced: Figure;
  readonly liquidation: Figure;
  readonly equity?: Figure;
  /** Share closed of each row. */
  readonly closed?: readonly Figure[];
}

const HOURLY: Readonly<Record<AccountName, Figures>> = {
  A1: {
    call: [0.34523, 475e-6],
    forced: [0.285668, 452e-6],
    liquidation: [0.113274, 317e-6],
    equity: [24_470, 16],
    closed: [
      [0.197663, 356e-6],
      [0.186169, 360e-6],
    ],
  },
  A2: {
    call: [0.041121, 199e-6],
    forced: [0.039271, 194e-6],
    liquidation: [0.039271, 194e-6],
    equity: [64_353, 33],
  },
  A3: {
    call: [0.014124, 118e-6],
    forced: [0.010532, 102e-6],
    liquidation: [0.002528, 50e-6],
    equity: [69_550, 28],
    closed: [[0.007917, 81e-6]],
  },
  A4: {
    call: [0.10417, 305e-6],
    forced: [0.056587, 231e-6],
    liquidation: [0.056587, 231e-6],
    equity: [67_548, 2.5],
  },
  A5: {
    call: [0.112119, 316e-6],
    forced: [0.082825, 276e-6],
    liquidation: [0.002211, 47e-6],
    equity: [5_906_840, 2_900],
    closed: [
      [0.044359, 170e-6],
      [0.029344, 136e-6],
      [0.017252, 106e-6],
    ],
  },
};

const BRIDGED: Readonly<Record<AccountName, Figures>> = {
  A1: {
    call: [0.36868, 108e-5],
    forced: [0.30609, 103e-5],
    liquidation: [0.08839, 64e-5],
    closed: [
      [0.18435, 72e-5],
      [0.18766, 79e-5],
    ],
  },
  A2: { call: [0.04612, 47e-5], forced: [0.04417, 46e-5], liquidation: [0.04417, 46e-5] },
  A3: {
    call: [0.01492, 27e-5],
    forced: [0.01107, 23e-5],
    liquidation: [0.0015, 9e-5],
    closed: [[0.00744, 17e-5]],
  },
  A4: { call: [0.11213, 100e-5], forced: [0.06153, 76e-5], liquidation: [0.06153, 76e-5] },
  A5: {
    call: [0.12296, 73e-5],
    forced: [0.09114, 64e-5],
    liquidation: [0.00034, 4e-5],
    closed: [
      [0.04585, 38e-5],
      [0.02517, 27e-5],
      [0.01247, 19e-5],
    ],
  },
};

const MAKERS: Readonly<Record<string, () => PathMaker>> = {
  reference: () => REFERENCE_PATHS,
  wasm: () => kernelPaths(loadKernel()),
  ...Object.fromEntries(NATIVE_HERE.map(name => [name, () => kernelPaths(openNativeKernel(name))])),
};
const ENGINES = Object.keys(MAKERS);

const run = (maker: PathMaker, plan: SimulationPlan, records?: RecordSink) =>
  runPaths(maker, plan, { first: 0, count: plan.paths }, records) as unknown as AccountOutcome;

/** Four standard errors of both runs together. */
function expectClose(got: number, error: number, [value, own]: Figure, name: string): void {
  expect(Math.abs(got - value) / Math.hypot(error, own), `${name}: ${got}, not ${value}`).toBeLessThan(4);
}

function check(outcome: AccountOutcome, figures: Figures): void {
  const { paths } = outcome;
  const share = (count: number, figure: Figure, name: string) =>
    expectClose(count / paths, Math.sqrt((figure[0] * (1 - figure[0])) / paths), figure, name);
  share(outcome.marginCalls, figures.call, 'calls');
  share(outcome.forcedCloses, figures.forced, 'forced closes');
  share(outcome.liquidations, figures.liquidation, 'liquidations');
  const errorOf = (sum: number, squares: number) => Math.sqrt((squares / paths - (sum / paths) ** 2) / paths);
  figures.closed?.forEach((figure, i) => {
    const sum = outcome.rowClosed[i];
    expectClose(sum / paths, errorOf(sum, outcome.rowClosedSquares[i]), figure, `closed of row ${i}`);
  });
  if (figures.equity === undefined) return;
  const sum = outcome.finalEquity.reduce((total, x) => total + x, 0);
  const squares = outcome.finalEquity.reduce((total, x) => total + x * x, 0);
  expectClose(sum / paths, errorOf(sum, squares), figures.equity, 'equity');
}

describe('The figures of a million paths', { tags: ['slow'] }, () => {
  it.each(ENGINES.flatMap(engine => NAMES.map(name => [engine, name] as const)))(
    'are those of %s: %s',
    (engine, name) => {
      const maker = MAKERS[engine]();
      const paths = engine === 'reference' ? REFERENCE_COUNT : PATHS;
      check(run(maker, accountPlan(name, paths, 5, 0)), HOURLY[name]);
      check(run(maker, accountPlan(name, paths, 6, 1)), BRIDGED[name]);
    },
  );

  // The software driver runs few paths in a minute: its accounts are held path by path (equality-account.test.ts).
  it.runIf(process.env.TEST_GPU === 'own').each(NAMES)('are those of the GPU: %s', async name => {
    const engine = await openTestGpuEngine();
    check(await engine.run(accountPlan(name, PATHS, 5, 0)), HOURLY[name]);
    check(await engine.run(accountPlan(name, PATHS, 6, 1)), BRIDGED[name]);
  });
});

describe('The paths of a kernel are those of the reference', () => {
  const COUNT = 320;
  const traced = (maker: PathMaker, plan: SimulationPlan): PathRecords => {
    const fields = contractOf(plan.product).recordFields(plan.product);
    const records = new RecordSink(fields.length, { first: 0, count: plan.paths });
    run(maker, plan, records);
    return Object.fromEntries(fields.map((field, i) => [field, records.columns[i]]));
  };

  it.each(ENGINES.slice(1).flatMap(engine => (['A1', 'A5'] as const).map(name => [engine, name] as const)))(
    '%s: %s',
    (engine, name) => {
      const plan = accountPlan(name, COUNT, 8, 1);
      const got = traced(MAKERS[engine](), plan);
      const wanted = traced(REFERENCE_PATHS, plan);
      expect(got.flags).toEqual(wanted.flags);
      expect(wanted.closeHour.some(hour => hour >= 0)).toBe(true);
      // Prices in single precision: 1e-7 of positions of twelve to twenty times the equity, over a week of hours.
      const room = 1e-4 * equityAtStart(plan.product);
      const apart = got.finalEquity.filter(
        (equity, path) => Math.abs(equity - wanted.finalEquity[path]) > room,
      );
      // A multiple of a share that falls otherwise ends up to 5 % apart; none of so few paths does.
      expect(apart).toHaveLength(0);
    },
  );
});
