/**
 * Reliability of forecast probabilities: what was promised against what happened, by deciles of the promise.
 *
 * Takes: probabilities, outcomes, and which of them belong together. Gives: a row per decile, and the Brier score.
 * Sources: Murphy and Winkler, "Reliability of subjective probability forecasts of precipitation and temperature", Applied
 * Statistics 26 (1977), 41-47; Brier, Monthly Weather Review 78 (1950), 1-3. Standard errors by clusters: Liang and Zeger,
 * Biometrika 73 (1986), 13-22.
 */

/** A forecast and its outcome. */
export interface JudgedProbability {
  /** 0 to 1. */
  readonly predicted: number;
  readonly happened: boolean;
  /** Outcomes of one cluster depend on each other; those of two do not. */
  readonly cluster: number;
}

export interface Decile {
  readonly forecasts: number;
  readonly meanPredicted: number;
  /** Share that happened. */
  readonly observed: number;
  /** Standard error of observed less predicted, by clusters. */
  readonly standardError: number;
}

export interface Reliability {
  readonly forecasts: number;
  readonly clusters: number;
  /** Mean of (predicted - happened)^2, 0 to 1; the lower, the better. */
  readonly brierScore: number;
  /** Brier score of a forecast that always says the share that happened. */
  readonly brierScoreOfMean: number;
  /** Ten groups of equal size, by rising prediction; equal predictions may fall into two groups. */
  readonly deciles: readonly Decile[];
}

const DECILES = 10;

/** @throws RangeError for fewer than ten forecasts, or a probability outside 0..1 */
export function reliability(judged: readonly JudgedProbability[]): Reliability {
  if (judged.length < DECILES) {
    throw new RangeError(`there are ${judged.length} forecasts, at least ${DECILES} needed`);
  }
  for (const { predicted } of judged)
    if (!(predicted >= 0 && predicted <= 1))
      throw new RangeError(`predicted is ${predicted}, must be 0 to 1`);
  const sorted = [...judged].sort((a, b) => a.predicted - b.predicted);
  const n = sorted.length;
  const meanOf = (values: readonly JudgedProbability[], of: (each: JudgedProbability) => number) =>
    values.reduce((sum, each) => sum + of(each), 0) / values.length;
  const share = meanOf(sorted, ({ happened }) => Number(happened));
  return {
    forecasts: n,
    clusters: new Set(judged.map(({ cluster }) => cluster)).size,
    brierScore: meanOf(sorted, ({ predicted, happened }) => (predicted - Number(happened)) ** 2),
    brierScoreOfMean: share * (1 - share),
    deciles: Array.from({ length: DECILES }, (_, k) => {
      const group = sorted.slice(Math.floor((k * n) / DECILES), Math.floor(((k + 1) * n) / DECILES));
      const byCluster = new Map<number, number>();
      for (const { predicted, happened, cluster } of group)
        byCluster.set(cluster, (byCluster.get(cluster) ?? 0) + Number(happened) - predicted);
      const squares = [...byCluster.values()].reduce((sum, error) => sum + error * error, 0);
      return {
        forecasts: group.length,
        meanPredicted: meanOf(group, ({ predicted }) => predicted),
        observed: meanOf(group, ({ happened }) => Number(happened)),
        standardError: Math.sqrt(squares) / group.length,
      };
    }),
  };
}
