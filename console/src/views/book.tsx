/** /book_risk: a whole book on common paths, from a file that stays in this tab. */

import { useSignal } from '@preact/signals';
import { post, Refusal } from '../api/request.ts';
import { fieldsOf, setFields } from '../state/address.ts';
import { apiKey } from '../state/session.ts';
import { LinesChart } from '../ui/charts.tsx';
import { ChoiceField, type FormContext, TextField } from '../ui/fields.tsx';
import { FigureTable, KeyPrompt } from '../ui/figures.tsx';
import { compact, plain, whole } from '../ui/format.ts';
import { Scroll } from '../ui/scroll.tsx';
import { type BookFile, readBook } from './book-file.ts';
import { analysisDate, choices, DateField, isSimulated, numberOf, numbersOf } from './shared.tsx';

const DEFAULTS = {
  type: 'GBM',
  lookback: '90',
  shock: '0',
  date: '',
  paths: '10000',
  quantiles: '0.95,0.99',
  delay: '24',
  cost: '0.01',
  seed: '0',
};

type Numbers = Readonly<Record<string, unknown>>;

interface BookBody {
  readonly Output: { readonly Loans: Readonly<Record<string, Numbers>>; readonly Book: Numbers };
}

/** Loans shown in the table of the worst. */
const SHOWN_LOANS = 20;

export function BookView() {
  const fields = fieldsOf(DEFAULTS);
  const file = useSignal<(BookFile & { readonly name: string }) | undefined>(undefined);
  const answer = useSignal<BookBody | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const busy = useSignal(false);
  const told = useSignal('');
  const form: FormContext = {
    fields,
    faults: refusal.value?.faults ?? [],
    set: changed => setFields(changed, DEFAULTS),
  };
  const run = async () => {
    busy.value = true;
    refusal.value = undefined;
    try {
      const answered = await post<BookBody>(
        '/book_risk',
        {
          type: fields.type,
          params: {
            ...analysisDate(fields),
            model_lookback: numberOf(fields.lookback),
            ...(isSimulated(fields)
              ? { mc_iter: numberOf(fields.paths), volatility_shock: numberOf(fields.shock) }
              : {}),
            sale_delay: numberOf(fields.delay),
            sale_cost: numberOf(fields.cost),
            quantile: numbersOf(fields.quantiles),
            loans: file.value?.loans ?? [],
          },
        },
        { seed: fields.seed },
      );
      answer.value = answered.body;
      told.value = `${whole(answered.scenarios)} scenarios in ${whole(answered.milliseconds)} ms on ${answered.device}.`;
    } catch (error) {
      answer.value = undefined;
      refusal.value = error instanceof Refusal ? error : new Refusal(0, String(error));
    }
    busy.value = false;
  };
  return (
    <div class="operation">
      <form
        class="panel"
        aria-label="Book"
        onSubmit={event => {
          event.preventDefault();
          void run();
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
              file.value = { name: chosen.name, ...readBook(chosen.name, await chosen.text()) };
              answer.value = undefined;
            }}
          />
          <p class="hint">
            CSV columns: id, collateral_weights (BTC:0.6;ETH:0.4), loan_weights (USD:1), loan_value, N, M, L,
            R, loan_duration, mc_top_up.
          </p>
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
            choices={choices('GBM', 'GBM_VIX', 'HISTORICAL', 'STUDENT_T', 'FHS', 'BOOTSTRAP')}
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
      <section class="results" aria-label="Results" aria-busy={busy.value}>
        <KeyPrompt />
        {refusal.value !== undefined && (
          <div class="status" data-status="refused">
            <p role="status">
              <strong class="fault">{refusal.value.message}</strong>
            </p>
            <ul class="faults">
              {refusal.value.faults.slice(0, SHOWN_LOANS).map(fault => (
                <li key={fault.path + fault.message}>
                  <code>{fault.path}</code> {fault.message}
                </li>
              ))}
            </ul>
          </div>
        )}
        {answer.value !== undefined && (
          <>
            <p role="status" data-status="done">
              {told.value}
            </p>
            <BookFigures book={answer.value.Output.Book} />
            <WorstLoans loans={answer.value.Output.Loans} />
          </>
        )}
      </section>
    </div>
  );
}

/** Figures of the book; those by quantile as a picture, those by asset as a table. */
function BookFigures({ book }: { book: Numbers }) {
  const single = Object.fromEntries(
    Object.entries(book).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
  const tails = Object.entries((book.LossVar ?? {}) as Record<string, number>);
  const means = (book.LossCVar ?? {}) as Record<string, number>;
  const assets = Object.entries((book.Assets ?? {}) as Record<string, Record<string, number>>);
  const columns = [...new Set(assets.flatMap(([, values]) => Object.keys(values)))];
  return (
    <div>
      <h3>Book</h3>
      <FigureTable figures={single} accuracy={undefined} />
      {tails.length > 1 && (
        <LinesChart
          title="Tail of the losses"
          x={tails.map(([quantile]) => Number(quantile))}
          xLabel="quantile"
          yLabel="USD"
          show={compact}
          lines={[
            { label: 'LossVar', values: tails.map(([, value]) => value), tone: 'accent' },
            {
              label: 'LossCVar',
              values: tails.map(([quantile]) => means[quantile] ?? null),
              tone: 'liquidation',
            },
          ]}
        />
      )}
      {assets.length > 0 && (
        <Scroll label="Figures by collateral asset">
          <table class="figures">
            <thead>
              <tr>
                <th scope="col">Asset</th>
                {columns.map(column => (
                  <th scope="col" key={column}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {assets.map(([symbol, values]) => (
                <tr key={symbol}>
                  <th scope="row">{symbol}</th>
                  {columns.map(column => (
                    <td key={column}>{typeof values[column] === 'number' ? plain(values[column]) : ''}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </div>
  );
}

/** The loans with the largest expected loss. */
function WorstLoans({ loans }: { loans: Readonly<Record<string, Numbers>> }) {
  const worst = Object.entries(loans)
    .sort(([, a], [, b]) => Number(b.ExpectedLoss) - Number(a.ExpectedLoss))
    .slice(0, SHOWN_LOANS);
  const columns = ['ExpectedLoss', 'PrMarginCall', 'PrLiquidation', 'PrCloseout', 'PrUnderwater'];
  return (
    <Scroll label="Loans with the largest expected loss">
      <h3>Loans with the largest expected loss</h3>
      <table class="figures" data-rows={worst.length}>
        <thead>
          <tr>
            <th scope="col">Loan</th>
            {columns.map(column => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {worst.map(([id, figures]) => (
            <tr key={id}>
              <th scope="row">{id}</th>
              {columns.map(column => (
                <td key={column}>{plain(Number(figures[column]))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
