/** Student's t by the day: parameters and contract (docs/methodology.md, "STUDENT_T"). */
import { MULTIPLIER_COEFFICIENTS, MULTIPLIER_ROWS } from '../../random/multiplier-table.ts';
import { diagonalFactor, type ModelContract } from './contract.ts';
import { GBM, type GbmScenarios } from './gbm.ts';

/**
 * GBM with all shocks of a simulated day multiplied by sqrt(W), one draw of W for all assets of a path:
 * ln S_i += -W sigma_i^2 dt / 2 + sqrt(W dt) sum_j factor[i][j] Z_j. A day's shocks are multivariate t up to the cap of W.
 */
export interface StudentTScenarios {
  readonly kind: 'student-t';
  /** Number of assets n. */
  readonly assets: number;
  /** n annual volatilities sigma_i, fractions per year, shock included. */
  readonly annualVolatility: Float64Array;
  /** n x n lower-triangular: row i is sigma_i times row i of a factor A of the correlation matrix, A A' = rho. */
  readonly factor: Float64Array;
  /** nu, 3 to 100. */
  readonly degreesOfFreedom: number;
  /** W of a word: rows of core/random/multiplier-table.ts. */
  readonly multiplier: Float64Array;
  /** Largest W. */
  readonly multiplierCap: number;
}

/** W has mean 1: variances are those of GBM. */
const asGbm = ({ assets, annualVolatility, factor }: StudentTScenarios): GbmScenarios => ({
  kind: 'gbm',
  assets,
  annualVolatility,
  factor,
});

export const STUDENT_T: ModelContract<StudentTScenarios> = {
  drawn: {
    varianceOfTerm: (scenarios, years) => GBM.drawn?.varianceOfTerm(asGbm(scenarios), years) ?? [],
    spreadOfTerm: (scenarios, exposures, years) =>
      GBM.drawn?.spreadOfTerm(asGbm(scenarios), exposures, years) ?? 0,
    ratioIsOneWalk: false,
  },
  assetStepWork: 1,
  walkedPerDay: 0.2,
  usual: assets => ({
    kind: 'student-t',
    assets,
    annualVolatility: new Float64Array(assets).fill(0.5),
    factor: diagonalFactor(assets, 0.5),
    degreesOfFreedom: 100,
    // W is 1 for every word, which is GBM.
    multiplier: Float64Array.from({ length: MULTIPLIER_ROWS * MULTIPLIER_COEFFICIENTS }, (_, k) =>
      k % MULTIPLIER_COEFFICIENTS === 0 ? 1 : 0,
    ),
    multiplierCap: 400,
  }),
};
