/** The report of a tape, made in the page and saved as one file. */

import { useSignal } from '@preact/signals';
import { messageOf } from '#core/errors.ts';
import { USUAL } from '#core/figures/usual.ts';
import type { ValuedTape } from '#src/desk/value-tape.ts';
import { type BookFile, sheetArguments } from '../book/book-file.ts';
import { makeReport } from '../book/report.ts';
import { tapeArguments } from '../book/tape-terms.ts';
import type { Fields } from '../state/address.ts';
import { marketName } from '../state/server.ts';
import { save } from '../ui/chart.tsx';
import { numberOf, numbersOf } from '../ui/typed-numbers.ts';
import { reportLevels } from '../words/book.ts';

/** Most paths of each methodology in a report. */
const MAX_PATHS = USUAL.paths;

/** Sentences on what the form has and the report does not. */
const notTaken = ({ fall = '0', shock = '0' }: Fields): readonly string[] => [
  ...(Number(fall) === 0
    ? []
    : ['The change of prices of the form is not in this report: prices are those of the closes.']),
  ...(Number(shock) === 0 ? [] : ['The shock of volatilities of the form is not in this report.']),
];

export function ReportButton(props: {
  readonly tape: ValuedTape;
  readonly file: BookFile;
  readonly fields: Fields;
  readonly answer: { readonly 'Risk engine version': string };
}) {
  const { tape, file, fields, answer } = props;
  const note = useSignal('');
  const busy = useSignal(false);
  const make = async () => {
    busy.value = true;
    try {
      const text = await makeReport(
        tape,
        {
          file: file.name,
          types: [fields.type, ...USUAL.types.filter(type => type !== fields.type)],
          lookbackDays: Number(numberOf(fields.lookback)),
          paths: Math.min(Number(numberOf(fields.paths)), MAX_PATHS),
          levels: reportLevels(numbersOf(fields.quantiles).map(String)),
          saleDelayHours: Number(numberOf(fields.delay)),
          saleCost: Number(numberOf(fields.cost)),
          horizonDays: Number(fields.horizon),
          options: [
            ...sheetArguments(file),
            ...tapeArguments(fields),
            ...(fields.skip === '1' ? ['--skip-faulty'] : []),
          ],
          notTaken: notTaken(fields),
          seed: Number(fields.seed) || 0,
          market: marketName.value,
          version: answer['Risk engine version'],
        },
        step => {
          note.value = `Asking ${step}`;
        },
      );
      save('report.html', new Blob([text], { type: 'text/html' }));
      note.value = 'report.html is saved: one file, for the screen and for A4.';
    } catch (error) {
      note.value = messageOf(error);
    }
    busy.value = false;
  };
  return (
    <p>
      <button type="button" onClick={make} disabled={busy.value}>
        Save the report for the committee
      </button>
      <span class="progress" role="status">
        {note.value}
      </span>
    </p>
  );
}
