/** Tables and numbers as people read them. */

/** A Markdown table, its columns padded; a short row is filled with empty cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map(row => head.map((_, column) => row[column] ?? ''));
  const widths = head.map((_, column) => Math.max(3, ...cells.map(row => row[column].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = widths.map(width => '-'.repeat(width));
  return [line(cells[0]), line(rule), ...cells.slice(1).map(line)].join('\n');
}

/** Milliseconds to three significant digits. */
export function milliseconds(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3);
}

/** A rate in millions or thousands of millions. */
export function rate(perSecond: number): string {
  if (perSecond >= 1e10) return `${(perSecond / 1e9).toFixed(1)} G`;
  if (perSecond >= 1e9) return `${(perSecond / 1e9).toFixed(2)} G`;
  return `${(perSecond / 1e6).toFixed(perSecond >= 1e8 ? 0 : 1)} M`;
}

/** A whole number with commas. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}
