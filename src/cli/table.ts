/** A plain table for a terminal. */

/**
 * Columns as wide as their widest entry, two spaces apart, under their names.
 *
 * @param firstNumber from this column on, entries are numbers and stand to the right
 */
export function formatTable(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  firstNumber: number,
): string {
  const widths = names.map((name, i) => Math.max(name.length, ...rows.map(row => row[i].length)));
  return [names, ...rows]
    .map(row =>
      row
        .map((text, i) => (i < firstNumber ? text.padEnd(widths[i]) : text.padStart(widths[i])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
