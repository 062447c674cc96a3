/** C_h and L_h at the horizons of value at risk, in double precision, in exact steps from horizon to horizon (methodology part 5). */
import type {
  GbmScenarios,
  HistoricalScenarios,
  Portfolio,
  ValueAtRiskProduct,
} from '../plan/simulation-plan.ts';
import { type HorizonPaths, SINGLE_PATHS_TOGETHER } from '../product/paths.ts';
import { fillPair } from '../random/draws.ts';
import { BLOCK_STEPS } from '../random/stream.ts';
import { BasketHorizons, yearsBetween } from './horizon-baskets.ts';

export class GbmHorizons extends BasketHorizons {
  /** Years between a horizon and the one before. */
  private readonly stepYears: Float64Array;
  /** The normals of every asset at every horizon; the second of the last pair may belong to no asset. */
  private readonly draws: readonly Float64Array[];
  private readonly blocks: readonly DrawBlock[];

  constructor(
    private readonly scenarios: GbmScenarios,
    private readonly seed: number,
    product: ValueAtRiskProduct,
    horizons: number,
  ) {
    super(product, scenarios.assets, horizons);
    this.stepYears = yearsBetween(product, horizons);
    const pairs = Math.ceil(scenarios.assets / 2);
    this.draws = Array.from({ length: 2 * pairs }, () => new Float64Array(horizons));
    this.blocks = drawBlocks(this.draws);
  }

  simulate(path: number): void {
    const { scenarios, draws, stepYears, logPrices } = this;
    const n = scenarios.assets;
    for (const { pair, block, first, second } of this.blocks) {
      fillPair(this.seed, path, pair, block, first.length, first, second);
    }
    for (let i = 0; i < n; i++) {
      const sigma = scenarios.annualVolatility[i];
      let x = 0;
      for (let k = 0; k < stepYears.length; k++) {
        let shock = 0;
        for (let j = 0; j <= i; j++) shock += scenarios.factor[i * n + j] * draws[j][k];
        x += (-sigma * sigma * stepYears[k]) / 2 + Math.sqrt(stepYears[k]) * shock;
        logPrices[i][k] = x;
      }
    }
    this.addBaskets();
  }
}

/** Where the draws of one block of a pair go. */
interface DrawBlock {
  readonly pair: number;
  readonly block: number;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

/** The blocks of draws of all pairs: a horizon is a step, by rank. */
function drawBlocks(draws: readonly Float64Array[]): DrawBlock[] {
  const blocks: DrawBlock[] = [];
  for (let pair = 0; 2 * pair < draws.length; pair++) {
    for (let step = 0, block = 0; step < draws[0].length; step += BLOCK_STEPS, block++) {
      const [first, second] = [draws[2 * pair], draws[2 * pair + 1]].map(all =>
        all.subarray(step, step + BLOCK_STEPS),
      );
      blocks.push({ pair, block, first, second });
    }
  }
  return blocks;
}

/** Windows that end at the same grid point, each of its horizon's length. */
export class HistoricalHorizons implements HorizonPaths {
  readonly together = SINGLE_PATHS_TOGETHER;
  readonly collateral: Float64Array;
  readonly loan: Float64Array;

  constructor(
    private readonly scenarios: HistoricalScenarios,
    private readonly portfolio: Portfolio,
    private readonly horizonSteps: Uint32Array,
  ) {
    this.collateral = new Float64Array(horizonSteps.length);
    this.loan = new Float64Array(horizonSteps.length);
  }

  simulate(path: number): void {
    const { scenarios, portfolio, collateral, loan } = this;
    const end = scenarios.lead + path;
    collateral.fill(0);
    loan.fill(0);
    for (let i = 0; i < scenarios.assets; i++) {
      const prices = scenarios.prices[i];
      for (let k = 0; k < this.horizonSteps.length; k++) {
        const relative = prices[end] / prices[end - this.horizonSteps[k]];
        collateral[k] += portfolio.collateralWeights[i] * relative;
        loan[k] += portfolio.loanWeights[i] * relative;
      }
    }
  }
}
