/** The window of a path with the largest sales. */

/** All amounts are whole units, so equal windows have equal sums, and the earliest counts. */
export class PeakDay {
  /** Sold over the whole path. */
  total = 0;
  /** Sold in the window. */
  largest = 0;
  /** Step index at which the window begins. */
  start = 0;

  constructor(private readonly daySteps: number) {}

  /** @param soldAt whole numbers by step index; all are 0 where `isAny` is false */
  find(soldAt: Float64Array, isAny: boolean): void {
    this.total = 0;
    this.largest = 0;
    this.start = 0;
    if (!isAny) return;
    const width = Math.min(this.daySteps, soldAt.length);
    let total = 0;
    let window = 0;
    let peak = 0;
    for (let t = 0; t < soldAt.length; t++) {
      total += soldAt[t];
      window += soldAt[t] - (t >= width ? soldAt[t - width] : 0);
      if (t >= width - 1 && window > peak) {
        peak = window;
        this.start = t - width + 1;
      }
    }
    this.total = total;
    this.largest = peak;
  }
}
