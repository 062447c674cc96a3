/** Changes of the figures of a book between two runs: means of paired paths, and their intervals. */
import { describe, expect, it } from 'vitest';
import { skewedReach } from '#src/core/stats/skewness.js';
import { type BookRun, bookChange } from '#src/question/stress/change.js';

const PATHS = 1000;
/** Two-sided quantile of the normal distribution at 95 %. */
const Z = 1.959963984540054;
const TERMS = { quantiles: Float64Array.of(0.75), level: 0.95, independent: true };

/** A run whose first `hit` paths lose `loss`, half of it from sales; `quantile` is that of the losses. */
function runOf(hit: number, loss: number, quantile = 0): BookRun {
  const column = Float64Array.from({ length: PATHS }, (_, path) => (path < hit ? loss : 0));
  const summary = { mean: (hit * loss) / PATHS, positiveShare: hit / PATHS, tailMeans: [] };
  return {
    columns: { loss: column, sold: column.map(x => x / 2) },
    summaries: {
      loss: { ...summary, quantiles: [quantile] },
      sold: { ...summary, quantiles: [quantile / 2] },
    },
    lossBefore: 0,
    soldBefore: 0,
  };
}

const NONE = runOf(0, 0);

/** Ends of the interval of a mean of which `hit` of the paths are `x` and the others 0, below and above it. */
function reachOf(hit: number, x: number) {
  const p = hit / PATHS;
  const error = (Math.abs(x) * Math.sqrt((hit * (1 - p)) / (PATHS - 1))) / Math.sqrt(PATHS);
  const skewness = (Math.sign(x) * (1 - 2 * p)) / Math.sqrt(p * (1 - p) * PATHS);
  const { below, above } = skewedReach(skewness, Z);
  return { below: below * error, above: above * error };
}

describe('bookChange', () => {
  it('is the mean of differences of paired paths, with an interval corrected for their skewness', async () => {
    const { ExpectedLoss, ForcedSaleUsd } = await bookChange(NONE, runOf(200, 5), TERMS);
    const { below, above } = reachOf(200, 5);
    expect(ExpectedLoss.Value).toBeCloseTo(1, 12);
    expect(ExpectedLoss.Low).toBeCloseTo(1 - below, 12);
    expect(ExpectedLoss.High).toBeCloseTo(1 + above, 12);
    expect(ForcedSaleUsd.Value).toBeCloseTo(0.5, 12);
    expect(ForcedSaleUsd.High).toBeCloseTo(0.5 + above / 2, 12);
    expect(above).toBeGreaterThan(1.05 * below);
    // A fall is the rise of the other run.
    const fall = (await bookChange(runOf(200, 5), NONE, TERMS)).ExpectedLoss;
    expect(fall.Low).toBeCloseTo(-1 - above, 12);
    expect(fall.High).toBeCloseTo(-1 + below, 12);
  });

  it('has the noise of the paths only whose difference is not the commonest one', async () => {
    // All paths differ by 2, but so many by 7.
    const changeOf = (hit: number) => bookChange(runOf(PATHS - hit, 5), runOf(PATHS, 7), TERMS);
    expect((await changeOf(0)).ExpectedLoss).toEqual({ Value: 2, Low: null, High: null });
    expect((await changeOf(29)).ExpectedLoss.Low).toBeNull();
    const { ExpectedLoss } = await changeOf(30);
    const { below, above } = reachOf(30, 5);
    expect(ExpectedLoss.Low).toBeCloseTo(2.15 - below, 12);
    expect(ExpectedLoss.High).toBeCloseTo(2.15 + above, 12);
  });

  it('adds the losses and sales of the replays, also to the interval', async () => {
    const before = { ...NONE, lossBefore: 10, soldBefore: 3 };
    const after = { ...runOf(200, 5), lossBefore: 14, soldBefore: 8 };
    const { ExpectedLoss, LossCVar, ForcedSaleUsd } = await bookChange(before, after, TERMS);
    expect(ExpectedLoss.Value).toBeCloseTo(5, 12);
    expect(ExpectedLoss.Low).toBeCloseTo(5 - reachOf(200, 5).below, 12);
    expect(LossCVar[0.75].Value).toBeCloseTo(4 + 4, 12);
    expect(ForcedSaleUsd.Value).toBeCloseTo(5.5, 12);
  });

  it('has the mean of a tail from the loss of each path above the quantile, over 1 - q', async () => {
    // 200 of the worst 250 paths lose 5 and 50 lose 0: 4. Above a quantile of 2: 2 + 0.2 x (5 - 2) / 0.25.
    const { LossCVar } = await bookChange(NONE, runOf(200, 5, 2), TERMS);
    expect(LossCVar[0.75].Value).toBeCloseTo(2 + 2.4, 12);
    expect((await bookChange(NONE, runOf(200, 5), TERMS)).LossCVar[0.75].Value).toBeCloseTo(4, 12);
  });

  it('has an interval from 30 differing paths on, and that of a tail from 100 on', async () => {
    const changeOf = (hit: number) => bookChange(NONE, runOf(hit, 5), TERMS);
    expect((await changeOf(29)).ExpectedLoss).toEqual({ Value: 0.145, Low: null, High: null });
    const mean = (await changeOf(30)).ExpectedLoss;
    const { below, above } = reachOf(30, 5);
    expect(mean.Low).toBeCloseTo(0.15 - below, 12);
    expect(mean.High).toBeCloseTo(0.15 + above, 12);
    expect((await changeOf(99)).LossCVar[0.75].Low).toBeNull();
    const tail = (await changeOf(100)).LossCVar[0.75];
    expect(tail.Value).toBeCloseTo(2, 12);
    expect(tail.High).toBeCloseTo(2 + reachOf(100, 20).above, 12);
  });

  it('counts the paths of both tails where the quantiles differ', async () => {
    const tailOf = async (hit: number) => (await bookChange(NONE, runOf(hit, 5, 2), TERMS)).LossCVar[0.75];
    expect(await tailOf(99)).toMatchObject({ Low: null, High: null });
    expect((await tailOf(100)).Low).toBeCloseTo(3.2 - reachOf(100, 12).below, 12);
  });

  it('has no interval if paths are windows of history', async () => {
    const terms = { ...TERMS, independent: false };
    const { ExpectedLoss, LossCVar } = await bookChange(NONE, runOf(200, 5), terms);
    expect(ExpectedLoss).toEqual({ Value: 1, Low: null, High: null });
    expect(LossCVar[0.75]).toMatchObject({ Low: null, High: null });
  });

  it('counts no loss for a run without paths', async () => {
    const nothing: BookRun = { columns: undefined, summaries: undefined, lossBefore: 6, soldBefore: 0 };
    const gone = await bookChange(runOf(200, 5), nothing, TERMS);
    expect(gone.ExpectedLoss.Value).toBeCloseTo(5, 12);
    expect(gone.ExpectedLoss.High).toBeCloseTo(5 + reachOf(200, 5).below, 12);
    expect(gone.LossCVar[0.75].Value).toBeCloseTo(2, 12);
    const begun = await bookChange(nothing, runOf(200, 5), TERMS);
    expect(begun.ExpectedLoss.Value).toBeCloseTo(1 - 6, 12);
    expect(begun.ExpectedLoss.High).toBeCloseTo(1 - 6 + reachOf(200, 5).above, 12);
    expect((await bookChange(nothing, nothing, TERMS)).ExpectedLoss).toEqual({
      Value: 0,
      Low: null,
      High: null,
    });
  });
});
