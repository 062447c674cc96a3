/** Paths of a loan in assets of constant price, such as dollars: L_t is known without its simulation. */
import { drawnPrices } from '../plan/models.ts';
import { contractOf } from '../plan/products.ts';
import { sumOfWeights } from '../plan/ratio-path.ts';
import type { LoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import type { PortfolioPaths } from './paths.ts';

/** L_t of every step, if no asset of the loan has any variance; `undefined` otherwise, and for given prices. */
function constantLoan({ scenarios, product }: SimulationPlan<LoanProduct>): number | undefined {
  const variances = drawnPrices(scenarios)?.varianceOfTerm(scenarios, contractOf(product).years(product));
  const { loanWeights } = product.portfolio;
  const isConstant =
    variances !== undefined && loanWeights.every((weight, i) => weight === 0 || variances[i] === 0);
  return isConstant ? sumOfWeights(loanWeights) : undefined;
}

/**
 * The paths of a loan, with L_t if its calls are answered.
 *
 * @param pathsOf returns them, with the amounts of both sides or without
 */
export function loanPathsOf(
  plan: SimulationPlan<LoanProduct>,
  pathsOf: (amounts: boolean) => PortfolioPaths,
): PortfolioPaths {
  if (plan.product.answers === undefined) return pathsOf(false);
  const value = constantLoan(plan);
  return value === undefined ? pathsOf(true) : new ConstantLoanPaths(pathsOf(false), value);
}

class ConstantLoanPaths implements PortfolioPaths {
  readonly domain: PortfolioPaths['domain'];
  private readonly paths: PortfolioPaths;
  private readonly value: number;

  constructor(paths: PortfolioPaths, value: number) {
    this.domain = paths.domain;
    this.paths = paths;
    this.value = value;
  }

  get ratio(): Float64Array {
    return this.paths.ratio;
  }

  get made(): PortfolioPaths['made'] {
    return this.paths.made;
  }

  get weight(): PortfolioPaths['weight'] {
    return this.paths.weight;
  }

  get collateral(): Float64Array {
    return this.paths.collateral;
  }

  get loan(): Float64Array {
    return new Float64Array(this.paths.ratio.length).fill(this.value);
  }

  get minimum(): number {
    return this.paths.minimum;
  }

  loanAt(): number {
    return this.value;
  }

  simulate(path: number): void {
    this.paths.simulate(path);
  }
}
