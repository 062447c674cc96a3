/**
 * The sums of the credit figures of a book: of the first event of each loan on each path (a liquidation, a closeout, or a handing over
 * below its debt), of its exposure then, and of its loss, discounted. All entries are whole numbers (book-sums.ts).
 */

/** Paths with an event, their exposures; paths with a loss, their exposures, and their losses. */
export const CREDIT_COLUMNS = ['events', 'exposure', 'losses', 'lossExposure', 'lost'] as const;

/** Squares of the exposures, of those of paths with a loss, of the losses, and exposures times losses; each in two parts. */
export const CREDIT_SQUARES = [
  'exposureHigh',
  'exposureLow',
  'lossExposureHigh',
  'lossExposureLow',
  'lostHigh',
  'lostLow',
  'productHigh',
  'productLow',
] as const;

type Columns<N extends readonly string[]> = Readonly<Record<N[number], Float64Array>>;
export type CreditColumns = Columns<typeof CREDIT_COLUMNS> & {
  /** Absent for books without squares. */
  readonly squares: Columns<typeof CREDIT_SQUARES> | undefined;
};

/** Sums of the events within the horizon, and of those after it. */
export const CREDIT_SETS = ['within', 'after'] as const;
export type CreditSums = Readonly<Record<(typeof CREDIT_SETS)[number], CreditColumns>>;

/** Number of columns. */
export const creditColumns = (hasSquares: boolean): number =>
  CREDIT_SETS.length * (CREDIT_COLUMNS.length + (hasSquares ? CREDIT_SQUARES.length : 0));

/** Views on the sums. @param column the entries of a column by its number */
export function creditSumsAt(column: (place: number) => Float64Array, hasSquares: boolean): CreditSums {
  const size = creditColumns(hasSquares) / CREDIT_SETS.length;
  const named = <N extends readonly string[]>(names: N, first: number) =>
    Object.fromEntries(names.map((name, i) => [name, column(first + i)])) as Columns<N>;
  const set = (first: number): CreditColumns => ({
    ...named(CREDIT_COLUMNS, first),
    squares: hasSquares ? named(CREDIT_SQUARES, first + CREDIT_COLUMNS.length) : undefined,
  });
  return { within: set(0), after: set(size) };
}

/** Every column with the name of its units (sum-sets.ts), in the order of their memory. */
export function listCredit(sums: CreditSums): (readonly [name: string, column: Float64Array])[] {
  return CREDIT_SETS.flatMap(set => {
    const { squares } = sums[set];
    return [
      ...CREDIT_COLUMNS.map(name => [name, sums[set][name]] as const),
      ...(squares === undefined ? [] : CREDIT_SQUARES.map(name => [`${name}Credit`, squares[name]] as const)),
    ];
  });
}
