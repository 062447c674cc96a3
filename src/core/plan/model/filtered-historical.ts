/** Filtered historical simulation: parameters and contract (docs/methodology.md, "FHS"). */
import { CUMULANT_COEFFICIENTS, CUMULANT_ROWS } from '../../random/cumulant-table.ts';
import { type Declared, doubles, rowsOfAssets } from '../fields.ts';
import type { ModelContract } from './contract.ts';
import { GARCH_FIELDS, GARCH_PRICES, usualVariances } from './garch.ts';

const FILTERED_HISTORICAL_FIELDS = {
  ...GARCH_FIELDS,
  /** D x n row-major: residuals z_di of the days of the window, mean 0 and mean square 1 per asset, 0 where it never moves. */
  rows: doubles(rowsOfAssets),
  /** ln mean exp(a z) of each asset: rows of core/random/cumulant-table.ts. */
  cumulants: doubles(({ assets }) => assets * CUMULANT_ROWS * CUMULANT_COEFFICIENTS),
};

/**
 * GARCH(1,1) per asset whose shocks of a day are one row of the window's standardised residuals, drawn uniformly for all
 * assets together. With a_i = volatilityScale sqrt(h_i) the day's shock is a_i z_di. Within the day a Brownian bridge leads
 * to it: with m hours and R_i of the shock left, the next hour has mean R_i / m and variance (a_i^2 / 24)(m - 1) / m,
 * correlated by `factor`; drift per hour -ln(mean_d exp(a_i z_di)) / 24. At the day's end
 * h_i = omega_i + alpha_i h_i z_di^2 + beta_i h_i.
 */
export interface FilteredHistoricalScenarios extends Declared<typeof FILTERED_HISTORICAL_FIELDS> {
  readonly kind: 'filtered-historical';
}

export const FILTERED_HISTORICAL: ModelContract<FilteredHistoricalScenarios> = {
  fields: FILTERED_HISTORICAL_FIELDS,
  // Residuals have mean square 1, so variances equal GARCH variances.
  drawn: GARCH_PRICES,
  walkedPerDay: 1,
  usual: assets => ({
    kind: 'filtered-historical',
    ...usualVariances(assets),
    rows: Float64Array.from({ length: 2 * assets }, (_, k) => (k < assets ? 1 : -1)),
    // K(a) = a^2 / 2.
    cumulants: Float64Array.from({ length: assets * CUMULANT_ROWS * CUMULANT_COEFFICIENTS }, (_, k) =>
      k % CUMULANT_COEFFICIENTS === 0 ? 0.5 : 0,
    ),
  }),
};
