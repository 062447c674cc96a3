/**
 * The native kernels against WebAssembly: the same bytes for every product under every model, whatever the width.
 *
 * Without a C compiler at the build there is none, and these tests are skipped.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { BookProduct } from '#src/core/plan/product/book.js';
import { contractOf } from '#src/core/plan/products.js';
import { type PathRange, RecordSink } from '#src/core/plan/records.js';
import type { CappedLoanProduct, LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import type { Kernel } from '#src/core/simd/kernel.js';
import { firstDifference } from '#src/core/simd/kernel-check.js';
import { runSimdRange } from '#src/core/simd/products.js';
import { openNativeKernel } from '#src/engine/native/native-kernels.js';
import { loadKernel } from '#src/engine/wasm/read-kernel.js';
import { everyNth } from '../../support/engines.ts';
import { HEAVY_TAILS, heavyTailed } from '../../support/heavy-tails.ts';
import { MAKES_WIDE, makeWideKernel, NATIVE_HERE } from '../../support/native-kernels.ts';
import { randomBook } from '../../support/random-books.ts';
import { randomLendingBook } from '../../support/random-lending.ts';
import {
  randomCappedPlan,
  randomLoanPlan,
  randomPerpetualPlan,
  randomUnderWayPlan,
  randomValueAtRiskPlan,
} from '../../support/random-plans.ts';
import { sharedSimd } from '../../support/threads.ts';

const WIDTHS = [...NATIVE_HERE, ...(MAKES_WIDE ? (['16 lanes on AVX2'] as const) : [])];
const WIDEST = NATIVE_HERE.at(-1);
/** The short suite runs the engine on the widest kernel of this processor, and compiles none of its own. */
const tagsOf = (isQuick: boolean) => ({ tags: isQuick ? [] : ['slow'] });

/** A range that begins and ends inside packets of any width, with whole ones between, and one inside a packet. */
const RANGES: readonly PathRange[] = [
  { first: 5, count: 36 },
  { first: 1001, count: 1 },
];

const PATHS = 1100;
const counted = { distribution: { daySteps: 24 } } as const;
const seeds = [3, 4, 9, 17];

/** The same plan under every model that the kernel has for hours. */
function underAll(plan: SimulationPlan): SimulationPlan[] {
  const { assets } = plan.scenarios;
  return [plan, ...HEAVY_TAILS.map(model => ({ ...plan, scenarios: heavyTailed(model, assets, 11) }))];
}

function horizonsUnder(plan: ReturnType<typeof randomValueAtRiskPlan>): SimulationPlan[] {
  return underAll(plan).map(each => {
    if (each.scenarios === plan.scenarios) return each;
    const days = [1, 2, 9];
    const { scenarios } = each;
    const horizonSteps =
      scenarios.kind === 'bootstrap' ? days.map(d => (24 * d) / scenarios.stepsPerRow) : [];
    return {
      ...each,
      product: {
        ...plan.product,
        horizonYears: Float64Array.from(days, d => d / 365),
        horizonSteps: Uint32Array.from(horizonSteps),
      },
    };
  });
}

/** A loan whose debt grows. */
const withInterest = (plan: SimulationPlan<LoanProduct | CappedLoanProduct>): SimulationPlan => ({
  ...plan,
  product: { ...plan.product, debtGrowth: 1.1 },
});

const PLANS: readonly SimulationPlan[] = [
  ...seeds.flatMap(seed => underAll(randomLoanPlan(seed, 'gbm', PATHS))),
  ...seeds.flatMap(seed => underAll({ ...randomLoanPlan(seed, 'gbm', PATHS), ...counted })),
  ...seeds.map(seed => randomLoanPlan(seed, 'garch', PATHS)),
  ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap(seed => underAll(randomUnderWayPlan(seed, 'gbm', PATHS))),
  ...seeds.flatMap(seed => underAll(withInterest({ ...randomLoanPlan(seed, 'gbm', PATHS), ...counted }))),
  ...seeds.flatMap(seed => underAll(withInterest(randomCappedPlan(seed, 'gbm', PATHS)))),
  ...seeds.flatMap(seed => underAll(randomCappedPlan(seed, 'gbm', PATHS))),
  ...seeds.flatMap(seed => underAll(randomPerpetualPlan(seed, 'gbm', PATHS))),
  ...seeds.flatMap(seed => underAll({ ...randomPerpetualPlan(seed, 'gbm', PATHS), ...counted })),
  ...seeds.flatMap(seed => horizonsUnder(randomValueAtRiskPlan(seed, PATHS))),
  ...[100, 131, 240].flatMap((term, i) =>
    underAll(randomBook(i + 1, PATHS, { assets: 5, loans: 60, baskets: i === 1 ? 7 : 60, term })),
  ),
  randomBook(6, PATHS, { assets: 32, loans: 40, baskets: 40, term: 49, uncalled: true }),
];

const nameOf = ({ product, scenarios, seed, distribution }: SimulationPlan) =>
  `${product.kind} under ${scenarios.kind}, ${scenarios.assets} assets, seed ${seed}${distribution ? ', counted' : ''}`;

/** All that a kernel gives of a range of paths, as bytes in text. */
function figures(kernel: Kernel, plan: SimulationPlan, range: PathRange): string {
  const records = new RecordSink(contractOf(plan.product).recordFields(plan.product).length, range);
  const outcome = runSimdRange(kernel, plan, range, records);
  const bytes = (values: Float64Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const hex = (value: unknown) => {
    if (typeof value === 'number') return bytes(Float64Array.of(value)).toString('hex');
    return value instanceof Float64Array ? bytes(value).toString('base64') : String(value);
  };
  return [...records.columns, ...Object.values(outcome ?? {})].map(hex).join(' ');
}

it.skipIf(NATIVE_HERE.length === 0)('The native kernels of this processor have a name each', () => {
  expect(new Set(NATIVE_HERE).size).toBe(NATIVE_HERE.length);
});

for (const width of WIDTHS)
  describe(`the native kernel ${width}`, tagsOf(width !== '16 lanes on AVX2'), () => {
    let native: Kernel;
    const wasm = loadKernel();
    beforeAll(() => {
      native = width === '16 lanes on AVX2' ? makeWideKernel() : openNativeKernel(width);
    });

    for (const { part, tags, some } of everyNth(11, PLANS))
      it(`has the bytes of WebAssembly in every figure of every product under every model ${part}`, {
        tags,
      }, () => {
        for (const plan of some)
          for (const range of RANGES) {
            const { first, count } = range;
            const same = figures(native, plan, range) === figures(wasm, plan, range);
            expect(same, `${nameOf(plan)}: paths ${first} to ${first + count - 1}`).toBe(true);
          }
      });

    it('passes the check of a start', () => {
      expect(firstDifference(wasm, native)).toBeUndefined();
    });

    it('has the same paths of any length in a memory that grows', () => {
      for (const steps of [1, 2, 3, 4, 5, 47, 48, 49, 95, 96, 97, 20_000]) {
        const plan = randomCappedPlan(3, 'gbm', 30);
        const long = { ...plan, product: { ...plan.product, steps } };
        const range = { first: 2, count: 19 };
        expect(figures(native, long, range), `${steps} steps`).toBe(figures(wasm, long, range));
      }
    });

    it('throws where it leaves its memory, and continues', () => {
      const plan = randomLoanPlan(3, 'gbm', 40);
      const range = { first: 0, count: 40 };
      const before = figures(native, plan, range);
      // As many steps as no memory has been made for.
      expect(() => native.exports.simulatePaths(0, 100_000_000, true, 0)).toThrow('left its memory');
      expect(figures(native, plan, range)).toBe(before);
    });
  });

for (const name of NATIVE_HERE)
  describe(`the engine with the kernel ${name}`, tagsOf(name === WIDEST), () => {
    const engines = [sharedSimd(1), ...[1, 2].map(n => sharedSimd(n, name))];

    const shape = { assets: 6, loans: 80, baskets: 80, term: 240 };
    const lending = [1, 2].map(seed => randomLendingBook(seed, 300, { ...shape, baskets: seed * 7 }));
    const plans = [...PLANS.filter((_, i) => i % 7 === 0), randomBook(1, 300, shape), ...lending];
    for (const { part, tags, some } of everyNth(11, plans))
      it(`answers with the outcome of WebAssembly, on one thread and on two, ${part}`, { tags }, async () => {
        for (const plan of some) {
          const [wasm, ...natives] = await Promise.all(
            engines.map(engine => engine.run(plan as SimulationPlan<BookProduct>)),
          );
          for (const outcome of natives) expect(outcome, nameOf(plan)).toEqual(wasm);
        }
      });

    it('names its width in the device', () => {
      expect(engines[1].description.device).toMatch(
        /, 1 threads, SIMD of \d+ lanes by \S+( 4\.1)? \(single precision\)$/,
      );
    });
  });
