/** GBM in the SIMD kernel: kernel/gbm.ts, kernel/pair.ts, kernel/horizons.ts. */
import { HOURS_PER_YEAR } from '../../plan/grid.ts';
import type { AssetPair } from '../../plan/ratio-path.ts';
import type { GbmScenarios } from '../../plan/simulation-plan.ts';
import { projectionOn } from '../../random/box-muller.ts';
import type { Kernel } from '../kernel.ts';
import {
  PAIR_DRIFT,
  PAIR_PHASE,
  PAIR_START,
  PAIR_VARIANCE,
  type SimdModel,
  writeAssets,
  writeFactor,
} from './contract.ts';

/** The common fields of models with a volatility and a drift. */
type Walks = Pick<GbmScenarios, 'assets' | 'annualVolatility' | 'factor'>;

export const SIMD_GBM: SimdModel<'gbm'> = {
  number: kernel => kernel.exports.MODEL_GBM,
  writeHours: (kernel, scenarios, _table, pair) => writeHourlyWalks(kernel, scenarios, pair),
  writeHorizons: writeAnnualWalks,
  table: undefined,
};

/** Drift of ln S_i in an hour. */
export const hourlyDrift = ({ annualVolatility }: Pick<Walks, 'annualVolatility'>): Float64Array =>
  annualVolatility.map(sigma => (-sigma * sigma) / (2 * HOURS_PER_YEAR));

/** Writes factor and drift of an hour in base 2, and the one walk of a pair, in natural logarithms. */
export function writeHourlyWalks(kernel: Kernel, scenarios: Walks, pair: AssetPair | undefined): void {
  const { assets, annualVolatility, factor } = scenarios;
  const { DRIFT, PAIR } = kernel.exports;
  const rootDt = Math.sqrt(1 / HOURS_PER_YEAR);
  const drift = hourlyDrift({ annualVolatility });
  writeFactor(kernel, assets, factor, rootDt * Math.LOG2E);
  writeAssets(
    kernel,
    DRIFT,
    drift.map(each => each * Math.LOG2E),
  );
  if (pair === undefined) return;
  const loading = (j: number) =>
    j < assets ? (factor[pair.collateral * assets + j] - factor[pair.loan * assets + j]) * rootDt : 0;
  const { scale, phase } = projectionOn(loading(0), loading(1));
  kernel.put(PAIR, PAIR_VARIANCE, 2 * Math.LN2 * scale * scale);
  kernel.putInteger(PAIR, PAIR_PHASE, phase);
  kernel.put(PAIR, PAIR_DRIFT, drift[pair.collateral] - drift[pair.loan]);
  kernel.put(PAIR, PAIR_START, Math.log(pair.startRatio));
}

/** Writes factor and drift of a year in base 2. */
export function writeAnnualWalks(kernel: Kernel, { assets, annualVolatility, factor }: Walks): void {
  writeFactor(kernel, assets, factor, Math.LOG2E);
  writeAssets(
    kernel,
    kernel.exports.DRIFT,
    annualVolatility.map(sigma => ((-sigma * sigma) / 2) * Math.LOG2E),
  );
}
