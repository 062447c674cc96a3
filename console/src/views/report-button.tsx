/** The report of a tape: limits, an earlier report to compare with, and both forms of the answer. */
import { useSignal } from '@preact/signals';
import { messageOf } from '#core/errors.ts';
import { USUAL } from '#core/figures/usual.ts';
import { callTables } from '#src/desk/call-sheet.ts';
import { limitInWords, valueText, whyUnknown } from '#src/desk/limit-text.ts';
import type { DeskResult } from '#src/desk/result.ts';
import type { ValuedTape } from '#src/desk/value-tape.ts';
import type { BookFile } from '../book/book-file.ts';
import { type MadeReport, makeReport, reportBody } from '../book/report.ts';
import { tapeTerms } from '../book/tape-terms.ts';
import { waterfallFields } from '../book/tranche-fields.ts';
import type { Fields } from '../state/address.ts';
import { save } from '../ui/chart.tsx';
import { Scroll } from '../ui/scroll.tsx';
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

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');

interface Earlier {
  readonly name: string;
  readonly result: unknown;
}

export async function saveCalls(result: Parameters<typeof callTables>[0]): Promise<void> {
  const { default: writeSheets } = await import('write-excel-file/browser');
  save('calls.xlsx', await writeSheets(callTables(result)).toBlob());
}

export function ReportButton(props: {
  readonly tape: ValuedTape;
  readonly file: Extract<BookFile, { kind: 'tape' }>;
  readonly fields: Fields;
}) {
  const { tape, file, fields } = props;
  const note = useSignal('');
  const busy = useSignal(false);
  const limits = useSignal('');
  const until = useSignal('');
  const tested = useSignal(false);
  const earlier = useSignal<Earlier | undefined>(undefined);
  const made = useSignal<MadeReport | undefined>(undefined);
  const readEarlier = async (chosen: File | undefined) => {
    earlier.value = undefined;
    if (chosen === undefined) return;
    try {
      earlier.value = { name: chosen.name, result: JSON.parse(await chosen.text()) };
      note.value = '';
    } catch (error) {
      note.value = `${chosen.name} is no JSON: ${messageOf(error)}`;
    }
  };
  const make = async () => {
    busy.value = true;
    made.value = undefined;
    const terms = tapeTerms(fields);
    try {
      if ('faults' in terms) throw new Error(terms.faults.map(({ message }) => message).join('\n'));
      const params = {
        types: [fields.type, ...USUAL.types.filter(type => type !== fields.type)],
        model_lookback: Number(numberOf(fields.lookback)),
        mc_iter: Math.min(Number(numberOf(fields.paths)), MAX_PATHS),
        quantile: reportLevels(numbersOf(fields.quantiles).map(String)),
        sale_delay: Number(numberOf(fields.delay)),
        sale_cost: Number(numberOf(fields.cost)),
        days: terms.terms.horizonDays,
        skip_faulty: fields.skip === '1',
        ...waterfallFields(fields).params,
        ...(fields.credit === '1' && { credit: {} }),
        ...(until.value.trim() !== '' && { until: linesOf(until.value) }),
        ...(tested.value ? {} : { backtest_days: 0 }),
        ...(limits.value.trim() !== '' && { limits: limits.value }),
        ...(earlier.value && { earlier: earlier.value.result, earlier_file: earlier.value.name }),
      };
      const body = reportBody(file, tape, { params, options: terms.terms.options });
      made.value = await makeReport(body, Number(fields.seed) || 0, share => {
        note.value = `${Math.floor(100 * share)} % done`;
      });
      note.value = ['The report is ready.', ...notTaken(fields)].join(' ');
    } catch (error) {
      note.value = messageOf(error);
    }
    busy.value = false;
  };
  const ready = made.value;
  return (
    <section class="report" aria-label="Report for the committee">
      <h3>Report for the committee</h3>
      <div class="field">
        <label for="report-limits">
          Limits <span class="hint">a line each: LossCVar 0.99 &lt;= 250000</span>
        </label>
        <textarea
          id="report-limits"
          rows={3}
          spellcheck={false}
          value={limits.value}
          onInput={event => {
            limits.value = event.currentTarget.value;
          }}
        />
      </div>
      <div class="field">
        <label for="report-until">
          How far must prices fall <span class="hint">a bound a line: loss 5m, ltv 80% along BTC</span>
        </label>
        <textarea
          id="report-until"
          rows={2}
          spellcheck={false}
          value={until.value}
          onInput={event => {
            until.value = event.currentTarget.value;
          }}
        />
      </div>
      <div class="field">
        <label for="report-earlier">
          Compare with <span class="hint">report.json of an earlier day</span>
        </label>
        <input
          id="report-earlier"
          type="file"
          accept=".json,application/json"
          onChange={event => readEarlier(event.currentTarget.files?.[0])}
        />
      </div>
      <label class="switch">
        <input
          type="checkbox"
          checked={tested.value}
          onChange={event => {
            tested.value = event.currentTarget.checked;
          }}
        />{' '}
        With a back-test of 250 days, which takes longer than the rest
      </label>
      <p>
        <button type="button" onClick={make} disabled={busy.value}>
          Make the report
        </button>
        <span class="progress" role="status">
          {note.value}
        </span>
      </p>
      {ready !== undefined && (
        <>
          <p>
            <button
              type="button"
              onClick={() => save('report.html', new Blob([ready.page], { type: 'text/html' }))}
            >
              Save report.html
            </button>
            <button
              type="button"
              onClick={() => save('report.json', new Blob([ready.json], { type: 'application/json' }))}
            >
              Save report.json for the next comparison
            </button>
          </p>
          <JudgedLimits limits={ready.result.Limits ?? []} />
        </>
      )}
    </section>
  );
}

const STATUS_WORDS = { ok: 'ok', close: 'close', breached: 'breached', unknown: 'not known' } as const;

function JudgedLimits({ limits }: { readonly limits: NonNullable<DeskResult['Limits']> }) {
  if (limits.length === 0) return null;
  return (
    <Scroll label="Limits">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">Status</th>
            <th scope="col">Value</th>
            <th scope="col">Of</th>
          </tr>
        </thead>
        <tbody>
          {limits.map(limit => (
            <tr key={limit.Line} data-limit={limit.Status}>
              <th scope="row">{limitInWords(limit)}</th>
              <td class="text">
                {[STATUS_WORDS[limit.Status], whyUnknown(limit)].filter(Boolean).join(': ')}
              </td>
              <td>{limit.Value === null ? '' : valueText(limit, limit.Value)}</td>
              <td class="text">{limit.Of ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
