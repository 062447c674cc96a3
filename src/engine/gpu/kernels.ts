/**
 * The table of kernels: which WGSL files make up the kernel of a plan.
 *
 * Takes: a plan. Gives: a record of files, entry point and bindings. A variant is a different list of files; nothing
 * is substituted into text. Must not know: devices, buffers.
 */
import type { Portfolio } from '../../plan/simulation-plan.ts';
import { sumWords } from './results.ts';

/** A compute kernel as data. Group 0 is the same for all kernels of a kind, group 1 is the kernel's own. */
export interface Kernel {
  /** Name for labels and messages. */
  readonly name: string;
  /** Paths under shaders/, in any order. */
  readonly files: readonly string[];
  readonly entryPoint: string;
  /** Simulation kernels have group 0 of kernel/bindings.wgsl; others leave group 0 empty. */
  readonly shared: 'simulation' | 'none';
  /** Types of the bindings of group 1, in order; the first of a simulation kernel are its terms. */
  readonly bindings: readonly GPUBufferBindingType[];
  /** Bytes of the terms of a simulation kernel, a multiple of 16. */
  readonly termsBytes: number;
  /** Room for the sums of a simulation kernel, in words. */
  readonly sumWords: number;
  /** Bytes of workgroup memory per invocation of a simulation kernel, where that bounds its workgroups. */
  readonly laneBytes?: number;
}

/** Market models that the GPU runs. */
export type MarketModel = 'gbm' | 'garch';

/** What a path's four values of a group are: log2(C/L), C/L, or C and L apart. */
export type MarketView = 'log-ratio' | 'ratio' | 'sides';

const LIBRARY = ['lib/threefry.wgsl', 'lib/normal.wgsl', 'lib/draw.wgsl', 'lib/order.wgsl'];
const SIMULATION = ['kernel/bindings.wgsl', 'kernel/sums.wgsl'];

/** Files of every market model under every view. */
const MARKET_FILES: Readonly<Record<MarketModel, Readonly<Record<MarketView, readonly string[]>>>> = {
  gbm: {
    'log-ratio': ['model/gbm_log_ratio.wgsl'],
    ratio: [
      'model/gbm.wgsl',
      'portfolio/assets.wgsl',
      'portfolio/price.wgsl',
      'portfolio/sides.wgsl',
      'portfolio/ratio.wgsl',
    ],
    sides: ['model/gbm.wgsl', 'portfolio/assets.wgsl', 'portfolio/price.wgsl', 'portfolio/sides.wgsl'],
  },
  garch: {
    'log-ratio': ['model/garch.wgsl', 'portfolio/assets.wgsl', 'portfolio/log_ratio.wgsl'],
    ratio: [
      'model/garch.wgsl',
      'portfolio/assets.wgsl',
      'portfolio/price.wgsl',
      'portfolio/sides.wgsl',
      'portfolio/ratio.wgsl',
    ],
    sides: ['model/garch.wgsl', 'portfolio/assets.wgsl', 'portfolio/price.wgsl', 'portfolio/sides.wgsl'],
  },
};

/** What a product adds to a simulation kernel. */
type ProductEntry = Pick<Kernel, 'files' | 'termsBytes' | 'sumWords'>;

/** The products whose paths need only C/L. */
const RATIO_PRODUCTS = {
  loan: { files: ['product/loan.wgsl', 'kernel/simulate.wgsl'], termsBytes: 32, sumWords: sumWords(6) },
} as const satisfies Record<string, ProductEntry>;

/** The kernel of a product that needs only C/L of each path. */
export function ratioKernel(
  product: keyof typeof RATIO_PRODUCTS,
  model: MarketModel,
  view: 'log-ratio' | 'ratio',
): Kernel {
  return {
    name: `${product} ${model} ${view}`,
    ...RATIO_PRODUCTS[product],
    files: [...LIBRARY, ...SIMULATION, ...MARKET_FILES[model][view], ...RATIO_PRODUCTS[product].files],
    entryPoint: 'simulate',
    shared: 'simulation',
    bindings: ['uniform'],
  };
}

/** What a capped loan's path has: log2(C/L) or C/L, and C and L beside it. */
export type LoanView = 'loan-pair' | 'loan-basket';

/** Files of every market model under the views of a capped loan. */
const LOAN_MARKET_FILES: Readonly<Record<MarketModel, Readonly<Record<LoanView, readonly string[]>>>> = {
  gbm: {
    'loan-pair': ['model/gbm_loan_pair.wgsl'],
    'loan-basket': [...MARKET_FILES.gbm.sides, 'portfolio/loan_basket.wgsl'],
  },
  garch: {
    'loan-pair': ['model/garch.wgsl', 'portfolio/assets.wgsl', 'portfolio/loan_pair.wgsl'],
    'loan-basket': [...MARKET_FILES.garch.sides, 'portfolio/loan_basket.wgsl'],
  },
};

/** The kernel of a loan whose sale is capped. */
export function cappedLoanKernel(model: MarketModel, view: LoanView): Kernel {
  return {
    name: `capped loan ${model} ${view}`,
    files: [
      ...LIBRARY,
      ...SIMULATION,
      ...LOAN_MARKET_FILES[model][view],
      'product/capped_loan.wgsl',
      'kernel/simulate.wgsl',
    ],
    entryPoint: 'simulate',
    shared: 'simulation',
    bindings: ['uniform'],
    termsBytes: 48,
    sumWords: sumWords(12),
  };
}

/** `loan-pair` where the path of `ratioView` stays in logs. */
export function loanView(portfolio: Portfolio): LoanView {
  return ratioView(portfolio) === 'log-ratio' ? 'loan-pair' : 'loan-basket';
}

/** The kernel of an origination scan: over the paths' minima, or over the states of the loan. */
export function originationKernel(
  scan: 'minimum' | 'scan',
  model: MarketModel,
  view: 'log-ratio' | 'ratio',
): Kernel {
  return {
    name: `origination ${scan} ${model} ${view}`,
    files: [
      ...LIBRARY,
      ...SIMULATION,
      ...MARKET_FILES[model][view],
      'product/origination_counts.wgsl',
      `product/origination_${scan}.wgsl`,
      scan === 'minimum' ? 'kernel/simulate.wgsl' : 'kernel/simulate_origination.wgsl',
    ],
    entryPoint: 'simulate',
    shared: 'simulation',
    bindings: ['uniform', 'read-only-storage', 'storage'],
    termsBytes: scan === 'minimum' ? 16 : 32,
    sumWords: sumWords(1),
  };
}

/** The kernel of a perpetual position; its market is log2 S or -log2 S, as the weights of asset 0 have it. */
export function perpetualKernel(model: MarketModel): Kernel {
  return {
    name: `perpetual ${model}`,
    files: [
      ...LIBRARY,
      'lib/exponential.wgsl',
      ...SIMULATION,
      ...MARKET_FILES[model]['log-ratio'],
      'product/perpetual.wgsl',
      'product/leverage_median.wgsl',
      'kernel/simulate_position.wgsl',
    ],
    entryPoint: 'simulate',
    shared: 'simulation',
    bindings: ['uniform', 'read-only-storage', 'storage'],
    termsBytes: 32,
    sumWords: sumWords(3),
    laneBytes: 4 * 64,
  };
}

/** The kernel that writes the values of collateral, loan and net exposure at the horizons of value at risk. */
export function horizonKernel(): Kernel {
  return {
    name: 'horizon values',
    files: [
      ...LIBRARY,
      'lib/exponential.wgsl',
      'kernel/bindings.wgsl',
      'model/gbm_horizons.wgsl',
      'portfolio/assets.wgsl',
      'portfolio/gain.wgsl',
      'portfolio/sides.wgsl',
      'kernel/horizon_values.wgsl',
    ],
    entryPoint: 'simulate',
    shared: 'simulation',
    bindings: ['uniform', 'read-only-storage', 'storage'],
    termsBytes: 16,
    sumWords: 1,
  };
}

/** The kernel of one pass of a search for order statistics. */
export function digitHistogramKernel(): Kernel {
  return orderKernel('digit histogram', 'order/digit_histogram.wgsl', 'count_digits');
}

/** The kernel that sums the values between bounds. */
export function intervalSumsKernel(): Kernel {
  return orderKernel('interval sums', 'order/interval_sums.wgsl', 'sum_intervals');
}

function orderKernel(name: string, file: string, entryPoint: string): Kernel {
  return {
    name,
    files: ['lib/order.wgsl', 'order/columns.wgsl', file],
    entryPoint,
    shared: 'none',
    bindings: ['uniform', 'read-only-storage', 'read-only-storage', 'storage'],
    termsBytes: 0,
    sumWords: 0,
  };
}

/** `log-ratio` where each side is one asset of weight 1, so that no price has to be formed; `ratio` otherwise. */
export function ratioView({ collateralWeights, loanWeights }: Portfolio): 'log-ratio' | 'ratio' {
  const single = (weights: Float64Array) =>
    weights.every(weight => weight === 0 || weight === 1) &&
    weights.filter(weight => weight === 1).length === 1;
  return single(collateralWeights) && single(loanWeights) ? 'log-ratio' : 'ratio';
}

/** Every kernel there is, for the test that compiles them all. */
export function allKernels(): readonly Kernel[] {
  const products = Object.keys(RATIO_PRODUCTS) as (keyof typeof RATIO_PRODUCTS)[];
  const models = ['gbm', 'garch'] as const;
  return [
    ...products.flatMap(product =>
      models.flatMap(model =>
        (['log-ratio', 'ratio'] as const).map(view => ratioKernel(product, model, view)),
      ),
    ),
    ...models.flatMap(model =>
      (['loan-pair', 'loan-basket'] as const).map(view => cappedLoanKernel(model, view)),
    ),
    ...models.flatMap(model =>
      (['log-ratio', 'ratio'] as const).flatMap(view =>
        (['minimum', 'scan'] as const).map(scan => originationKernel(scan, model, view)),
      ),
    ),
    ...models.map(perpetualKernel),
    horizonKernel(),
    digitHistogramKernel(),
    intervalSumsKernel(),
  ];
}
