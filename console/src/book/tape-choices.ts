/**
 * Remedies of a tape as what a click does: each choice is a change of the fields of the form.
 *
 * Takes: a remedy, the fields. Gives: choices with their words, and the column whose empty cells may take a value. Must not know: the page.
 */
import { NOT_USED, type TapeColumn } from '#src/tape/columns.ts';
import type { OptionRemedy, Remedy } from '#src/tape/remedies.ts';
import type { Fields } from '../state/address.ts';
import { inPlainWords, listOf, NO_PROPOSAL, withUnit } from './tape-terms.ts';

export interface Choice {
  readonly label: string;
  readonly set: Fields;
}

/** A heading in the list of names, whose marks are comma and equals sign: a name is found without its marks. */
const nameIn = (heading: string) => heading.replaceAll(/[,=]/g, ' ').trim();

const pairsOf = (fields: Fields) =>
  listOf(fields.columns).map(pair => {
    const at = pair.lastIndexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });

/** The fields with another meaning of a heading. @param column ours, or `-` where it is not used */
export function withColumn(fields: Fields, heading: string, column: string): Fields {
  const name = nameIn(heading);
  const others = pairsOf(fields).filter(
    ([theirs, ours]) => theirs !== name && (ours !== column || column === NOT_USED),
  );
  return { columns: [...others, [name, column]].map(pair => pair.join('=')).join(',') };
}

const added = (list: string | undefined, words: readonly string[]) =>
  [...new Set([...listOf(list), ...words])].join(',');

/** The fields with a value for the empty cells of a column. */
export const withFilled = (fields: Fields, column: string, value: string): Fields => ({
  empty: [
    ...listOf(fields.empty).filter(pair => !pair.startsWith(`${column}=`)),
    `${column}=${value.trim()}`,
  ].join(','),
});

const DATES: readonly Choice[] = [
  { label: 'day.month.year', set: { dates: 'dmy' } },
  { label: 'month/day/year', set: { dates: 'mdy' } },
];
const COMMA: Choice = { label: 'Decimal comma', set: { decimal: 'comma' } };
const POINT: Choice = { label: 'Decimal point', set: { decimal: 'point' } };

/** `Qty=collateral_amount` as a choice. */
const named = (fields: Fields, pair: string, label?: string): Choice => {
  const at = pair.lastIndexOf('=');
  const [heading, column] = [pair.slice(0, at), pair.slice(at + 1)];
  return { label: label ?? inPlainWords(pair), set: withColumn(fields, heading, column) };
};

/** A proposal that names a heading of the tape. */
const proposed = (fields: Fields, pair: string) =>
  pair.startsWith(`${NO_PROPOSAL}=`) ? [] : [named(fields, pair)];

function united(fields: Fields, columns: readonly string[], unit: string, label: string): Choice {
  let set: Fields = {};
  for (const column of columns) set = withUnit({ ...fields, ...set }, column as TapeColumn, unit);
  return { label, set };
}

const CHOICES: Readonly<
  Record<OptionRemedy['kind'], (fields: Fields, ...values: string[]) => readonly Choice[]>
> = {
  dates: () => DATES,
  dayFirst: () => DATES,
  decimal: () => [POINT, COMMA],
  ratios: (fields, columns) => [
    united(fields, columns.split(' '), 'ratios', 'They are collateral over loan'),
  ],
  headerRow: () => [],
  accept: (fields, id) => [{ label: `${id} is right`, set: { accept: added(fields.accept, [id]) } }],
  smallestUnits: (fields, columns) => [
    {
      label: 'Smallest units, such as wei',
      set: { smallestUnits: added(fields.smallestUnits, columns.split(' ')) },
    },
  ],
  points: () => [COMMA],
  commas: () => [POINT, COMMA],
  mark: () => [COMMA],
  percent: (fields, column) => [united(fields, [column], 'percent', `${column} is in per cent`)],
  fractions: (fields, column) => [united(fields, [column], 'fractions', `${column} has fractions`)],
  nameColumn: proposed,
  nameOrFill: proposed,
  chooseColumn: (fields, ...pairs) => pairs.map(pair => named(fields, pair)),
  chooseDebt: (fields, accrued, ...pairs) => [
    ...pairs.map(pair => named(fields, pair)),
    ...(accrued === ''
      ? []
      : [
          {
            label: 'The first, with the interest',
            set: withColumn({ ...fields, ...named(fields, pairs[0]).set }, accrued, 'accrued_interest'),
          },
        ]),
  ],
  addInterest: (fields, accrued) => [
    named(fields, `${accrued}=accrued_interest`, 'With the interest'),
    named(fields, `${accrued}=${NOT_USED}`, 'The debt alone'),
  ],
  useColumn: (fields, name, column) => [
    named(fields, `${name}=${column}`),
    named(fields, `${name}=${NOT_USED}`, 'It is another thing'),
  ],
  writeOrFill: () => [],
  newerData: () => [],
  importHistory: () => [],
  joinHistory: () => [],
  importPrices: () => [],
};

/** What can be chosen; nothing where the tape itself must be corrected. */
export const choicesOf = (remedy: Remedy, fields: Fields): readonly Choice[] =>
  typeof remedy === 'string' ? [] : CHOICES[remedy.kind](fields, ...remedy.values);

/** The remedy without the list of all headings, which the table of the columns shows. */
export const withoutHeadings = (remedy: Remedy): Remedy =>
  typeof remedy !== 'string' && /^name(Column|OrFill)$/.test(remedy.kind)
    ? { ...remedy, values: remedy.values.map((value, k) => (k === 1 ? '' : value)) }
    : remedy;

/** The column whose empty cells may all take one value. */
export function filledColumn(remedy: Remedy): string | undefined {
  if (typeof remedy === 'string') return undefined;
  if (remedy.kind === 'writeOrFill') return remedy.values[0];
  return remedy.kind === 'nameOrFill' ? remedy.values[2] : undefined;
}
