/** /book_risk: a whole book on common paths, from a file that stays in this tab. */

import { useSignal } from '@preact/signals';
import { type AnswerOf, post } from '../api/request.ts';
import { symbols } from '../state/server.ts';
import { apiKey } from '../state/session.ts';
import { ChoiceField, TextField } from '../ui/fields.tsx';
import { CopyButtons } from '../ui/figures.tsx';
import { duration, whole } from '../ui/format.ts';
import { asCurl, asPython } from '../ui/request-texts.ts';
import { OnceResults, useAskedOnce } from './asked-once.tsx';
import { type BookFile, loansCsv, readBook } from './book-file.ts';
import { BookResults } from './book-results.tsx';
import { sampleBook } from './sample-book.ts';
import {
  analysisDate,
  choices,
  DateField,
  isSimulated,
  numberOf,
  numbersOf,
  shockParams,
} from './shared.tsx';

const DEFAULTS = {
  type: 'GBM',
  lookback: '90',
  shock: '0',
  date: '',
  paths: '5000',
  quantiles: '0.5,0.75,0.9,0.95,0.975,0.99,0.995,0.999',
  delay: '24',
  cost: '0.01',
  seed: '0',
};

type BookAnswer = AnswerOf<'/book_risk'>;

export function BookView() {
  const once = useAskedOnce<BookAnswer>(DEFAULTS);
  const { fields, form, busy } = once;
  const file = useSignal<(BookFile & { readonly name: string }) | undefined>(undefined);
  const sent = () => ({
    path: '/book_risk',
    seed: fields.seed,
    body: {
      type: fields.type,
      params: {
        ...analysisDate(fields),
        model_lookback: numberOf(fields.lookback),
        ...(isSimulated(fields) ? { mc_iter: numberOf(fields.paths), ...shockParams(fields) } : {}),
        sale_delay: numberOf(fields.delay),
        sale_cost: numberOf(fields.cost),
        quantile: numbersOf(fields.quantiles),
        loans: file.value?.loans ?? [],
      },
    },
  });
  const take = (name: string, book: BookFile) => {
    file.value = { name, ...book };
    once.forget();
  };
  const ask = async () => {
    const answered = await post('/book_risk', sent().body, { seed: fields.seed });
    const told = `${whole(answered.scenarios)} scenarios in ${duration(answered.milliseconds)}, ${answered.device}.`;
    return { answer: answered.body, told };
  };
  return (
    <div class="operation">
      <form
        class="panel"
        aria-label="Book"
        onSubmit={event => {
          event.preventDefault();
          void once.run(ask);
        }}
      >
        <h2>Book</h2>
        <p class="lead">What can a whole book lose, and what must be sold in a day?</p>
        <div class="field">
          <label for="field-file">
            Loans <span class="hint">CSV or JSON</span>
          </label>
          <input
            id="field-file"
            type="file"
            accept=".csv,.json,text/csv,application/json"
            onChange={async event => {
              const chosen = event.currentTarget.files?.[0];
              if (chosen === undefined) return;
              take(chosen.name, readBook(chosen.name, await chosen.text()));
            }}
          />
          <p class="hint">
            CSV columns: id, collateral_weights (BTC:0.6;ETH:0.4), loan_weights (USD:1), loan_value, N, M, L,
            R, loan_duration, mc_top_up.
          </p>
          <button
            type="button"
            class="quiet"
            onClick={() => take('Sample book', { loans: sampleBook(symbols.value), problems: [] })}
          >
            Use a sample book
          </button>
        </div>
        {file.value !== undefined && (
          <p role="status">
            {file.value.problems.length === 0
              ? `${file.value.name}: ${whole(file.value.loans.length)} loans.`
              : `${file.value.name} cannot be read.`}
          </p>
        )}
        {file.value?.problems.map(problem => (
          <p class="fault" key={problem}>
            {problem}
          </p>
        ))}
        <div class="grid-2">
          <ChoiceField
            form={form}
            name="type"
            member="type"
            label="Methodology"
            choices={choices('GBM', 'GBM_VIX', 'HISTORICAL', 'STUDENT_T', 'FHS', 'FHS_EVT', 'BOOTSTRAP')}
          />
          <TextField
            form={form}
            name="lookback"
            member="params.model_lookback"
            label="Lookback"
            hint="days"
          />
          <TextField form={form} name="paths" member="params.mc_iter" label="Paths" />
          <TextField form={form} name="quantiles" member="params.quantile" label="Quantiles" />
          <TextField form={form} name="delay" member="params.sale_delay" label="Sale delay" hint="hours" />
          <TextField form={form} name="cost" member="params.sale_cost" label="Sale cost" hint="fraction" />
          <DateField form={form} />
          <TextField form={form} name="shock" member="params.volatility_shock" label="Volatility shock" />
        </div>
        <button
          type="submit"
          disabled={busy.value || apiKey.value === '' || (file.value?.loans.length ?? 0) === 0}
        >
          {busy.value ? 'Computing' : 'Compute'}
        </button>
      </form>
      <OnceResults
        of={once}
        before="Choose a file of loans, or use the sample book, and compute. The file stays in this tab and is sent to this server only."
        meanwhile="All loans are followed on the same paths."
        placeOf={path => placeOf(path, file.value?.loans ?? [])}
      >
        {({ Output }) => (
          <div class="answer">
            <BookResults output={Output} />
            <CopyButtons
              texts={{
                curl: () => asCurl(sent()),
                Python: () => asPython(sent()),
                CSV: () => loansCsv(Output.Loans ?? {}),
                link: () => location.href,
              }}
            />
          </div>
        )}
      </OnceResults>
    </div>
  );
}

/** Where a fault lies, by the id of its loan where it has one. */
function placeOf(path: string, loans: BookFile['loans']): string {
  const row = /^params\.loans\.(\d+)\.?/.exec(path);
  const id = row === null ? undefined : loans[Number(row[1])]?.id;
  return id === undefined ? path : `${path} (${id})`;
}
