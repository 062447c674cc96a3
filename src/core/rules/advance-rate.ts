/** Advance rates as plain code (docs/advance-rate.md): one loop per rule. Read and tested; no engine runs it. */

/** Terms of an exposure; steps are hours, or days of a daily history. */
export interface ExposureRules {
  readonly steps: number;
  /** Sold at the lowest ratio of the exposure, else at its end. */
  readonly lowest: boolean;
  /** Share of the proceeds that the sale costs. */
  readonly saleCost: number;
  /** An exposure begins at a fall within so many steps; at step 0 where absent. */
  readonly after?: { readonly fall: number; readonly withinSteps: number };
}

/**
 * The step at which an exposure begins, and what its sale brings over the collateral at that level; undefined where it does not begin:
 * docs/advance-rate.md, "Definitions" and docs/advance-rate.md, "After a fall".
 *
 * @param ratios C_t / L_t of steps 0, 1, ...; 1 at step 0
 */
export function exposureOnPath({ steps, lowest, saleCost, after }: ExposureRules, ratios: readonly number[]) {
  const level = after === undefined ? 1 : 1 - after.fall;
  const start =
    after === undefined
      ? 0
      : ratios.findIndex((ratio, t) => t >= 1 && t <= after.withinSteps && ratio <= level);
  if (start < 0) return undefined;
  // Step 0 is no chance to sell; the step of a fall is one.
  const sold = lowest
    ? Math.min(...ratios.slice(Math.max(1, start), start + steps + 1))
    : ratios[start + steps];
  return { start, proceeds: (1 - saleCost) * (sold / level) };
}

/** What a rate loses: paths below it, and the sum of the lost shares of the debt: docs/advance-rate.md, "Definitions". */
export function lostAt(proceeds: readonly number[], rate: number) {
  const losing = proceeds.filter(value => value < rate);
  return { losing: losing.length, loss: losing.reduce((sum, value) => sum + (1 - value / rate), 0) };
}

/** The largest rate at which at most n (1 - q) of the n exposures lose: docs/advance-rate.md, "Definitions". */
export function rateAtConfidence(proceeds: readonly number[], q: number): number {
  const rising = [...proceeds].sort((a, b) => a - b);
  return rising[Math.floor(proceeds.length * (1 - q) + 1e-9)];
}

/** The largest rate whose mean loss is at most `loss`, s_j / (j - n loss) at the j where it lies between the j-th and the next value: docs/advance-rate.md, "Definitions". */
export function rateAtLoss(proceeds: readonly number[], loss: number): number {
  const rising = [...proceeds].sort((a, b) => a - b);
  let sum = 0;
  for (let j = 1; j <= rising.length; j++) {
    sum += rising[j - 1];
    const rate = sum / (j - rising.length * loss);
    if (j > rising.length * loss && rate >= rising[j - 1] && rate <= (rising[j] ?? Number.POSITIVE_INFINITY))
      return rate;
  }
  throw new RangeError(`no rate has the mean loss ${loss}`);
}

/** Losing windows that begin more than an exposure after the one before: docs/advance-rate.md, "What would mislead". @param starts of the losing windows */
export function episodes(starts: readonly number[], steps: number): number {
  const rising = [...starts].sort((a, b) => a - b);
  return rising.filter((start, i) => i === 0 || start - rising[i - 1] > steps).length;
}
