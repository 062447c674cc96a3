/** A book in three steps: the file, its columns with what is wrong in them, and what is computed of it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type FaultGroup, faultGroups, othersText } from '#src/tape/fault-groups.ts';
import type { TapeOptions } from '#src/tape/read-tape.ts';
import { noteSentences, unusedSentences } from '#src/tape/remarks.ts';
import { remedyText } from '#src/tape/remedies.ts';
import { formatIsoDate } from '#src/text/calendar-date.ts';
import { counted } from '#src/text/grouped.ts';
import { type BookFile, faultsCsv, type Sheets, tableOf } from '../book/book-file.ts';
import { choicesOf, filledColumn, withFilled, withoutHeadings } from '../book/tape-choices.ts';
import { FORM_WORDS } from '../book/tape-terms.ts';
import type { ValuedBook } from '../book/valued-book.ts';
import { save } from '../ui/chart.tsx';
import { type FormContext, SwitchField } from '../ui/fields.tsx';
import { whole } from '../ui/format.ts';
import { TapeFields } from './tape-fields.tsx';
import { TapePreview } from './tape-preview.tsx';

/** Kinds of faults that are shown. */
const MAX_KINDS = 20;

export function BookIntake(props: {
  readonly form: FormContext;
  onFile(file: File): void;
  onSample(): void;
  /** Absent where the file is no longer at hand. */
  readonly onSheet: ((name: string) => void) | undefined;
  readonly file: BookFile | undefined;
  readonly book: ValuedBook | undefined;
  readonly options: TapeOptions;
  readonly note: string;
  /** Whether figures of the book are shown, which then come first. */
  readonly isAnswered: boolean;
}) {
  const { form, file, book, options, note, isAnswered } = props;
  const skips = form.fields.skip === '1';
  // While the tape is read again with other terms, its faults stay, with what is typed beside them.
  const last = useRef({ file, book });
  if (book !== undefined || last.current.file !== file) last.current = { file, book };
  const shown = last.current.book;
  const faults = shown?.tape?.faults ?? [];
  const isStopped = faults.length > 0 && !skips;
  return (
    <details class="answer intake" open={!isAnswered || isStopped}>
      <summary class="intake-line">
        {file === undefined ? 'The book' : <FileLine file={file} book={book} />}
      </summary>
      <Step number={1} title="The file">
        <FileStep {...props} />
        {note !== '' && <p class="hint">{note}</p>}
      </Step>
      {file?.kind === 'tape' && (
        <Step number={2} title="The columns">
          <TapePreview form={form} table={tableOf(file)} options={options} faults={faults} />
          {faults.length > 0 && <Faults form={form} faults={faults} skips={skips} />}
          {factsOf(shown).map(fact => (
            <p class="hint" key={fact}>
              {fact}
            </p>
          ))}
          <TapeFields form={form} options={options} names={shown?.tape?.columns} />
        </Step>
      )}
      {file === undefined && (
        <Step number={2} title="The columns">
          <p class="hint">
            What each column of the tape is, in lists over its first rows. Cells at fault are marked, and a
            fault that is a question has its answers as buttons.
          </p>
        </Step>
      )}
      <Step number={3} title="The result">
        <p class="hint">
          {file === undefined || file.kind === 'unreadable'
            ? 'What the book can lose and must sell within a day, by asset and by loan, with its scenarios and a report for the committee.'
            : resultWords(book, isStopped, isAnswered)}
        </p>
      </Step>
    </details>
  );
}

function Step(props: { number: number; title: string; children: ComponentChildren }) {
  const { number, title, children } = props;
  return (
    <section class="step">
      <h3>
        <span class="step-number">{number}</span> {title}
      </h3>
      {children}
    </section>
  );
}

function resultWords(book: ValuedBook | undefined, isStopped: boolean, isAnswered: boolean): string {
  if (book === undefined) return 'The book is being valued.';
  if (isStopped)
    return 'Nothing is computed until the faults above are corrected, or the faulty loans left out.';
  if (isAnswered) return 'Its figures are below.';
  return `${counted(book.rows.length, 'loan')}: Compute follows all of them on the same paths.`;
}

function FileStep(props: Parameters<typeof BookIntake>[0]) {
  const { onFile, onSample, onSheet, file } = props;
  const [isOver, setOver] = useState(false);
  const take = useRef(onFile);
  take.current = onFile;
  // Anywhere on the view: beside the field the browser would open the file in place of the page.
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const dropped = event.dataTransfer?.files[0];
      if (dropped !== undefined) take.current(dropped);
    };
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', () => setOver(false), { signal });
    addEventListener('drop', drop, { signal });
    return () => ending.abort();
  }, []);
  const { sheets, sheet }: Sheets = file === undefined || file.kind === 'rows' ? {} : file;
  return (
    <>
      <div class={isOver ? 'drop over' : 'drop'}>
        <label for="field-file">
          Loan tape: drop a file anywhere on this page, or choose one{' '}
          <span class="hint">CSV, XLSX; JSON as in a request</span>
        </label>
        <input
          id="field-file"
          type="file"
          accept=".csv,.xlsx,.json,text/csv,application/json"
          onChange={event => {
            const chosen = event.currentTarget.files?.[0];
            if (chosen !== undefined) onFile(chosen);
          }}
        />
        <button type="button" class="quiet" onClick={onSample}>
          Use the sample tape
        </button>
      </div>
      {file === undefined && (
        <p class="hint">
          A row is a loan with its collateral; several rows of one id are several assets. Columns are found by
          their names, and the next step shows which is which. The file stays in this browser and is sent to
          this server only.
        </p>
      )}
      {sheets !== undefined && onSheet !== undefined && (
        <div class="field">
          <label for="field-sheet">Sheet</label>
          <select id="field-sheet" value={sheet} onChange={event => onSheet(event.currentTarget.value)}>
            {sheets.map(name => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      )}
      {file?.kind === 'unreadable' && (
        <p class="fault" role="alert">
          {file.name} cannot be read: {file.problem}
        </p>
      )}
    </>
  );
}

/** The book in a line: `tape.csv, sheet Loans: 198 loans, closes of 2024-06-30.` */
function FileLine({ file, book }: { file: BookFile; book: ValuedBook | undefined }) {
  if (file.kind === 'unreadable') return <>{file.name}</>;
  const { sheet }: Sheets = file.kind === 'rows' ? {} : file;
  return (
    <span role="status">
      {file.name}
      {sheet !== undefined && `, sheet ${sheet}`}:{' '}
      {book === undefined ? 'being valued' : counted(book.rows.length, 'loan')}
      {book?.tape !== undefined && `, closes of ${formatIsoDate(book.tape.asOf)}`}.
    </span>
  );
}

type TapeFaults = NonNullable<ValuedBook['tape']>['faults'];

function Faults(props: { form: FormContext; faults: TapeFaults; skips: boolean }) {
  const { form, faults, skips } = props;
  const groups = faultGroups(faults);
  return (
    <div class="faults-of-tape" role="alert">
      <p class="fault">
        {skips
          ? `Left out for their faults: ${whole(faultyLoans(faults))}.`
          : `Not computed until these are corrected, or left out: ${counted(faults.length, 'fault')}.`}
      </p>
      <ul class="faults">
        {groups.slice(0, MAX_KINDS).map(group => (
          <Fault key={group.kind} form={form} group={group} />
        ))}
        {groups.length > MAX_KINDS && <li>And {whole(groups.length - MAX_KINDS)} more kinds.</li>}
      </ul>
      <div class="weight-actions">
        <SwitchField form={form} name="skip" member="skip" label="Continue without faulty loans" />
        <button
          type="button"
          class="quiet"
          onClick={() => save('faults.csv', new Blob([faultsCsv(faults)], { type: 'text/csv' }))}
        >
          Save all {whole(faults.length)} faults as CSV
        </button>
      </div>
    </div>
  );
}

/** A kind of fault where it is first, with its remedy: buttons where it is a choice, words where the tape itself must be corrected. */
function Fault({ form, group }: { form: FormContext; group: FaultGroup }) {
  const { line, id, column, message, remedy } = group.first;
  const place = [
    line === undefined ? '' : `line ${line}`,
    id === undefined ? '' : `loan ${id}`,
    column ?? '',
  ].filter(Boolean);
  const choices = choicesOf(remedy, form.fields);
  const fills = filledColumn(remedy);
  return (
    <li>
      {place.length > 0 && <strong>{place.join(', ')}: </strong>}
      {message}
      {message.endsWith('?') ? '' : '.'} {othersText(group)}{' '}
      <span class="hint">{remedyText(withoutHeadings(remedy), FORM_WORDS)}</span>
      {(choices.length > 0 || fills !== undefined) && (
        <div class="weight-actions">
          {choices.map(({ label, set }) => (
            <button key={label} type="button" class="quiet" onClick={() => form.set(set)}>
              {label}
            </button>
          ))}
          {fills !== undefined && <FillAll form={form} column={fills} />}
        </div>
      )}
    </li>
  );
}

/** One value for all empty cells of a column. */
function FillAll({ form, column }: { form: FormContext; column: string }) {
  const [value, setValue] = useState('');
  return (
    <span class="fill-all">
      <input
        type="text"
        aria-label={`${column} of all loans without one`}
        placeholder={`${column} of all`}
        value={value}
        onInput={event => setValue(event.currentTarget.value)}
      />
      <button
        type="button"
        class="quiet"
        disabled={value.trim() === ''}
        onClick={() => form.set(withFilled(form.fields, column, value))}
      >
        Set
      </button>
    </span>
  );
}

/** What the tape says twice and differently, decisions on its loans, unused columns. */
const factsOf = ({ tape }: Partial<ValuedBook> = {}): readonly string[] =>
  tape === undefined ? [] : [...tape.remarks, ...noteSentences(tape.notes), ...unusedSentences(tape.notUsed)];

const faultyLoans = (faults: readonly { readonly id?: string; readonly line?: number }[]) =>
  new Set(faults.map(({ id, line }) => id ?? `line ${line}`)).size;
