/** The values of a loan's baskets hour by hour along one known path of prices. */
import type { LendingSeries } from '../lending/follow-lending.ts';

export class HourlySeries implements LendingSeries {
  private readonly collateral: Float64Array;
  private readonly loan: Float64Array;
  private readonly secured: Float64Array;
  private isByAsset = false;
  private readonly growth: Float64Array;
  private readonly ratio: Float64Array;
  private perStep = 0;

  /** @param relatives per asset: price of each step over the price of step 0; all of the same length */
  constructor(private readonly relatives: readonly Float64Array[]) {
    const points = relatives[0].length;
    this.collateral = new Float64Array(points);
    this.loan = new Float64Array(points);
    this.secured = new Float64Array(points);
    this.growth = new Float64Array(points).fill(1);
    this.ratio = new Float64Array(points);
  }

  /**
   * Selects other baskets.
   *
   * @param collateralWeights per asset, as `loanWeights`: value at step 0
   * @param perStep increment per step of the natural logarithm of the debt
   * @param securedWeights those of collateral times the liquidation LTVs of assets; absent where no loan has them
   */
  turnTo(
    collateralWeights: Float64Array,
    loanWeights: Float64Array,
    perStep: number,
    securedWeights?: Float64Array,
  ): void {
    if (securedWeights !== undefined) this.addUp(securedWeights, this.secured);
    this.addUp(collateralWeights, this.collateral);
    this.addUp(loanWeights, this.loan);
    this.growBy(perStep);
  }

  /** Selects another growth of the debt of the same baskets. */
  growBy(perStep: number): void {
    const { collateral, loan, growth, ratio } = this;
    if (perStep !== this.perStep) for (let t = 0; t < growth.length; t++) growth[t] = Math.exp(perStep * t);
    this.perStep = perStep;
    for (let t = 0; t < ratio.length; t++) ratio[t] = collateral[t] / (loan[t] * growth[t]);
  }

  /** Selects a loan of these baskets. @param isByAsset whether its thresholds are those of assets */
  takeLoan(isByAsset: boolean): void {
    this.isByAsset = isByAsset;
  }

  securedAt(step: number): number | undefined {
    return this.isByAsset ? this.secured[step] : undefined;
  }

  at(step: number): number {
    return this.ratio[step];
  }

  collateralAt(step: number): number {
    return this.collateral[step];
  }

  debtAt(step: number): number {
    return this.loan[step] * this.growth[step];
  }

  firstBelow(low: number, from: number, to: number): number {
    let step = from;
    while (step <= to && !(this.ratio[step] < low)) step += 1;
    return step;
  }

  firstOutside(low: number, high: number, from: number, to: number): number {
    let step = from;
    while (step <= to && this.ratio[step] >= low && this.ratio[step] < high) step += 1;
    return step;
  }

  private addUp(weights: Float64Array, values: Float64Array): void {
    values.fill(0);
    weights.forEach((weight, asset) => {
      if (weight === 0) return;
      const relative = this.relatives[asset];
      for (let t = 0; t < values.length; t++) values[t] += weight * relative[t];
    });
  }
}
