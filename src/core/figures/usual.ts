/** What is asked where nobody chooses: by the command line, the console, a tape over HTTP and the report (docs/choosing.md). */
export const USUAL = {
  type: 'STUDENT_T',
  /** Methodologies of a report; the first is the headline's. */
  types: ['STUDENT_T', 'GBM', 'FHS', 'BOOTSTRAP', 'HISTORICAL'],
  lookbackDays: 365,
  paths: 20_000,
  levels: [0.95, 0.99],
  horizonDays: 30,
  saleDelayHours: 24,
  saleCost: 0.01,
  seed: 1,
} as const;

/** The level of a headline where there are others beyond it. */
const HEADLINE = 0.99;

/** The level of headlines, limits and tables of parts: the highest of those up to 99 %, else the lowest. @param levels one or more, each in (0, 1) */
export function headlineOf(levels: readonly number[]): number {
  const rising = [...levels].sort((a, b) => a - b);
  return rising.filter(level => level <= HEADLINE).at(-1) ?? rising[0];
}

/** Fewest scenarios beyond the level of a table of parts. */
const MIN_BEYOND = 100;

/**
 * The level of tables of loans, borrowers and assets: that of the headline, or the highest below it with at least 100 scenarios beyond;
 * undefined where no level has as many.
 */
export function levelOfParts(levels: readonly number[], scenarios: number): number | undefined {
  const headline = headlineOf(levels);
  return levels
    .filter(level => level <= headline && scenarios * (1 - level) >= MIN_BEYOND - 1e-6)
    .sort((a, b) => b - a)[0];
}
