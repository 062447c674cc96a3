/**
 * A book of loans from a file: JSON as `/book_risk` takes it, or CSV with one loan a row.
 *
 * Takes: the text of a file and its name. Gives: loans as the request carries them, or every problem with its line.
 * Baskets in CSV are `BTC:0.6;ETH:0.4`; a symbol alone has weight 1.
 */
import Papa from 'papaparse';

export interface BookFile {
  readonly loans: readonly Readonly<Record<string, unknown>>[];
  readonly problems: readonly string[];
}

const NUMBERS = ['loan_value', 'N', 'M', 'L', 'R', 'loan_duration', 'mc_top_up'] as const;
const BASKETS = ['collateral_weights', 'loan_weights'] as const;
/** Problems shown at once. */
const MOST_PROBLEMS = 20;

/** Reads a file by the ending of its name. */
export function readBook(name: string, text: string): BookFile {
  return /\.json$/i.test(name) ? readJson(text) : readCsv(text);
}

function readJson(text: string): BookFile {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    return { loans: [], problems: [error instanceof Error ? error.message : String(error)] };
  }
  const inner = (read as { params?: { loans?: unknown }; loans?: unknown } | null) ?? {};
  const loans = Array.isArray(read) ? read : (inner.params?.loans ?? inner.loans);
  return Array.isArray(loans)
    ? { loans, problems: [] }
    : {
        loans: [],
        problems: ['The file holds no list of loans: an array, { "loans": [...] }, or a request.'],
      };
}

function readCsv(text: string): BookFile {
  const { data, meta, errors } = Papa.parse<Record<string, string>>(text.trim(), {
    header: true,
    skipEmptyLines: true,
    transformHeader: header => header.trim(),
  });
  const wanted = ['id', ...BASKETS, ...NUMBERS];
  const missing = wanted.filter(column => !(meta.fields ?? []).includes(column));
  const problems = [
    ...(missing.length > 0 ? [`Columns are missing: ${missing.join(', ')}.`] : []),
    ...errors.map(({ row, message }) => `Row ${(row ?? 0) + 2}: ${message}.`),
  ];
  if (problems.length > 0) return { loans: [], problems: problems.slice(0, MOST_PROBLEMS) };
  const loans = data.map((row, index) => ({
    id: row.id,
    ...Object.fromEntries(
      BASKETS.map(name => [name, basketOf(row[name], `Row ${index + 2}, ${name}`, problems)]),
    ),
    ...Object.fromEntries(
      NUMBERS.map(name => {
        const value = Number(row[name]);
        if (row[name].trim() === '' || !Number.isFinite(value))
          problems.push(`Row ${index + 2}, ${name}: ${JSON.stringify(row[name])} is no number.`);
        return [name, value];
      }),
    ),
  }));
  return problems.length > 0
    ? { loans: [], problems: problems.slice(0, MOST_PROBLEMS) }
    : { loans, problems };
}

function basketOf(text: string, place: string, problems: string[]): Record<string, number> {
  const entries = text.split(';').map(part => {
    const [symbol = '', weight = '1'] = part.split(':', 2).map(piece => piece.trim());
    const value = Number(weight);
    if (symbol === '' || !Number.isFinite(value))
      problems.push(`${place}: ${JSON.stringify(part)} is no symbol with a weight.`);
    return [symbol, value] as const;
  });
  return Object.fromEntries(entries);
}

/** The figures of every loan as CSV, a loan a row. */
export function loansCsv(loans: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string {
  const rows = Object.entries(loans).map(([id, figures]) => ({
    id,
    ...Object.fromEntries(Object.entries(figures).filter(([, value]) => typeof value === 'number')),
    ...Object.fromEntries(
      Object.entries((figures.CVarContribution ?? {}) as Readonly<Record<string, number>>).map(
        ([quantile, value]) => [`CVarContribution ${quantile}`, value],
      ),
    ),
  }));
  return `${Papa.unparse(rows)}\n`;
}
