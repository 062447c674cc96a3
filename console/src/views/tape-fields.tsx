/** How a tape is written, where its cells and names do not say it. */
import { useState } from 'preact/hooks';
import { columnsFileText } from '#src/tape/columns-file.ts';
import type { TapeOptions } from '#src/tape/read-tape.ts';
import { fieldsOfFile } from '../book/tape-terms.ts';
import { save } from '../ui/chart.tsx';
import { ChoiceField, type FormContext, NumberField, TextField } from '../ui/fields.tsx';
import { Folded } from '../ui/form-panel.tsx';

const NAMES = ['dates', 'decimal', 'columns', 'headerRow', 'smallestUnits', 'accept', 'empty'];

export function TapeFields(props: {
  readonly form: FormContext;
  readonly options: TapeOptions;
  /** Names in the tape of the columns that were found. */
  readonly names: TapeOptions['columns'];
}) {
  const { form, options, names } = props;
  const { fields, faults } = form;
  const [problem, setProblem] = useState('');
  const set = NAMES.filter(name => (fields[name] ?? '') !== '').length;
  const readFile = async (file: File) => {
    const read = fieldsOfFile(await file.text());
    if ('fields' in read) form.set(read.fields);
    setProblem('fields' in read ? '' : `${file.name}: ${read.faults.join('; ')}`);
  };
  return (
    <Folded
      title="How the tape is written"
      note={set > 0 ? `${set} set` : 'dates, decimals, names of columns, empty cells'}
      open={faults.some(({ path }) => path.startsWith('query.'))}
    >
      <div class="grid-3">
        <ChoiceField
          form={form}
          name="dates"
          member="query.dates"
          label="Dates"
          choices={[
            ['', 'automatic'],
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
            ['', 'automatic'],
            ['point', 'point: 1,000.5'],
            ['comma', 'comma: 1.000,5'],
          ]}
        />
        <div class="spread">
          <TextField
            form={form}
            name="columns"
            member="query.columns"
            label="Names of columns"
            hint="their name=ours, with commas between"
            placeholder="Nr=loan_id, Betrag=loan_amount, Desk=-"
          />
        </div>
        <NumberField
          form={form}
          name="headerRow"
          member="query.header_row"
          label="Line of the names"
          hint="where it is not found"
          kind="whole"
        />
        <TextField
          form={form}
          name="smallestUnits"
          member="query.smallest_units"
          label="Smallest units"
          hint="columns in wei or satoshi"
        />
        <TextField
          form={form}
          name="accept"
          member="query.accept"
          label="Right loans"
          hint="ids of loans that look wrong, with commas between"
        />
        <div class="spread">
          <button
            type="button"
            class="quiet"
            onClick={() =>
              save('columns.json', new Blob([columnsFileText(options, names)], { type: 'application/json' }))
            }
          >
            Save names of columns
          </button>
          <label class="quiet" for="field-columns-file">
            Names of columns from a file
          </label>
          <input
            id="field-columns-file"
            type="file"
            accept=".json,application/json"
            onChange={event => {
              const chosen = event.currentTarget.files?.[0];
              if (chosen !== undefined) void readFile(chosen);
            }}
          />
          {problem !== '' && <p class="fault">{problem}</p>}
        </div>
        <div class="spread">
          <TextField
            form={form}
            name="empty"
            member="query.default"
            label="Empty cells"
            hint="column=value for loans without one, with commas between"
            placeholder="grace_hours=24, loan_asset=USD"
          />
        </div>
      </div>
    </Folded>
  );
}
