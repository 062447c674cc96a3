/** The figures of SciPy in test/fixtures/stats/figures.json, made by make-figures.py. */
import { readFileSync } from 'node:fs';

/** Rows of numbers under a name of make-figures.py; null where SciPy has none. */
export function scipyRows(name: string): (number | null)[][] {
  const url = new URL('../fixtures/stats/figures.json', import.meta.url);
  const rows = (JSON.parse(readFileSync(url, 'utf8')) as Record<string, (number | null)[][]>)[name];
  if (rows === undefined || rows.length === 0) throw new Error(`no rows named ${name}`);
  return rows;
}

/** Rows without a missing number. */
export const scipyNumbers = (name: string): number[][] => scipyRows(name) as number[][];

/** |got - expected| in units of the larger of |expected| and `scale`. */
export const relativeError = (got: number, expected: number, scale = 0): number =>
  Math.abs(got - expected) / Math.max(Math.abs(expected), scale);
