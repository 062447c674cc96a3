/**
 * One CSV file to observations.
 *
 * Takes: a data file. Gives: its layout and observations, or faults. Must not know: the database.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { DataFile } from './find-files.ts';
import type { ImportFault } from './import-error.ts';
import { type FileLayout, layoutOfHeader } from './layout.ts';
import { columnOf, type Observations, RowReader } from './rows.ts';

export interface FileContent {
  readonly layout: FileLayout;
  readonly observations: Observations;
}

/**
 * Reads a file, or tells its faults, `maxFaults` at most. A file with a fault has no content.
 */
export function readDataFile(
  file: DataFile,
  maxFaults: number,
): { readonly content?: FileContent; readonly faults: readonly ImportFault[] } {
  const faults: ImportFault[] = [];
  // No quotes: no column holds text, and so a line is a record and columns can be counted.
  const records: string[][] = parse(readFileSync(file.path), {
    bom: true,
    quote: false,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n'],
  });
  const [header, ...rows] = records;
  if (header === undefined || rows.length === 0) {
    const message = header === undefined ? 'the file is empty' : 'there are no rows below the header';
    return { faults: [{ file: file.path, line: 1, column: 1, message }] };
  }
  const layout = layoutOfHeader(file.key, header);
  if ('message' in layout) {
    const column = columnOf(header, layout.field);
    return { faults: [{ file: file.path, line: 1, column, message: layout.message }] };
  }
  const reader = new RowReader(layout, fault => faults.push({ file: file.path, ...fault }));
  for (let row = 0; row < rows.length && faults.length < maxFaults; row++) reader.read(rows[row], row + 2);
  if (faults.length > 0) return { faults: faults.slice(0, maxFaults) };
  return { content: { layout, observations: reader.observations }, faults };
}
