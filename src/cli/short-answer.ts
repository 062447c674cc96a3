/**
 * An answer as a short text: figures with units and intervals, warnings, and how they were made.
 *
 * Takes: the body of an answer and its schema in openapi.json. Must not know: what is asked.
 */

/** A schema of openapi.json. */
export type Schema = Readonly<Record<string, unknown>> & {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema | boolean;
  readonly required?: readonly string[];
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
};

/** A schema without its reference. */
export type Resolve = (schema: Schema) => Schema;

/** Most lines of an answer: a reader of tools has a short memory. */
const MAX_LINES = 120;
/** Most rows of a table of loans in it. */
const MAX_ROWS = 10;

/** The body of an answer. */
export interface AnswerBody {
  readonly Output?: Members;
  readonly Results?: Members;
  readonly Arguments: Members;
  readonly Accuracy?: {
    readonly level: number;
    readonly of: string;
    readonly scenarios: number;
    readonly figures: Members;
  };
  readonly Warnings?: readonly { readonly code: string; readonly message: string }[];
  readonly 'Risk engine version': string;
}
type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const rounded = (value: unknown): string =>
  typeof value === 'number' && !Number.isInteger(value)
    ? String(Number(value.toPrecision(6)))
    : String(value);

/** Figures with units and intervals, warnings, and how they were made. */
export function shortAnswer(
  path: string,
  answer: AnswerBody,
  schema: Schema,
  resolved: Resolve,
  seed: number,
): string {
  const result = answer.Output ?? answer.Results ?? {};
  const member = answer.Output === undefined ? 'Results' : 'Output';
  const accuracy = answer.Accuracy;
  const lines: string[] = [];
  const walk = (
    names: readonly string[],
    value: unknown,
    of: Schema | undefined,
    interval: unknown,
  ): void => {
    if (isMembers(value)) {
      const rows = Object.entries(value);
      const shown = names.at(-1) === 'Loans' || names.at(-1) === 'Borrowers' ? largest(rows) : rows;
      for (const [name, each] of shown)
        walk(
          [...names, name],
          each,
          of && memberOf(of, name, resolved),
          isMembers(interval) ? interval[name] : undefined,
        );
      if (shown.length < rows.length)
        lines.push(`${names.join('.')}: ${rows.length - shown.length} more with smaller losses`);
      return;
    }
    if (Array.isArray(value)) {
      lines.push(`${names.join('.')}: ${value.length} values`);
      return;
    }
    const unit = [undefined, 'none'].includes(of?.['x-unit'] as string) ? '' : ` ${String(of?.['x-unit'])}`;
    const range =
      isMembers(interval) && typeof interval.low === 'number'
        ? `, ${100 * (accuracy?.level ?? 0.95)} % interval ${rounded(interval.low)} to ${rounded(interval.high)}`
        : '';
    lines.push(`${names.join('.')}: ${rounded(value)}${unit}${range}`);
  };
  // The book before its loans.
  const entries = Object.entries(result).sort(([a], [b]) => Number(a === 'Loans') - Number(b === 'Loans'));
  const ofResult = memberOf(schema, member, resolved);
  for (const [name, value] of entries)
    walk([name], value, ofResult && memberOf(ofResult, name, resolved), accuracy?.figures[name]);
  const more = lines.length - MAX_LINES;
  const warnings = (answer.Warnings ?? []).map(({ code, message }) => `Warning ${code}: ${message}`);
  return [
    `${path}: seed ${seed}${accuracy === undefined ? '' : `, ${accuracy.scenarios} scenarios`}, engine ${answer['Risk engine version']}`,
    ...warnings,
    ...lines.slice(0, MAX_LINES),
    ...(more > 0 ? [`${more} more figures are not shown; POST ${path} has them all.`] : []),
  ].join('\n');
}

/** Rows with the largest expected losses. */
const largest = (rows: readonly (readonly [string, unknown])[]) => {
  const loss = (row: unknown) =>
    isMembers(row) && typeof row.ExpectedLoss === 'number' ? row.ExpectedLoss : 0;
  return [...rows].sort(([, a], [, b]) => loss(b) - loss(a)).slice(0, MAX_ROWS);
};

/** The schema of a member; a map has one for all. */
function memberOf(schema: Schema, name: string, resolved: Resolve): Schema | undefined {
  const { properties, additionalProperties, patternProperties, anyOf, oneOf } = resolved(schema);
  const own = properties?.[name];
  if (own !== undefined) return resolved(own);
  for (const form of anyOf ?? oneOf ?? []) {
    const found = memberOf(form, name, resolved);
    if (found !== undefined) return found;
  }
  for (const [pattern, each] of Object.entries(patternProperties ?? {}))
    if (new RegExp(pattern, 'u').test(name)) return resolved(each);
  return typeof additionalProperties === 'object' ? resolved(additionalProperties) : undefined;
}
