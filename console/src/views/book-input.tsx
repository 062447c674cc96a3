/** Where a file with a book is chosen or dropped, and what is wrong with it. */
import { useState } from 'preact/hooks';
import { formatIsoDate } from '../../../src/calendar-date.ts';
import { TAPE_NOTES } from '../../../src/tape/book-rows.ts';
import type { BookFile } from '../book/book-file.ts';
import type { ValuedBook } from '../book/valued-book.ts';
import { whole } from '../ui/format.ts';

/** Faults that are shown. */
const MAX_FAULTS = 20;

export function BookInput(props: {
  onFile(file: File): void;
  onSample(): void;
  readonly file: BookFile | undefined;
  readonly book: ValuedBook | undefined;
  /** Whether faulty loans are left out. */
  readonly skips: boolean;
  readonly note: string;
}) {
  const { onFile, onSample, file, book, skips, note } = props;
  const [isOver, setOver] = useState(false);
  const faults = book?.tape?.faults ?? [];
  return (
    <div class="field">
      <label
        class={isOver ? 'drop over' : 'drop'}
        for="field-file"
        onDragOver={event => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={event => {
          event.preventDefault();
          setOver(false);
          const dropped = event.dataTransfer?.files[0];
          if (dropped !== undefined) onFile(dropped);
        }}
      >
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
      {file?.kind === 'unreadable' && (
        <p class="fault" role="alert">
          {file.name} cannot be read: {file.problem}
        </p>
      )}
      {file !== undefined && file.kind !== 'unreadable' && (
        <p role="status">
          {file.name}: {book === undefined ? 'being valued' : `${whole(book.rows.length)} loans`}
          {book?.tape !== undefined && `, closes of ${lastDay(book)}`}.
        </p>
      )}
      {faults.length > 0 && (
        <div class="faults-of-tape" role="alert">
          <p class="fault">
            {skips
              ? `Left out for their faults: ${whole(faultyLoans(faults))}.`
              : `Not computed until these are corrected, or left out: ${whole(faults.length)} faults.`}
          </p>
          <ul class="faults">
            {faults.slice(0, MAX_FAULTS).map(({ line, id, column, message, remedy }) => (
              <li key={`${line} ${column} ${message}`}>
                <strong>
                  {[
                    line === undefined ? '' : `line ${line}`,
                    id === undefined ? '' : `loan ${id}`,
                    column ?? '',
                  ]
                    .filter(Boolean)
                    .join(', ')}
                  :
                </strong>{' '}
                {message}. <span class="hint">{remedy}</span>
              </li>
            ))}
            {faults.length > MAX_FAULTS && <li>And {whole(faults.length - MAX_FAULTS)} more.</li>}
          </ul>
        </div>
      )}
      {(book?.tape?.remarks ?? []).map(remark => (
        <p class="hint" key={remark}>
          {remark}
        </p>
      ))}
      {[...(book?.tape?.notes ?? [])].map(([note, ids]) => (
        <p class="hint" key={note}>
          {whole(ids.length)} {ids.length === 1 ? 'loan' : 'loans'} {TAPE_NOTES[note]}
        </p>
      ))}
      {note !== '' && <p class="hint">{note}</p>}
    </div>
  );
}

const faultyLoans = (faults: readonly { readonly id?: string; readonly line?: number }[]) =>
  new Set(faults.map(({ id, line }) => id ?? `line ${line}`)).size;

/** `2026-11-22` */
const lastDay = ({ tape }: ValuedBook) => (tape === undefined ? '' : formatIsoDate(tape.asOf));
