/** Geometric Brownian motion at scrambled Sobol points: parameters and contract (docs/methodology.md, "Sobol points"). */
import { type Declared, doubles, perAsset, perAssetPair } from '../fields.ts';
import { assetCount } from '../portfolio.ts';
import { diagonalFactor, type ModelContract } from './contract.ts';
import { gbmVariances } from './gbm.ts';

const GBM_SOBOL_FIELDS = {
  /** Number of assets n. */
  assets: assetCount,
  /** n annual volatilities sigma_i, fractions per year, shock included. */
  annualVolatility: doubles(perAsset, { least: 0 }),
  /** n x n: column j is principal component j of the annual covariance, by falling variance, times its deviation. */
  components: doubles(perAssetPair),
};

/** Independent scrambles of one plan, whose spread gives the error of its figures. */
export const SCRAMBLES = 16;

/**
 * The law of `GbmScenarios` at Sobol points, for value at risk only. A plan has 16 scrambles of a power of two of paths
 * each: ln S_i += -sigma_i^2 dt / 2 + sqrt(dt) * sum_j components[i][j] Z_j, Z_j of horizon rank k from dimension k n +
 * j of the point.
 */
export interface GbmSobolScenarios extends Declared<typeof GBM_SOBOL_FIELDS> {
  readonly kind: 'gbm-sobol';
}

/** The smallest number of paths that is 16 times a power of two and at least `wanted`. */
export function sobolPaths(wanted: number): number {
  let paths = SCRAMBLES;
  while (paths < wanted) paths *= 2;
  return paths;
}

export const GBM_SOBOL: ModelContract<GbmSobolScenarios> = {
  fields: GBM_SOBOL_FIELDS,
  products: ['value-at-risk'],
  replicates: SCRAMBLES,
  check(_, { paths }, faults) {
    if (paths !== sobolPaths(paths)) faults.add('plan.paths', `${SCRAMBLES} times a power of two`, paths);
  },
  drawn: {
    varianceOfTerm: gbmVariances,
    spreadOfTerm({ components, assets }, exposures, years) {
      let variance = 0;
      for (let j = 0; j < assets; j++) {
        let loading = 0;
        for (let i = 0; i < assets; i++) loading += exposures[i] * components[i * assets + j];
        variance += loading * loading;
      }
      return Math.sqrt(variance * years);
    },
    ratioIsOneWalk: true,
  },
  walkedPerDay: 0,
  usual: assets => ({
    kind: 'gbm-sobol',
    assets,
    annualVolatility: new Float64Array(assets).fill(0.5),
    components: diagonalFactor(assets, 0.5),
  }),
};
