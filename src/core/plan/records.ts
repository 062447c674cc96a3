/** Path ranges of a plan, and the path records of one range. */

/** Most paths of a trace, which has a record per path in memory. */
export const MAX_TRACED_PATHS = 2 ** 20;

/** Paths first .. first + count - 1. */
export interface PathRange {
  readonly first: number;
  readonly count: number;
}

/** Columns of doubles for the paths of one range, filled by a trace. */
export class RecordSink {
  readonly columns: readonly Float64Array[];
  private readonly first: number;

  constructor(fields: number, range: PathRange) {
    this.columns = Array.from({ length: fields }, () => new Float64Array(range.count));
    this.first = range.first;
  }

  /** Writes one value per column for path `path`. */
  write(path: number, values: readonly number[]): void {
    for (let i = 0; i < values.length; i++) this.columns[i][path - this.first] = values[i];
  }
}
