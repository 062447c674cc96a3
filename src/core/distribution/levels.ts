/** Quantiles of distributions: probabilities by member names with their percentage. */

/** Quantiles of a fan at each of its times. */
export const FAN_LEVELS = {
  q01: 0.01,
  q05: 0.05,
  q25: 0.25,
  q50: 0.5,
  q75: 0.75,
  q95: 0.95,
  q99: 0.99,
} as const;

/** Quantiles of a distribution, rising. */
export const DISTRIBUTION_LEVELS = {
  'q00.1': 0.001,
  'q00.5': 0.005,
  ...FAN_LEVELS,
  'q99.5': 0.995,
  'q99.9': 0.999,
} as const;
