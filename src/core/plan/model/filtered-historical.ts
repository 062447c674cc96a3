/** Filtered historical simulation: parameters and contract (docs/methodology.md, "FHS"). */
import { CUMULANT_COEFFICIENTS, CUMULANT_ROWS } from '../../random/cumulant-table.ts';
import type { ModelContract } from './contract.ts';
import { GARCH, type GarchScenarios } from './garch.ts';

/**
 * GARCH(1,1) per asset whose shocks of a day are one row of the window's standardised residuals, drawn uniformly for all
 * assets together. With a_i = volatilityScale sqrt(h_i) the day's shock is a_i z_di. Within the day a Brownian bridge leads
 * to it: with m hours and R_i of the shock left, the next hour has mean R_i / m and variance (a_i^2 / 24)(m - 1) / m,
 * correlated by `factor`; drift per hour -ln(mean_d exp(a_i z_di)) / 24. At the day's end
 * h_i = omega_i + alpha_i h_i z_di^2 + beta_i h_i.
 */
export interface FilteredHistoricalScenarios {
  readonly kind: 'filtered-historical';
  readonly assets: number;
  /** n intercepts of the daily variance. */
  readonly omega: Float64Array;
  readonly alpha: Float64Array;
  readonly beta: Float64Array;
  /** n variances of the first simulated day. */
  readonly firstVariance: Float64Array;
  /** n x n lower-triangular factor of the correlations of the residuals. */
  readonly factor: Float64Array;
  /** 1 + volatility shock. */
  readonly volatilityScale: number;
  /** D x n row-major: residuals z_di of the days of the window, mean 0 and mean square 1 per asset, 0 where it never moves. */
  readonly rows: Float64Array;
  /** ln mean exp(a z) of each asset: rows of core/random/cumulant-table.ts. */
  readonly cumulants: Float64Array;
}

/** Residuals have mean square 1: variances are those that GARCH forecasts. */
const asGarch = ({ rows, cumulants, ...parameters }: FilteredHistoricalScenarios): GarchScenarios => ({
  ...parameters,
  kind: 'garch',
});

export const FILTERED_HISTORICAL: ModelContract<FilteredHistoricalScenarios> = {
  drawn: {
    varianceOfTerm: (scenarios, years) => GARCH.drawn?.varianceOfTerm(asGarch(scenarios), years) ?? [],
    spreadOfTerm: (scenarios, exposures, years) =>
      GARCH.drawn?.spreadOfTerm(asGarch(scenarios), exposures, years) ?? 0,
    ratioIsOneWalk: false,
  },
  assetStepWork: 1,
  walkedPerDay: 1,
  usual: assets => ({
    ...GARCH.usual(assets),
    kind: 'filtered-historical',
    rows: Float64Array.from({ length: 2 * assets }, (_, k) => (k < assets ? 1 : -1)),
    // K(a) = a^2 / 2.
    cumulants: Float64Array.from({ length: assets * CUMULANT_ROWS * CUMULANT_COEFFICIENTS }, (_, k) =>
      k % CUMULANT_COEFFICIENTS === 0 ? 0.5 : 0,
    ),
  }),
};
