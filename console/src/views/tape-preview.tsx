/** The first rows of a tape and those with faults, under a pick list over each column; cells at fault are marked. */
import {
  isTapeColumn,
  NOT_USED,
  TAPE_COLUMN_NAMES,
  TAPE_COLUMNS,
  type TapeColumn,
} from '#src/tape/columns.ts';
import { findColumns } from '#src/tape/find-columns.ts';
import { headedTable } from '#src/tape/header.ts';
import type { TapeOptions } from '#src/tape/read-tape.ts';
import type { TapeTable } from '#src/tape/tables.ts';
import type { TapeFault } from '#src/tape/tape.ts';
import { withColumn } from '../book/tape-choices.ts';
import { unitOf, withUnit } from '../book/tape-terms.ts';
import type { FormContext } from '../ui/fields.tsx';
import { Scroll } from '../ui/scroll.tsx';

/** Rows that are shown from the top, and more of those with faults. */
const FIRST_ROWS = 4;
const FAULTY_ROWS = 6;

/** Choices of a column of LTVs, rates or shares. */
const UNITS = [
  ['', 'unit: automatic'],
  ['percent', 'per cent: 80'],
  ['fractions', 'fractions: 0.8'],
  ['ratios', 'collateral over loan: 1.25'],
] as const;

export function TapePreview(props: {
  readonly form: FormContext;
  readonly table: TapeTable;
  readonly options: TapeOptions;
  readonly faults: readonly TapeFault[];
}) {
  const { form, table, options, faults } = props;
  const { header, rows, lineOf } = headedTable(table, options, options.headerRow);
  const filled = new Set(Object.keys(options.defaults ?? {}) as TapeColumn[]);
  const { index } = findColumns(header, options, filled, at => rows.map(row => row[at]));
  const columnAt = new Map([...index].map(([column, at]) => [at, column]));
  const wrong = new Map<string, string>();
  for (const { line = 0, column, message } of faults) {
    const at = column !== undefined && isTapeColumn(column) ? index.get(column) : undefined;
    // A fault of a whole column marks its heading.
    if (at !== undefined) wrong.set(`${line} ${at}`, message);
  }
  const lines = new Set(faults.map(({ line }) => line));
  const places = rows.map((_, k) => k);
  const below = places.slice(FIRST_ROWS).filter(k => lines.has(lineOf(k)));
  const shown = [...places.slice(0, FIRST_ROWS), ...below.slice(0, FAULTY_ROWS)];
  return (
    <Scroll label="Columns of the tape">
      <table class="figures preview">
        <thead>
          <tr>
            <th scope="col">Line</th>
            {header.map((name, at) => (
              <th
                scope="col"
                key={at}
                class={wrong.has(`0 ${at}`) ? 'at-fault' : ''}
                title={wrong.get(`0 ${at}`)}
              >
                <span class="heading">{name}</span>
                <Meaning form={form} heading={name} column={columnAt.get(at)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(k => (
            <tr key={k}>
              <th scope="row">{lineOf(k)}</th>
              {header.map((_, at) => {
                const fault = wrong.get(`${lineOf(k)} ${at}`);
                return (
                  <td key={at} class={fault === undefined ? 'text' : 'text at-fault'} title={fault}>
                    {String(rows[k][at] ?? '')}
                    {fault !== undefined && <span class="visually-hidden">: {fault}</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** What a column is, and the unit of one of LTVs, rates or shares. */
function Meaning(props: { form: FormContext; heading: string; column: TapeColumn | undefined }) {
  const { form, heading, column } = props;
  const { fields } = form;
  return (
    <>
      <select
        class="pick"
        aria-label={`${heading} is`}
        value={column ?? NOT_USED}
        onChange={event => form.set(withColumn(fields, heading, event.currentTarget.value))}
      >
        <option value={NOT_USED}>not used</option>
        {TAPE_COLUMN_NAMES.map(name => (
          <option key={name} value={name}>
            {name.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
      {column !== undefined && TAPE_COLUMNS[column].kind === 'fraction' && (
        <select
          class="pick"
          id={`field-${column}`}
          aria-label={`Unit of ${heading}`}
          value={unitOf(fields, column)}
          onChange={event => form.set(withUnit(fields, column, event.currentTarget.value))}
        >
          {UNITS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </>
  );
}
