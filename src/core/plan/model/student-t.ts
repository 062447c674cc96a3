/** Student's t by the day: parameters and contract (docs/methodology.md, "STUDENT_T"). */
import { MULTIPLIER_COEFFICIENTS, MULTIPLIER_ROWS } from '../../random/multiplier-table.ts';
import { type Declared, doubles, number, positive } from '../fields.ts';
import type { ModelContract } from './contract.ts';
import { GBM_FIELDS, GBM_PRICES, usualGbm } from './gbm.ts';

const STUDENT_T_FIELDS = {
  ...GBM_FIELDS,
  /** nu, 3 to 100. */
  degreesOfFreedom: number({ above: 2 }),
  /** W of a word: rows of core/random/multiplier-table.ts. */
  multiplier: doubles(() => MULTIPLIER_ROWS * MULTIPLIER_COEFFICIENTS),
  /** Largest W. */
  multiplierCap: positive,
};

/**
 * GBM with all shocks of a simulated day multiplied by sqrt(W), one draw of W for all assets of a path:
 * ln S_i += -W sigma_i^2 dt / 2 + sqrt(W dt) sum_j factor[i][j] Z_j. A day's shocks are multivariate t up to the cap of W.
 */
export interface StudentTScenarios extends Declared<typeof STUDENT_T_FIELDS> {
  readonly kind: 'student-t';
}

export const STUDENT_T: ModelContract<StudentTScenarios> = {
  fields: STUDENT_T_FIELDS,
  // W has mean 1, so variances equal GBM variances.
  drawn: { ...GBM_PRICES, ratioIsOneWalk: false },
  walkedPerDay: 0.2,
  usual: assets => ({
    kind: 'student-t',
    ...usualGbm(assets),
    degreesOfFreedom: 100,
    // W is 1 for every word, which is GBM.
    multiplier: Float64Array.from({ length: MULTIPLIER_ROWS * MULTIPLIER_COEFFICIENTS }, (_, k) =>
      k % MULTIPLIER_COEFFICIENTS === 0 ? 1 : 0,
    ),
    multiplierCap: 400,
  }),
};
