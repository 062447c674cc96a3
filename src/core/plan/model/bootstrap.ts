/** Stationary bootstrap of joint returns: parameters and contract (docs/methodology.md, "BOOTSTRAP"). */
import { type Declared, doubles, oneOf, perAsset, perAssetPair, rowsOfAssets, whole } from '../fields.ts';
import { HOURS_PER_YEAR, MAX_STEPS } from '../grid.ts';
import { assetCount } from '../portfolio.ts';
import { diagonalFactor, type ModelContract, spreadOf } from './contract.ts';

const BOOTSTRAP_FIELDS = {
  assets: assetCount,
  /** Hours of a row: 1 or 24. */
  stepsPerRow: oneOf(1, 24),
  /** Mean rows of a block, b. */
  blockRows: whole(1, MAX_STEPS),
  /** R x n row-major: log returns times 1 + volatility shock. */
  rows: doubles(rowsOfAssets),
  /** D x n row-major: drift of row t of a path, the last one from there on; it makes prices a martingale. */
  drift: doubles(rowsOfAssets),
  /** n daily standard deviations of the bridges; unused where rows are hours. */
  deviation: doubles(perAsset, { least: 0 }),
  /** n x n lower-triangular factor of the correlations of the rows; unused where rows are hours. */
  factor: doubles(perAssetPair),
};

/**
 * Rows of joint log returns of the window in blocks of random length: the first row is uniform; each next one follows
 * the row before it (the first follows the last), or begins a new block at a uniform row with probability 1 /
 * blockRows. ln S_i += row return + drift of the row's number in the path.
 *
 * Rows are hours, or days (`stepsPerRow` 24): within a day a Brownian bridge leads to its return as in filtered
 * historical simulation, with `deviation` in place of a_i.
 */
export interface BootstrapScenarios extends Declared<typeof BOOTSTRAP_FIELDS> {
  readonly kind: 'bootstrap';
}

/** A word of a row below this begins a new block. */
export const newBlockThreshold = ({ blockRows }: BootstrapScenarios): number =>
  Math.floor(2 ** 32 / blockRows);

export const BOOTSTRAP: ModelContract<BootstrapScenarios> = {
  fields: BOOTSTRAP_FIELDS,
  drawn: {
    varianceOfTerm: variances,
    spreadOfTerm: (scenarios, exposures, years) =>
      spreadOf(exposures, variances(scenarios, years), (i, j) => scenarios.factor[i * scenarios.assets + j]),
    ratioIsOneWalk: false,
  },
  walkedPerDay: 24,
  usual: assets => ({
    kind: 'bootstrap',
    assets,
    stepsPerRow: 24,
    blockRows: 5,
    rows: Float64Array.from({ length: 2 * assets }, (_, k) => (k < assets ? 0.01 : -0.01)),
    drift: new Float64Array(assets).fill(-0.5e-4),
    deviation: new Float64Array(assets).fill(0.01),
    factor: diagonalFactor(assets, 1),
  }),
};

/** Mean squares of the rows, times their number in the term; autocorrelation within blocks adds to that. */
function variances({ assets, rows, stepsPerRow }: BootstrapScenarios, years: number): readonly number[] {
  const count = rows.length / assets;
  const drawn = (years * HOURS_PER_YEAR) / stepsPerRow;
  return Array.from({ length: assets }, (_, i) => {
    let squares = 0;
    for (let row = 0; row < count; row++) squares += rows[row * assets + i] ** 2;
    return (squares / count) * drawn;
  });
}
