/** Paths of a loan whose debt grows by g_t = Y^(t / T): C_t / L_t is divided by it, and L_t multiplied. */
import { debtGrows, debtGrowthPerStep, type GrowingDebt } from '../plan/loan-terms.ts';
import { collateralAt, loanAt, type PortfolioPaths } from './paths.ts';

/** The paths of a debt; `paths` itself where it does not grow. */
export function accrued(paths: PortfolioPaths, debt: GrowingDebt): PortfolioPaths {
  return debtGrows(debt) ? new AccruedPaths(paths, debt) : paths;
}

class AccruedPaths implements PortfolioPaths {
  readonly domain: PortfolioPaths['domain'];
  readonly ratio: Float64Array;
  minimum = 0;
  /** ln g_t and g_t at index t - 1. */
  private readonly logGrowth: Float64Array;
  private readonly growth: Float64Array;
  private readonly grownLoan: Float64Array;
  /** Whether `grownLoan` belongs to the current path. */
  private isGrown = false;

  constructor(
    private readonly paths: PortfolioPaths,
    debt: GrowingDebt,
  ) {
    const perStep = debtGrowthPerStep(debt);
    this.domain = paths.domain;
    this.logGrowth = Float64Array.from({ length: debt.steps }, (_, i) => perStep * (i + 1));
    this.growth = this.logGrowth.map(Math.exp);
    this.ratio = new Float64Array(debt.steps);
    this.grownLoan = new Float64Array(debt.steps);
  }

  get weight(): PortfolioPaths['weight'] {
    return this.paths.weight;
  }

  get collateral(): Float64Array {
    return this.paths.collateral;
  }

  get loan(): Float64Array {
    const { growth, grownLoan } = this;
    if (!this.isGrown) {
      const { loan } = this.paths;
      for (let i = 0; i < loan.length; i++) grownLoan[i] = loan[i] * growth[i];
      this.isGrown = true;
    }
    return grownLoan;
  }

  get secured(): Float64Array | undefined {
    return this.paths.secured;
  }

  collateralAt(step: number): number {
    return collateralAt(this.paths, step);
  }

  loanAt(step: number): number {
    return loanAt(this.paths, step) * this.growth[step - 1];
  }

  simulate(path: number): void {
    const { paths, ratio, logGrowth, growth } = this;
    paths.simulate(path);
    const before = paths.ratio;
    let minimum = Number.POSITIVE_INFINITY;
    for (let i = 0; i < ratio.length; i++) {
      const value = this.domain === 'ln' ? before[i] - logGrowth[i] : before[i] / growth[i];
      ratio[i] = value;
      minimum = Math.min(minimum, value);
    }
    this.minimum = minimum;
    this.isGrown = false;
  }
}
