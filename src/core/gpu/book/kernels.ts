/** The kernels of a book, with their structs and the order of their sums (shaders/book/, shaders/kernel/book_prices.wgsl). */
import { UNITS_PER_LOAN_VALUE } from '../../book/book-sums.ts';
import { DAY_STEPS, DAYS_PER_BLOCK } from '../../book/price-extremes.ts';
import { PATH_UNITS, STEP_UNITS } from '../../book/sum-sets.ts';
import { type Constants, type Kernel, named, type Program, placesOf } from '../kernels.ts';
import { ONE_THRESHOLD, THRESHOLDS, withAssetThresholds } from '../loan-terms.ts';
import { f32, struct, u32 } from '../struct-layout.ts';

/** Loans of one invocation. */
export const LOANS_PER_INVOCATION = 8;

export const PRICES_TERMS = struct('Terms', { first_path: u32, listed: u32 });

const EXTREMES: Constants = { BOOK_DAY_STEPS: DAY_STEPS, BOOK_DAYS_PER_BLOCK: DAYS_PER_BLOCK };

const PRICE_FILES = ['kernel/market_slice.wgsl', 'book/price_rows.wgsl', 'kernel/book_prices.wgsl'];

/** Writes the prices of a block of paths: the only kernel of a book that depends on the model. */
export const PRICES_PROGRAM = {
  name: 'book prices',
  views: ['prices'],
  files: [...PRICE_FILES, 'book/write_no_weight.wgsl'],
  terms: PRICES_TERMS,
  sums: {},
  records: {},
  stateWords: 0,
  own: ['read-only-storage', 'storage'],
  constants: EXTREMES,
} as const satisfies Program;

/** The same for paths with weights, which follow the prices. */
export const WEIGHTED_PRICES_PROGRAM = {
  ...PRICES_PROGRAM,
  name: 'book prices weighted',
  files: [...PRICE_FILES, 'model/path_weight.wgsl', 'book/write_weight.wgsl'],
  weighs: true,
} as const satisfies Program;

/** The part of a range in one dispatch (shaders/book/piece.wgsl). */
export const PIECE = struct('BookPiece', {
  path_count: u32,
  first_path: u32,
  range_paths: u32,
  steps: u32,
  assets: u32,
  first_loan: u32,
  loan_count: u32,
  sale_delay: u32,
  after_cost: f32,
  day_steps: u32,
  tails: u32,
  rows_start: u32,
  step_square_units: f32,
});

export const LOAN = struct('BookLoan', {
  ...THRESHOLDS,
  units: f32,
  start: f32,
  top_up_steps: u32,
  term_steps: u32,
  domain: u32,
  first_holding: u32,
  holdings: u32,
});

export const HOLDING = struct('BookHolding', { asset: u32, collateral: f32, loan: f32, excess: f32 });

/** Domains of the values of a loan, by their number in shaders/book/values.wgsl. */
export const DOMAINS = ['log2', 'ratio', 'difference'] as const;

/**
 * Sums of a loan over the paths, two words each. Behind them: the third word of its squared losses, whose mean has no bound, and its
 * lowest value.
 */
export const LOAN_SUMS = [
  'marginCalls',
  'liquidations',
  'closeouts',
  'underwater',
  'missedSteps',
  'unsoldUnits',
  'lossUnits',
  'missedSquares',
  'unsoldPaths',
  'unsoldSquares',
  'lossPaths',
  'lossSquares',
  'earlyEnds',
] as const;
/** Words of a set of them: plain sums, and of weighted paths three sets more (src/core/book/sum-sets.ts). */
export const LOAN_SET_WORDS = 2 * LOAN_SUMS.length + 1;
export const WEIGHTED_LOAN_SETS = 4;
/** Words of all sums of a loan. */
export const loanWords = (sets: number) => sets * LOAN_SET_WORDS + 1;
/** Units of a squared share: the sum of a million shares up to 1 fits two words. */
export const SQUARE_UNITS = 2 ** 40;

/** Words of a path of a block; the sales at each step follow. */
const PATH_PLACES = { loss: 0, unsold: 2, calledLoans: 4, forcedSales: 5, weight: 6, words: 7 } as const;
/** Words of a path in a block of so many steps. */
export const pathWords = (steps: number) => PATH_PLACES.words + 2 * steps;

/** First words of the figures of a path in its column. */
export const COLUMN_PLACES = {
  loss: 0,
  unsold: 2,
  calledLoans: 4,
  forcedSales: 5,
  sold: 6,
  peakDay: 8,
  peakStart: 10,
  weight: 11,
} as const;
export const COLUMN_WORDS = 12;
/** Figures that are amounts, of two words. */
export const AMOUNTS = ['loss', 'unsold', 'sold', 'peakDay'] as const;

/** Words of a loan's loss sum over a path class. */
export const CLASS_WORDS = 3;

/** Follows loans along paths of equal weight, or with weights. */
const followLoans = (name: string, weights: string, sets: number, constants: Constants): Kernel => ({
  name,
  files: [
    ONE_THRESHOLD,
    'lib/four_steps.wgsl',
    'lib/limits.wgsl',
    'lib/order.wgsl',
    'lib/u64.wgsl',
    'lib/exponential.wgsl',
    'product/loan_states.wgsl',
    'book/piece.wgsl',
    'book/price_rows.wgsl',
    'book/values.wgsl',
    weights,
    'book/loans.wgsl',
  ],
  entryPoint: 'follow_loans',
  shared: 'none',
  bindings: [
    'uniform',
    'read-only-storage',
    'read-only-storage',
    'read-only-storage',
    'storage',
    'storage',
    'read-only-storage',
    'storage',
  ],
  structs: [PIECE, LOAN, HOLDING],
  constants: {
    ...EXTREMES,
    ...named('DOMAIN', placesOf(DOMAINS)),
    ...named('PATH', PATH_PLACES),
    ...named('LOAN_SUM', { ...placesOf(LOAN_SUMS), count: LOAN_SUMS.length }),
    LOAN_SETS: sets,
    LOAN_SET_WORDS,
    CLASS_WORDS,
    BOOK_LOANS: LOANS_PER_INVOCATION,
    UNITS_PER_LOAN_VALUE,
    SQUARE_UNITS,
    ...constants,
  },
});

const FOLLOW_LOANS = followLoans('book loans', 'book/unweighted.wgsl', 1, {});

const FOLLOW_WEIGHTED_LOANS = followLoans('book loans weighted', 'book/weighted.wgsl', WEIGHTED_LOAN_SETS, {
  WEIGHED_PATH_UNITS: PATH_UNITS,
  WEIGHED_STEP_UNITS: STEP_UNITS,
});

/** The same of a book with thresholds of liquidation by asset. */
const byAsset = (kernel: Kernel): Kernel => ({
  ...kernel,
  name: `${kernel.name} by asset`,
  files: withAssetThresholds(kernel.files),
});
const FOLLOW_BY_ASSET = byAsset(FOLLOW_LOANS);
const FOLLOW_WEIGHTED_BY_ASSET = byAsset(FOLLOW_WEIGHTED_LOANS);

/** The kernel that follows the loans of a book. */
export function followKernel(weighted: boolean, isByAsset: boolean): Kernel {
  if (isByAsset) return weighted ? FOLLOW_WEIGHTED_BY_ASSET : FOLLOW_BY_ASSET;
  return weighted ? FOLLOW_WEIGHTED_LOANS : FOLLOW_LOANS;
}

export const BOOK_PATHS: Kernel = {
  name: 'book paths',
  files: ['lib/u64.wgsl', 'book/piece.wgsl', 'book/paths.wgsl'],
  entryPoint: 'book_paths',
  shared: 'none',
  bindings: ['uniform', 'read-only-storage', 'storage'],
  structs: [PIECE],
  constants: { ...named('PATH', PATH_PLACES), ...named('COLUMN', COLUMN_PLACES) },
};

export const BOOK_KERNELS: readonly Kernel[] = [
  FOLLOW_LOANS,
  FOLLOW_WEIGHTED_LOANS,
  FOLLOW_BY_ASSET,
  FOLLOW_WEIGHTED_BY_ASSET,
  BOOK_PATHS,
];
