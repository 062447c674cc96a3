/** How a tape is written, and how long its loans are followed. */
import type { TapeOptions } from '#src/tape/read-tape.ts';
import { fractionColumns, unitOf, withUnit } from '../book/tape-terms.ts';
import { ChoiceField, type FormContext, TextField } from '../ui/fields.tsx';

/** Choices of a column of LTVs, rates or shares. */
const UNITS = [
  ['', 'as its name and cells say'],
  ['percent', 'per cent: 80'],
  ['fractions', 'fractions: 0.8'],
] as const;

export function TapeFields(props: {
  readonly form: FormContext;
  readonly header: readonly string[];
  readonly columns: TapeOptions['columns'];
}) {
  const { form, header, columns } = props;
  const { fields } = form;
  const found = fractionColumns(header, columns);
  const set = ['percent', 'fractions', 'columns', 'empty'].filter(name => (fields[name] ?? '') !== '').length;
  return (
    <>
      <div class="grid-2">
        <TextField form={form} name="horizon" member="query.days" label="Followed for" hint="days at most" />
        <ChoiceField
          form={form}
          name="dates"
          member="query.dates"
          label="Dates"
          choices={[
            ['', 'year first'],
            ['dmy', 'day.month.year'],
            ['mdy', 'month/day/year'],
          ]}
        />
        <ChoiceField
          form={form}
          name="decimal"
          member="query.decimal"
          label="Decimals"
          choices={[
            ['', 'point: 1,000.5'],
            ['comma', 'comma: 1.000,5'],
          ]}
        />
      </div>
      <details class="more" open={set > 0}>
        <summary>Per cent or fractions, names of columns, empty cells{set > 0 ? ` (${set})` : ''}</summary>
        <div class="grid-2">
          {found.map(({ column, name }) => (
            <ChoiceField
              key={column}
              form={{
                ...form,
                fields: { [column]: unitOf(fields, column) },
                set: changed => form.set(withUnit(fields, column, changed[column] ?? '')),
              }}
              name={column}
              member={`query.${column}`}
              label={name}
              {...(name === column ? {} : { hint: column })}
              choices={UNITS}
            />
          ))}
          <div class="spread">
            <TextField
              form={form}
              name="columns"
              member="query.columns"
              label="Names of columns"
              hint="their name=ours, with commas between"
              numeric={false}
              placeholder="Nr=loan_id, Betrag=loan_amount"
            />
          </div>
          <div class="spread">
            <TextField
              form={form}
              name="empty"
              member="query.default"
              label="Empty cells"
              hint="column=value for loans without one, with commas between"
              numeric={false}
              placeholder="grace_hours=24, loan_asset=USD"
            />
          </div>
        </div>
      </details>
    </>
  );
}
