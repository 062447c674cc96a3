/** The text of a tape as a table: comma, semicolon or tab between fields; skips lines that begin with # before the header. */
import { delimitedRecords, NoTable } from '../market/import/delimited.ts';
import type { TapeTable } from './read-tape.ts';

/** @throws NoTable on an empty text or an open quote */
export function textTable(text: string): TapeTable {
  let body = text.replace(/^\ufeff/, '');
  let skipped = 0;
  while (/^[ \t]*(#[^\n]*)?\n/.test(body)) {
    body = body.slice(body.indexOf('\n') + 1);
    skipped += 1;
  }
  const { records, lines } = delimitedRecords(body, skipped);
  const [header, ...rows] = records;
  if (header === undefined) throw new NoTable('The tape is empty.');
  return { header, rows, lineOf: row => lines[row + 1] ?? 0 };
}
