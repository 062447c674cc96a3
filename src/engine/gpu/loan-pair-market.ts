/**
 * Packs the market of a pair under GBM with its amounts (shaders/model/gbm_loan_pair.wgsl): the log ratio as
 * `packMarket` has it for `log-ratio`, and the two assets beside it. Base 2, computed in double, rounded once.
 */
import { type GbmScenarios, HOURS_PER_YEAR, type Portfolio } from '../../plan/simulation-plan.ts';
import { type PackedMarket, packMarket, type StructLayout } from './parameters.ts';

export const GBM_LOAN_PAIR_LAYOUT = {
  struct: 'MarketParameters',
  size: 48,
  fields: { ratio: 0, collateral: 16, loan: 32 },
} as const satisfies StructLayout;

const STATE_WORDS = 3;

/** The market of one collateral asset against one loan asset. */
export function packGbmLoanPair(scenarios: GbmScenarios, portfolio: Portfolio): PackedMarket {
  const { fields, size } = GBM_LOAN_PAIR_LAYOUT;
  const packed = new Float32Array(size / 4);
  packed.set(packMarket(scenarios, portfolio, 'log-ratio').parameters, fields.ratio / 4);
  packed.set(assetMoves(scenarios, portfolio.collateralWeights.indexOf(1)), fields.collateral / 4);
  packed.set(assetMoves(scenarios, portfolio.loanWeights.indexOf(1)), fields.loan / 4);
  return { model: 'gbm', assets: scenarios.assets, parameters: packed, stateWords: STATE_WORDS };
}

/** What the normals of asset 0 and 1 add to log2 of an asset's price in a step, and the drift of a step. */
function assetMoves({ assets, annualVolatility, factor }: GbmScenarios, asset: number): number[] {
  const dtYears = 1 / HOURS_PER_YEAR;
  const loading = (j: number) =>
    j < assets ? factor[asset * assets + j] * Math.sqrt(dtYears) * Math.LOG2E : 0;
  return [loading(0), loading(1), -0.5 * annualVolatility[asset] ** 2 * dtYears * Math.LOG2E];
}
