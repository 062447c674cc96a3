/** One collateral asset against one loan asset: logarithms, and prices if amounts are wanted. */
import { HOURS_PER_YEAR } from '../plan/grid.ts';
import { type Shift, weighedSteps } from '../plan/model/gbm-shifted.ts';
import type { AssetPair } from '../plan/ratio-path.ts';
import type { GbmScenarios, Portfolio } from '../plan/simulation-plan.ts';
import { type Projection, projectionOn } from '../random/box-muller.ts';
import { fillPair, fillProjected } from '../random/draws.ts';
import { BLOCK_STEPS } from '../random/stream.ts';
import type { AssetPaths } from './asset-paths.ts';
import { exponential } from './exponential.ts';
import { ArrayPaths } from './portfolio-paths.ts';

/**
 * A pair under GBM is one Gaussian walk: the drift of the ratio, and the projection of the pair's normals on its loadings. Amounts, if
 * wanted, are computed from the same normals: the ratio is the same number with and without them.
 */
export class GbmPairPaths extends ArrayPaths {
  readonly domain = 'ln';
  weight: number | undefined = undefined;
  private readonly logStart: number;
  private readonly ratioShock: Projection;
  /** Of paths of even and of odd number. */
  private readonly walks: readonly [PairWalks, PairWalks];
  private readonly shift: Shift | undefined;
  private readonly shocks = new Float64Array(BLOCK_STEPS);
  private readonly draws = [new Float64Array(BLOCK_STEPS), new Float64Array(BLOCK_STEPS)] as const;

  constructor(
    scenarios: GbmScenarios,
    private readonly seed: number,
    portfolio: Portfolio,
    pair: AssetPair,
    steps: number,
    amounts: boolean,
    shift?: Shift,
  ) {
    super(steps, amounts);
    this.logStart = Math.log(pair.startRatio);
    const collateral = assetWalk(scenarios, pair.collateral, portfolio.collateralWeights[pair.collateral]);
    const loan = assetWalk(scenarios, pair.loan, portfolio.loanWeights[pair.loan]);
    const moved = (walk: Walk, asset: number): Walk => ({
      ...walk,
      drift: walk.drift + (shift?.perStep[asset] ?? 0),
    });
    this.walks = [
      pairWalks(collateral, loan),
      pairWalks(moved(collateral, pair.collateral), moved(loan, pair.loan)),
    ];
    this.shift = shift;
    this.ratioShock = projectionOn(collateral.loading0 - loan.loading0, collateral.loading1 - loan.loading1);
  }

  simulate(path: number): void {
    const { ratio, collateral, loan, ratioShock, shocks, shift } = this;
    const walks = this.walks[path % 2];
    const { ratioDrift } = walks;
    const [z0, z1] = this.draws;
    let y = this.logStart;
    let xc = walks.collateral.start;
    let xl = walks.loan.start;
    let minimum = Number.POSITIVE_INFINITY;
    for (let first = 0, block = 0; first < ratio.length; first += BLOCK_STEPS, block++) {
      const count = Math.min(BLOCK_STEPS, ratio.length - first);
      const drawn = shift === undefined ? count : weighedSteps(count);
      fillProjected(this.seed, path, 0, block, drawn, ratioShock, shocks);
      for (let t = 0; t < count; t++) {
        y += ratioDrift + shocks[t];
        ratio[first + t] = y;
        minimum = Math.min(y, minimum);
      }
      if (collateral.length > 0) {
        fillPair(this.seed, path, 0, block, count, z0, z1);
        xc = walkPrices(walks.collateral, xc, z0, z1, count, collateral, first);
        xl = walkPrices(walks.loan, xl, z0, z1, count, loan, first);
      }
      // The weight is taken where every engine has prices: at the end of a group of steps.
      for (let t = count; t < drawn; t++) y += ratioDrift + shocks[t];
    }
    this.minimum = minimum;
    this.weight = shift?.weightOf(y - this.logStart);
  }
}

/** A Gaussian walk in logs: start, drift and loadings on the draws of assets 0 and 1, per hour. */
interface Walk {
  readonly start: number;
  readonly drift: number;
  readonly loading0: number;
  readonly loading1: number;
}

/** The walks of both sides and the drift of their ratio. */
interface PairWalks {
  readonly collateral: Walk;
  readonly loan: Walk;
  readonly ratioDrift: number;
}

const pairWalks = (collateral: Walk, loan: Walk): PairWalks => ({
  collateral,
  loan,
  ratioDrift: collateral.drift - loan.drift,
});

function assetWalk(scenarios: GbmScenarios, asset: number, weight: number): Walk {
  const n = scenarios.assets;
  const dtYears = 1 / HOURS_PER_YEAR;
  const loading = (j: number) => (j < n ? scenarios.factor[asset * n + j] * Math.sqrt(dtYears) : 0);
  return {
    start: Math.log(weight),
    drift: (-(scenarios.annualVolatility[asset] ** 2) * dtYears) / 2,
    loading0: loading(0),
    loading1: loading(1),
  };
}

/** Writes the prices of one block; returns the last logarithm. */
function walkPrices(
  { drift, loading0, loading1 }: Walk,
  from: number,
  z0: Float64Array,
  z1: Float64Array,
  count: number,
  out: Float64Array,
  first: number,
): number {
  let x = from;
  for (let t = 0; t < count; t++) {
    x += drift + loading0 * z0[t] + loading1 * z1[t];
    out[first + t] = exponential(x);
  }
  return x;
}

/** A pair under any other model. */
export class PairPaths extends ArrayPaths {
  readonly domain = 'ln';
  private readonly weights: readonly [number, number];

  constructor(
    private readonly assetPaths: AssetPaths,
    portfolio: Portfolio,
    private readonly pair: AssetPair,
    steps: number,
    amounts: boolean,
  ) {
    super(steps, amounts);
    this.weights = [portfolio.collateralWeights[pair.collateral], portfolio.loanWeights[pair.loan]];
  }

  simulate(path: number): void {
    const { ratio, collateral, loan, assetPaths, pair } = this;
    const amounts = collateral.length > 0;
    const [collateralWeight, loanWeight] = this.weights;
    const logStart = Math.log(pair.startRatio);
    const xc = assetPaths.logPrices[pair.collateral];
    const xl = assetPaths.logPrices[pair.loan];
    let minimum = Number.POSITIVE_INFINITY;
    assetPaths.start(path);
    for (let first = 0; first < ratio.length; first += BLOCK_STEPS) {
      const count = Math.min(BLOCK_STEPS, ratio.length - first);
      assetPaths.advance(count);
      for (let t = 0; t < count; t++) {
        const y = logStart + (xc[t] - xl[t]);
        ratio[first + t] = y;
        minimum = Math.min(y, minimum);
        if (amounts) {
          collateral[first + t] = collateralWeight * exponential(xc[t]);
          loan[first + t] = loanWeight * exponential(xl[t]);
        }
      }
    }
    this.minimum = minimum;
  }
}
