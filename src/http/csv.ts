/**
 * An answer as flat rows, for spreadsheets: one row per value, RFC 4180.
 *
 * Takes: the members of an answer. Gives: text with the columns member, key1, key2, key3, value. Must not know: any operation.
 */

const COLUMNS = ['member', 'key1', 'key2', 'key3', 'value'];
/** Names of a value: the member and three keys; what lies deeper has its names joined with dots in the last of them. */
const KEYS = COLUMNS.length - 1;

/** Rows of an object, in the order of its members. */
export function csvText(answer: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(answer).flatMap(([name, value]) => rowsOf([name], value));
  return [COLUMNS, ...rows].map(row => `${row.map(field).join(',')}\r\n`).join('');
}

function rowsOf(names: readonly string[], value: unknown): string[][] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) => rowsOf([...names, name], member));
  const keys = names.length <= KEYS ? names : [...names.slice(0, KEYS - 1), names.slice(KEYS - 1).join('.')];
  const empty = Array.from({ length: KEYS - keys.length }, () => '');
  return [[...keys, ...empty, value === null ? '' : String(value)]];
}

/** A field, quoted where it holds a separator, a quote or a line break. */
const field = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
