/** Where a file with a book is chosen or dropped, and what is wrong with it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { faultGroups, othersText } from '#src/tape/fault-groups.ts';
import { noteSentences, unusedSentences } from '#src/tape/remarks.ts';
import { remedyText } from '#src/tape/remedies.ts';
import { formatIsoDate } from '#src/text/calendar-date.ts';
import { counted } from '#src/text/grouped.ts';
import { type BookFile, faultsCsv, type Sheets } from '../book/book-file.ts';
import { FORM_WORDS } from '../book/tape-terms.ts';
import type { ValuedBook } from '../book/valued-book.ts';
import { save } from '../ui/chart.tsx';
import { whole } from '../ui/format.ts';

/** Kinds of faults that are shown. */
const MAX_KINDS = 20;

export function BookInput(props: {
  onFile(file: File): void;
  onSample(): void;
  /** Absent where the file is no longer at hand. */
  readonly onSheet: ((name: string) => void) | undefined;
  readonly file: BookFile | undefined;
  readonly book: ValuedBook | undefined;
  /** Whether faulty loans are left out. */
  readonly skips: boolean;
  readonly note: string;
}) {
  const { onFile, onSample, onSheet, file, book, skips, note } = props;
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
  const faults = book?.tape?.faults ?? [];
  const facts = factsOf(book);
  const groups = faultGroups(faults);
  const { sheets, sheet }: Sheets = file === undefined || file.kind === 'rows' ? {} : file;
  return (
    <div class="field">
      <label class={isOver ? 'drop over' : 'drop'} for="field-file">
        Loan tape: drop a file, or choose one <span class="hint">CSV, XLSX; JSON as in a request</span>
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
      <p class="hint">
        Columns by name or a usual synonym: loan_id, borrower, collateral_asset, collateral_amount,
        loan_asset, loan_amount, margin_call_ltv, liquidation_ltv, grace_hours, and more. Several rows of one
        id are several assets.
      </p>
      <button type="button" class="quiet" onClick={onSample}>
        Use the sample tape
      </button>
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
      {file !== undefined && file.kind !== 'unreadable' && (
        <p role="status">
          {file.name}
          {sheet !== undefined && `, sheet ${sheet}`}:{' '}
          {book === undefined ? 'being valued' : counted(book.rows.length, 'loan')}
          {book?.tape !== undefined && `, closes of ${lastDay(book)}`}.
        </p>
      )}
      {faults.length > 0 && (
        <div class="faults-of-tape" role="alert">
          <p class="fault">
            {skips
              ? `Left out for their faults: ${whole(faultyLoans(faults))}.`
              : `Not computed until these are corrected, or left out: ${counted(faults.length, 'fault')}.`}
          </p>
          <ul class="faults">
            {groups.slice(0, MAX_KINDS).map(group => {
              const { line, id, column, message, remedy } = group.first;
              const place = [
                line === undefined ? '' : `line ${line}`,
                id === undefined ? '' : `loan ${id}`,
                column ?? '',
              ].filter(Boolean);
              return (
                <li key={`${line} ${column} ${message}`}>
                  {place.length > 0 && <strong>{place.join(', ')}: </strong>}
                  {message}
                  {message.endsWith('?') ? '' : '.'} {othersText(group)}{' '}
                  <span class="hint">{remedyText(remedy, FORM_WORDS)}</span>
                </li>
              );
            })}
            {groups.length > MAX_KINDS && <li>And {whole(groups.length - MAX_KINDS)} more kinds.</li>}
          </ul>
          <button
            type="button"
            class="quiet"
            onClick={() => save('faults.csv', new Blob([faultsCsv(faults)], { type: 'text/csv' }))}
          >
            Save all {whole(faults.length)} faults as CSV
          </button>
        </div>
      )}
      {facts.map(fact => (
        <p class="hint" key={fact}>
          {fact}
        </p>
      ))}
      {note !== '' && <p class="hint">{note}</p>}
    </div>
  );
}

/** What the tape says twice and differently, decisions on its loans, unused columns. */
const factsOf = ({ tape }: Partial<ValuedBook> = {}): readonly string[] =>
  tape === undefined ? [] : [...tape.remarks, ...noteSentences(tape.notes), ...unusedSentences(tape.notUsed)];

const faultyLoans = (faults: readonly { readonly id?: string; readonly line?: number }[]) =>
  new Set(faults.map(({ id, line }) => id ?? `line ${line}`)).size;

/** `2026-11-22` */
const lastDay = ({ tape }: ValuedBook) => (tape === undefined ? '' : formatIsoDate(tape.asOf));
