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
 * The window's rows of joint log returns in blocks of random length: the first row is uniform; each next one follows
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
function variances(scenarios: BootstrapScenarios, years: number): readonly number[] {
  const drawn = (years * HOURS_PER_YEAR) / scenarios.stepsPerRow;
  const squares = known.get(scenarios) ?? meanSquares(scenarios);
  known.set(scenarios, squares);
  return squares.map(each => each * drawn);
}

/** Mean squares by scenarios, which may have millions of rows: several checks of a plan ask for them. */
const known = new WeakMap<BootstrapScenarios, readonly number[]>();

function meanSquares({ assets, rows }: BootstrapScenarios): readonly number[] {
  const count = rows.length / assets;
  const squares = new Float64Array(assets);
  for (let k = 0; k < rows.length; ) for (let i = 0; i < assets; i++, k++) squares[i] += rows[k] * rows[k];
  return Array.from(squares, each => each / count);
}
