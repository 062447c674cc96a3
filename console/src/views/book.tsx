/** /book_risk: a whole book on common paths, from a loan tape or rows that stay in this browser. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '#core/errors.ts';
import { coinsLent } from '#src/desk/ask-stress.ts';
import { type Answered, type AnswerOf, post, Refusal } from '../api/request.ts';
import { BOOK_FIELDS } from '../book/book-fields.ts';
import { type BookFile, loansCsv, readBookFile, readTapeText } from '../book/book-file.ts';
import { sampleTape } from '../book/sample-tape.ts';
import { storeBook, storedBook } from '../book/stored-books.ts';
import { tapeTerms } from '../book/tape-terms.ts';
import { waterfallFields } from '../book/tranche-fields.ts';
import { type BookForms, type ValuedBook, valueBook, withoutRefused } from '../book/valued-book.ts';
import { type Fields, linkToForm } from '../state/address.ts';
import { draws, takesShock, takesTail } from '../state/methodologies.ts';
import { recoveries } from '../state/outage.ts';
import { symbolRows, symbols, symbolsMessage } from '../state/server.ts';
import { apiKey } from '../state/session.ts';
import { NumberField, PercentField, SwitchField, TextField } from '../ui/fields.tsx';
import { CopyButtons } from '../ui/figures.tsx';
import { duration, whole } from '../ui/format.ts';
import { asCurl, asPython } from '../ui/request-texts.ts';
import { ReversePanel } from '../ui/reverse-panel.tsx';
import { ScenarioPanel } from '../ui/scenario-panel.tsx';
import { numberOf, numbersOf } from '../ui/typed-numbers.ts';
import { shockSentences } from '../words/book.ts';
import { OnceForm, OnceResults, useAskedOnce } from './asked-once.tsx';
import { BookIntake } from './book-intake.tsx';
import { BookResults, isWithoutCalls } from './book-results.tsx';
import { Calls } from './calls.tsx';
import { ReportButton } from './report-button.tsx';
import { ScenarioOfBook } from './scenario-of-book.tsx';
import { analysisDate, FallField, fallParams, ModelFields, shockParams } from './shared.tsx';

type BookAnswer = AnswerOf<'/book_risk'>;

/** An answer with the book that was asked for. */
interface AnsweredBook {
  readonly body: BookAnswer;
  readonly synthetic: boolean;
  /** Paths, or windows of the past. */
  readonly scenarios: number;
  readonly book: ValuedBook;
  /** The form that was asked. */
  readonly fields: Fields;
}

export function BookView() {
  const once = useAskedOnce<AnsweredBook>(BOOK_FIELDS);
  const { fields, form } = once;
  const file = useSignal<BookFile | undefined>(undefined);
  /** The file of the book; absent where the browser has stored its content. */
  const chosen = useSignal<File | undefined>(undefined);
  const book = useSignal<ValuedBook | undefined>(undefined);
  const note = useSignal('');

  // The book of a link, where this browser has it.
  useEffect(() => {
    if (fields.book === '' || file.value !== undefined) return;
    const stored = storedBook(fields.book);
    if (stored === undefined)
      note.value = 'The book of this link is stored in the browser that opened it, and not in this one.';
    else file.value = stored;
  }, [fields.book]);

  const read = tapeTerms(fields);
  const terms = 'terms' in read ? read.terms : undefined;
  const forms: BookForms | undefined = terms && {
    ...terms,
    ...(fields.date === '' ? {} : { asOf: fields.date }),
  };
  const hasSymbols = symbolRows.value.length > 0;
  useEffect(() => {
    book.value = undefined;
    if (file.value === undefined || file.value.kind === 'unreadable') return;
    if (forms === undefined || (file.value.kind === 'tape' && !hasSymbols)) return;
    let isOld = false;
    valueBook(file.value, forms).then(
      valued => {
        if (!isOld) book.value = valued;
      },
      (error: unknown) => {
        if (!isOld) note.value = messageOf(error);
      },
    );
    return () => {
      isOld = true;
    };
  }, [file.value, JSON.stringify(forms), hasSymbols, apiKey.value, recoveries.value]);

  const take = (content: BookFile) => {
    once.clear();
    note.value = '';
    file.value = content;
    // Until it is valued, nothing of the book before stands beside its name.
    book.value = undefined;
    if (content.kind === 'unreadable') return;
    const number = storeBook(content);
    form.set({ book: number ?? '' });
    note.value =
      number === undefined
        ? 'The book is too large to be stored in this browser, or it stores nothing: a link does not open it.'
        : 'The book is stored in this browser alone: the address opens it again here.';
  };
  const readFile = async (from: File, sheet?: string) => {
    chosen.value = from;
    take(await readBookFile(from.name, new Uint8Array(await from.arrayBuffer()), sheet));
  };
  const faults = book.value?.tape?.faults ?? [];
  const rows = book.value?.rows ?? [];
  const waterfall = waterfallFields(fields);
  const isReady =
    rows.length > 0 && (faults.length === 0 || fields.skip === '1') && waterfall.faults.length === 0;
  const paramsOf = (valued: ValuedBook | undefined) => ({
    ...analysisDate(fields),
    model_lookback: numberOf(fields.lookback),
    sale_delay: numberOf(fields.delay),
    sale_cost: numberOf(fields.cost),
    ...shockParams(fields),
    ...valued?.params,
  });
  /** Stages and reasons by the usual rules; a scenario has none. */
  const creditParams = () => (fields.credit === '1' ? { credit: {} } : {});
  const isTail = fields.tail === '1' && takesTail(fields.type);
  const sent = (valued = book.value) => ({
    path: isTail ? '/book_risk?sampling=tail' : '/book_risk',
    seed: fields.seed,
    body: {
      type: fields.type,
      params: {
        ...paramsOf(valued),
        ...creditParams(),
        ...waterfall.params,
        ...(draws(fields.type) ? { mc_iter: numberOf(fields.paths) } : {}),
        ...fallParams(fields, valued?.rows ?? []),
        quantile: numbersOf(fields.quantiles),
        loans: valued?.rows ?? [],
      },
    },
  });
  const options = {
    seed: fields.seed,
    include: 'accuracy,warnings',
    query: isTail ? { sampling: 'tail' } : {},
  };
  /** Asks, without the loans that the server refuses where the form leaves out faulty ones. It names a hundred faults at once. */
  const answerOf = async (
    valued: ValuedBook,
    signal: AbortSignal,
  ): Promise<[Answered<BookAnswer>, ValuedBook]> => {
    try {
      return [await post('/book_risk', sent(valued).body, { ...options, signal }), valued];
    } catch (error) {
      const without = error instanceof Refusal ? withoutRefused(valued, error.faults) : undefined;
      if (without === undefined) throw error;
      book.value = without;
      if (fields.skip !== '1' || without.rows.length === 0) throw error;
      return answerOf(without, signal);
    }
  };
  const ask = async (signal: AbortSignal) => {
    if (book.value === undefined) throw new Error('There is no book yet.');
    const [answered, valued] = await answerOf(book.value, signal);
    const synthetic = answered.market.startsWith('sample');
    const summary = `${whole(answered.scenarios)} scenarios in ${duration(answered.milliseconds)}.${synthetic ? ' Synthetic prices: the sample market.' : ''}`;
    return {
      answer: { body: answered.body, synthetic, scenarios: answered.scenarios, book: valued, fields },
      summary,
    };
  };
  const ownFaults = [...('faults' in read ? read.faults : []), ...waterfall.faults];
  const tapeForm = ownFaults.length > 0 ? { ...form, faults: [...form.faults, ...ownFaults] } : form;
  const assets = [
    ...new Set(
      rows.flatMap(row => [
        ...Object.keys((row.collateral ?? row.collateral_weights ?? {}) as object),
        ...coinsLent(row),
      ]),
    ),
  ].sort();
  return (
    <div class="operation">
      <OnceForm
        of={once}
        title="Book"
        lead="What can a whole book lose, and what must be sold in a day?"
        submit="Compute"
        isReady={isReady}
        ask={ask}
      >
        <NumberField
          form={tapeForm}
          name="horizon"
          member="query.days"
          label="Followed for"
          hint="days at most"
          kind="whole"
        />
        <FallField form={form} assets={assets} loans={rows} />
        <ModelFields form={tapeForm} question="book" run={runWords(fields)}>
          {draws(fields.type) && (
            <NumberField form={form} name="paths" member="params.mc_iter" label="Paths" kind="whole" />
          )}
          <div class="spread">
            <PercentField
              form={form}
              name="quantiles"
              member="params.quantile"
              label="Levels"
              hint="%"
              isList
            />
          </div>
          <NumberField
            form={form}
            name="delay"
            member="params.sale_delay"
            label="Sale delay"
            hint="hours"
            kind="whole"
          />
          <PercentField form={form} name="cost" member="params.sale_cost" label="Sale cost" hint="%" />
          <SwitchField form={form} name="credit" member="params.credit" label="Credit figures and stages" />
          <div class="spread">
            <TextField
              form={tapeForm}
              name="tranches"
              member="params.tranches"
              label="Tranches"
              hint="of what is lent"
              placeholder="equity 0% to 1%; senior 1% to 100%"
            />
          </div>
          <PercentField
            form={form}
            name="reserve"
            member="params.reserve"
            label="Reserve"
            hint="% of what is lent"
          />
          <PercentField
            form={form}
            name="spread"
            member="params.excess_spread"
            label="Excess spread"
            hint="% a year"
          />
          <SwitchField form={form} name="capital" member="params.economic_capital" label="Economic capital" />
          {takesTail(fields.type) && (
            <SwitchField form={form} name="tail" member="query.sampling" label="More paths to rare losses" />
          )}
        </ModelFields>
      </OnceForm>
      <OnceResults
        of={once}
        first={
          <BookIntake
            form={tapeForm}
            onFile={readFile}
            onSheet={chosen.value && (sheet => chosen.value && readFile(chosen.value, sheet))}
            onSample={() => {
              chosen.value = undefined;
              take(readTapeText('Sample tape', sampleTape(symbols.value)));
            }}
            file={file.value}
            book={book.value}
            options={terms?.options ?? {}}
            note={[note.value, hasSymbols ? '' : symbolsMessage.value].filter(Boolean).join(' ')}
            isAnswered={once.answered.value !== undefined}
          />
        }
        before=""
        meanwhile="All loans are followed on the same paths."
        placeOf={path => placeOf(path, rows)}
      >
        {({ body, synthetic, scenarios, book: asked, fields: askedWith }) => (
          <>
            {JSON.stringify(askedWith) !== JSON.stringify(fields) && (
              <p class="notice" role="status">
                The form has changed since these figures were computed.
              </p>
            )}
            <div class="answer">
              <BookResults
                answer={body}
                book={asked}
                synthetic={synthetic}
                scenarios={scenarios}
                shocks={shockSentences(
                  Number(askedWith.fall),
                  askedWith.fallOf ?? '',
                  takesShock(askedWith.type) ? Number(askedWith.shock) : 0,
                )}
              />
              <CopyButtons
                texts={{
                  curl: () => asCurl(sent()),
                  Python: () => asPython(sent()),
                  CSV: () => loansCsv(body.Output.Loans ?? {}),
                  link: () => linkToForm(BOOK_FIELDS),
                }}
              />
              {asked.tape !== undefined && <Calls tape={asked.tape} />}
              {asked.tape !== undefined && file.value?.kind === 'tape' && (
                <ReportButton tape={asked.tape} file={file.value} fields={askedWith} />
              )}
            </div>
            <ScenarioOfBook
              body={sent(asked).body}
              seed={askedWith.seed}
              query={options.query}
              levels={numbersOf(askedWith.quantiles)
                .map(Number)
                .sort((a, b) => a - b)
                .map(String)}
              withoutCalls={isWithoutCalls(asked)}
            />
            <ReversePanel
              type={fields.type}
              params={{ ...paramsOf(book.value), quantile: numbersOf(fields.quantiles) }}
              loans={rows}
              seed={fields.seed}
              paths={numberOf(fields.paths)}
              assets={assets}
            />
            <ScenarioPanel
              type={fields.type}
              params={{ ...paramsOf(book.value), quantile: numbersOf(fields.quantiles) }}
              loans={rows}
              seed={fields.seed}
              paths={numberOf(fields.paths)}
            />
          </>
        )}
      </OnceResults>
    </div>
  );
}

/** The run, in the line of its group. */
const runWords = ({ type, paths, delay }: Fields) =>
  [...(draws(type) ? [`${whole(Number(paths))} paths`] : []), `sold ${delay} h later`].join(' \u00b7 ');

/** Where a fault lies, by the id of its loan where it has one. */
function placeOf(path: string, loans: ValuedBook['rows']): string {
  const row = /^params\.loans\.(\d+)\.?(.*)/.exec(path);
  const id = row === null ? undefined : loans[Number(row[1])]?.id;
  return id === undefined ? path : `loan ${id}${row?.[2] ? `, ${row[2]}` : ''}`;
}
