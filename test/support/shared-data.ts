/**
 * Where the real market data for tests lies, if it is on this machine.
 *
 * The data is not part of the repository. Tests that need it use `describeWithSharedData`, so that a run without
 * it reports them as skipped, with the reason in their name.
 */
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { sharedDataDir } from './shared-data-dir.ts';

export { sharedDataDir };

/** A `describe` that is shown as skipped, with the reason, where the data is absent. */
export function describeWithSharedData(name: string, body: (dataDir: string) => void): void {
  const dataDir = sharedDataDir();
  if (dataDir !== undefined) describe(name, () => body(dataDir));
  // A suite without a test would be left out of the report altogether.
  else describe.skip(name, () => it('is skipped: no ../shared/data, set RISK_SHARED_DATA', () => {}));
}

/** One column of a CSV file of the data folder, as text, in file order. */
export function readColumn(file: string, column: string): string[] {
  const [header, ...rows] = readFileSync(file, 'utf8').trim().split('\n');
  const index = header.trim().split(',').indexOf(column);
  if (index < 0) throw new Error(`${file} has no column ${column}`);
  return rows.map(row => row.trim().split(',')[index]);
}

/** The `count` closes of a daily or hourly file that end with the row stamped `last`, in time order. */
export function readCloses(file: string, last: string, count: number): Float64Array {
  const stamps = readColumn(file, file.includes('hourly') ? 'timestamp' : 'date');
  const end = stamps.indexOf(last);
  if (end < count - 1) throw new Error(`${file} does not hold ${count} rows up to ${last}`);
  const closes = readColumn(file, 'close').slice(end - count + 1, end + 1);
  return Float64Array.from(closes, Number);
}
