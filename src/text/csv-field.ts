/**
 * Text in a CSV file that a spreadsheet opens: no part of it becomes a formula, which can run commands or send cells away.
 *
 * Must not know: what the fields mean.
 */

/** The start of what a spreadsheet evaluates, also in the full-width characters that some take for these. */
const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** What begins another field: in some countries a semicolon does. */
const MARK_IN_FIELD = /([;\t\r\n])/;

/** A single quote before each part between marks that would be a formula. */
const withoutFormulas = (text: string, mark: RegExp): string =>
  text
    .split(mark)
    .map(part => (FORMULA.test(part) ? `'${part}` : part))
    .join('');

/** A field without formulas, quoted where it has a separator, a quote or a line break. */
export function csvField(text: string): string {
  if (NUMBER.test(text)) return text;
  const shown = (/^[\t\r]/.test(text) ? "'" : '') + withoutFormulas(text, MARK_IN_FIELD);
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** A row of fields; one without a value is empty. */
export const csvRow = (cells: readonly (string | number | null | undefined)[]): string =>
  `${cells.map(cell => csvField(String(cell ?? ''))).join(',')}\r\n`;
