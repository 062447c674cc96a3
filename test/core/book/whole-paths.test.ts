/** The loans that the lowest and highest prices of a path exclude. */
import { expect, it } from 'vitest';
import { DebtGrowth } from '#src/core/book/debt-growth.js';
import { prepareBook } from '#src/core/book/prepared-book.js';
import { PriceExtremes } from '#src/core/book/price-extremes.js';
import { WholePaths } from '#src/core/book/whole-paths.js';
import { BOOK } from '#src/core/plan/product/book.js';

const ASSETS = 3;
const STEPS = 48;
const [USUAL] = BOOK.usual.terms(ASSETS);
/** Half of asset 0 and of asset 1 against asset 2, and asset 0 against asset 1. N = 2, M = 1.5: calls begin at r = 0.75. */
const BOOK_OF_TWO = {
  ...USUAL,
  steps: STEPS,
  saleDelaySteps: 0,
  termSteps: Uint32Array.of(STEPS, STEPS),
  basket: Uint32Array.of(0, 1),
  collateralWeights: Float64Array.of(0.5, 0.5, 0, 1, 0, 0),
  loanWeights: Float64Array.of(0, 0, 1, 0, 1, 0),
  nominalRatio: Float64Array.of(2, 2),
  marginCallRatio: Float64Array.of(1.5, 1.5),
  recoveryRatio: Float64Array.of(1.8, 1.8),
};

/** Whether each loan is excluded when each price is 1 but for one step, and its lowest ratio was `worst` before. */
function areExcluded(prices: readonly number[], worst = 0): boolean[] {
  const path = new PriceExtremes(ASSETS, STEPS);
  path.prices.forEach((column, i) => {
    column.fill(1);
    column[20] = prices[i];
  });
  path.update();
  const whole = new WholePaths(path, prepareBook(BOOK_OF_TWO, ASSETS), [undefined, undefined]);
  whole.begin(Float64Array.of(worst, worst));
  return [0, 1].map(i => whole.isAbove(i));
}

it.each([
  ['nothing falls far', [0.99, 0.99, 1.01], [true, true]],
  ['half of the collateral falls to above the threshold', [0.6, 1, 1], [true, false]],
  ['half of the collateral falls below it', [0.4, 1, 1], [false, false]],
  ['the debt of one rises to just below it', [1, 1.3, 1], [true, true]],
  ['the debt of one rises beyond it', [1, 1.4, 1], [true, false]],
  ['the debt of the other rises beyond it', [1, 1, 1.4], [false, true]],
])('The safe loans are excluded, and no other, where %s', (_, prices, expected) => {
  expect(areExcluded(prices)).toEqual(expected);
});

it('A loan is followed where its ratio may be lower than on all paths before', () => {
  const prices = [0.9, 0.9, 1];
  expect(areExcluded(prices)).toEqual([true, true]);
  expect(areExcluded(prices, 0.89)).toEqual([true, true]);
  expect(areExcluded(prices, 0.91)).toEqual([false, false]);
});

it.each([
  [1, 1],
  [1e-9, 1],
  [1e9, 1],
  [1, 1e-9],
  [1, 1e9],
])(
  'A ratio within rounding of the threshold excludes no loan: weights in %d, prices in %d',
  (unit, price) => {
    const path = new PriceExtremes(ASSETS, STEPS);
    path.pathBounds.fill(price);
    path.highest = price;
    const inUnits = (weights: Float64Array) => weights.map(w => w * unit);
    const [collateralWeights, loanWeights] = [BOOK_OF_TWO.collateralWeights, BOOK_OF_TWO.loanWeights].map(
      inUnits,
    );
    const book = prepareBook({ ...BOOK_OF_TWO, collateralWeights, loanWeights }, ASSETS);
    // The debt of loan 1 grows by 2 %.
    const whole = new WholePaths(path, book, [undefined, new DebtGrowth(Math.log(1.02) / STEPS, path.days)]);
    const excluded = [1 - 1e-11, 1 - 1e-13, 1 / 1.02 - 1e-11, 1 / 1.02 - 1e-13].map(worst => {
      whole.begin(Float64Array.of(worst, worst));
      return [0, 1].map(i => whole.isAbove(i));
    });
    expect(excluded).toEqual([
      [true, false],
      [false, false],
      [true, true],
      [true, false],
    ]);
    // A new lowest ratio of one loan concerns no other.
    whole.begin(Float64Array.of(0.9, 0.9));
    whole.take(0, Float64Array.of(1, 1));
    expect([0, 1].map(i => whole.isAbove(i))).toEqual([false, true]);
  },
);
