/** The answer of /book_risk: figures of the book, the tail of its losses, sales by asset, and the worst loans. */
import { headlineOf, levelOfParts } from '#core/figures/usual.ts';
import { concerns } from '#core/warnings.ts';
import { standingOf } from '#src/desk/today.ts';
import { capitalSentence, tranchesSentence } from '#src/desk/tranche-sentences.ts';
import type { AnswerOf } from '../api/request.ts';
import type { ValuedBook } from '../book/valued-book.ts';
import { type Accuracies, accuraciesOf, type KeyOf } from '../compute/answer.ts';
import { coverageUnit } from '../state/session.ts';
import { LinesChart } from '../ui/charts.tsx';
import { figureName } from '../ui/figure-names.ts';
import {
  FigureMatrix,
  FigureTable,
  figureText,
  intervalText,
  type KeyFigure,
  KeyFigures,
} from '../ui/figures.tsx';
import { compact, levelName, NARROW, percent, plain, whole } from '../ui/format.ts';
import { Headline } from '../ui/headline.tsx';
import { Scroll } from '../ui/scroll.tsx';
import { type ShownWarning, WarningNotice } from '../ui/warning-notice.tsx';
import { bookSentences, tapeSentences } from '../words/book.ts';
import { BookCredit } from './book-credit.tsx';
import { BookTranches } from './book-tranches.tsx';

type BookAnswer = AnswerOf<'/book_risk'>;
export type BookOutput = BookAnswer['Output'];
type Book = BookOutput['Book'];
type ByQuantile = Readonly<Record<string, number>>;

/** Loans shown in the table of the worst. */
const SHOWN_LOANS = 20;

/** Quantiles of an answer, rising. */
const quantilesOf = (values: ByQuantile) => Object.keys(values).sort((a, b) => Number(a) - Number(b));

/** Keys of the intervals of the book in its tables: `LossVar 0.99`, `ExpectedLoss`, `PeakDay CVar 0.99`. */
const keyOf: KeyOf = path => path.filter(name => name !== 'Quantiles').join(' ');

/** Days of the longest loan. */
const longestDays = (rows: ValuedBook['rows']) =>
  Math.max(...rows.map(({ loan_duration }) => Number(loan_duration) || 0));

export function BookResults(props: {
  answer: BookAnswer;
  book: ValuedBook;
  synthetic: boolean;
  /** Paths, or windows of the past. */
  scenarios: number;
  /** Sentences on what the form changes before the first step. */
  shocks: readonly string[];
}) {
  const { answer, synthetic } = props;
  const { tape } = props.book;
  const withoutCalls = isWithoutCalls(props.book);
  const { Book: book, Loans: loans } = answer.Output;
  const quantiles = quantilesOf(book.LossVar);
  const ofParts = levelOfParts(quantiles.map(Number), props.scenarios);
  const { Accuracy } = answer as { Accuracy?: { figures?: { Book?: unknown } } };
  const accuracy = accuraciesOf(Accuracy?.figures?.Book, keyOf);
  const warnings = (answer as { Warnings?: readonly ShownWarning[] }).Warnings ?? [];
  const figures = {
    LoanValue: book.LoanValue,
    ExpectedLoss: book.ExpectedLoss,
    PrLoss: book.PrLoss,
    'Unsold ExpectedLoss': book.Unsold.ExpectedLoss,
    'Unsold PrLoss': book.Unsold.PrLoss,
  };
  const placed = (code: ShownWarning['code']) =>
    [...Object.keys(figures), 'LossVar', 'PeakDay'].some(figure => concerns(code, figure));
  return (
    <>
      <Headline
        sentences={[
          ...props.shocks,
          ...bookSentences(
            book,
            Object.keys(loans).length,
            longestDays(props.book.rows),
            withBounds(accuracy),
            withoutCalls,
          ),
          ...[
            tranchesSentence(book),
            capitalSentence(book, String(headlineOf(quantiles.map(Number)))),
          ].filter(Boolean),
          ...(tape === undefined ? [] : tapeSentences(tape)),
        ]}
        synthetic={synthetic}
      />
      {warnings
        .filter(({ code }) => !placed(code))
        .map(warning => (
          <WarningNotice key={warning.message} {...warning} />
        ))}
      <KeyFigures items={keyFigures(book, accuracy, withoutCalls)} />
      <div class="charts">
        <LossTail book={book} quantiles={quantiles} />
        <details class="all-figures spread" open={warnings.some(({ code }) => placed(code))}>
          <summary>All figures of the book</summary>
          <FigureTable figures={figures} accuracy={accuracy} warnings={warnings} />
          <h3>Levels over the scenarios</h3>
          <BookMatrix book={book} quantiles={quantiles} accuracy={accuracy} warnings={warnings} />
        </details>
        {ofParts !== undefined && (
          <Assets assets={book.Assets} quantile={String(ofParts)} scenarios={props.scenarios} />
        )}
        <BookTranches book={book} accuracy={accuracy} />
        <BookCredit book={book} loans={loans} />
        <WorstLoans loans={loans} quantile={ofParts} scenarios={props.scenarios} book={props.book} />
      </div>
    </>
  );
}

/** What a risk manager asks for first, at the level of the headline. */
function keyFigures(book: Book, accuracy: Accuracies, withoutCalls: boolean): readonly KeyFigure[] {
  const level = String(headlineOf(Object.keys(book.LossVar).map(Number)));
  const item = (label: string, figure: string, value: number, key: string): KeyFigure => ({
    label,
    text: figureText(figure, value, accuracy[key]),
    interval: intervalText(figure, accuracy[key]),
  });
  const at = levelName(level);
  return [
    item('Expected loss, USD', 'ExpectedLoss', book.ExpectedLoss, 'ExpectedLoss'),
    item(`Mean loss beyond ${at}, USD`, 'LossCVar', book.LossCVar[level], `LossCVar ${level}`),
    item(
      `Loans ${withoutCalls ? 'liquidated' : 'called'}, mean`,
      'MarginCalls Mean',
      book.MarginCalls.Mean,
      'MarginCalls Mean',
    ),
    item(`Sold in 24 hours at ${at}, USD`, 'PeakDay', book.PeakDay.Quantiles[level], `PeakDay ${level}`),
  ];
}

const withBounds = (accuracy: Accuracies) =>
  Object.fromEntries(
    Object.entries(accuracy).map(([name, { low = null, high = null }]) => [name, { low, high }]),
  );

/** VaR and CVaR of the losses against how rare they are. */
function LossTail({ book, quantiles }: { book: Book; quantiles: readonly string[] }) {
  if (quantiles.length < 2) return null;
  const values = (from: ByQuantile) => quantiles.map(quantile => from[quantile] ?? null);
  return (
    <LinesChart
      title="Tail of the losses"
      wide
      x={quantiles.map(quantile => 1 / (1 - Number(quantile)))}
      xText={{ label: 'one scenario in', show: compact }}
      yText={{ label: 'USD', show: compact }}
      logarithmicX
      points
      lines={[
        { label: 'mean loss beyond', values: values(book.LossCVar), tone: 'liquidation' },
        { label: 'loss at the level', values: values(book.LossVar), tone: 'accent' },
      ]}
    />
  );
}

function BookMatrix(props: {
  book: Book;
  quantiles: readonly string[];
  accuracy: Accuracies;
  warnings: readonly ShownWarning[];
}) {
  const { book, quantiles, accuracy, warnings } = props;
  const figures: Record<string, number> = {};
  const rows: { name: string; meaning: string; code: string; cells: { key: string; figure: string }[] }[] =
    [];
  const add = (name: string, unitOf: string, mean: number | undefined, values: ByQuantile) => {
    const cells = ['Mean', ...quantiles].map(column => {
      const key = `${name} ${column}`;
      const value = column === 'Mean' ? mean : values[column];
      if (value !== undefined) figures[key] = value;
      return { key, figure: figureName(key).label === key ? unitOf : key };
    });
    const { label, meaning } = figureName(name);
    rows.push({ name: label, meaning, code: name, cells });
  };
  add('LossVar', 'LossVar', book.ExpectedLoss, book.LossVar);
  add('LossCVar', 'LossCVar', undefined, book.LossCVar);
  add('Unsold LossVar', 'LossVar', book.Unsold.ExpectedLoss, book.Unsold.LossVar);
  add('Unsold LossCVar', 'LossCVar', undefined, book.Unsold.LossCVar);
  add('MarginCalls', 'MarginCalls', book.MarginCalls.Mean, book.MarginCalls.Quantiles);
  add('ForcedSales', 'ForcedSales', book.ForcedSales.Mean, book.ForcedSales.Quantiles);
  add('ForcedSaleUsd', 'ForcedSaleUsd', book.ForcedSaleUsd.Mean, book.ForcedSaleUsd.Quantiles);
  add('ForcedSaleUsd CVar', 'ForcedSaleUsd', undefined, book.ForcedSaleUsd.CVar);
  add('PeakDay', 'PeakDay', book.PeakDay.Mean, book.PeakDay.Quantiles);
  add('PeakDay CVar', 'PeakDay', undefined, book.PeakDay.CVar);
  if (book.TopUpUsd !== undefined) add('TopUpUsd', 'TopUpUsd', book.TopUpUsd.Mean, book.TopUpUsd.Quantiles);
  return (
    <FigureMatrix
      label="Levels of the book"
      corner="Figure"
      columns={['Mean', ...quantiles.map(levelName)]}
      rows={rows}
      figures={figures}
      accuracy={{
        ...accuracy,
        ...(accuracy.ExpectedLoss === undefined ? {} : { 'LossVar Mean': accuracy.ExpectedLoss }),
      }}
      warnings={warnings}
    />
  );
}

const BAR = 140;

/** The scenarios behind a mean beyond a level. */
const beyondText = (level: number, scenarios: number) =>
  `${levelName(String(level))} (${whole(Math.round(scenarios * (1 - level)))} of ${whole(scenarios)} scenarios)`;

function Assets({
  assets,
  quantile,
  scenarios,
}: {
  assets: Book['Assets'];
  quantile: string;
  scenarios: number;
}) {
  const rows = Object.entries(assets).sort(
    ([, a], [, b]) => (b.PeakDayCVar[quantile] ?? 0) - (a.PeakDayCVar[quantile] ?? 0),
  );
  const most = Math.max(...rows.map(([, { PeakDayCVar }]) => PeakDayCVar[quantile] ?? 0), Number.MIN_VALUE);
  return (
    <div class="chart-table spread">
      <h3>
        By asset: sales on the peak day and losses, means beyond {beyondText(Number(quantile), scenarios)}
      </h3>
      <Scroll label="Figures by collateral asset">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Asset</th>
              <th scope="col">Of the collateral</th>
              <th scope="col">Sold on the peak day, USD</th>
              <td class="bar-column" />
              <th scope="col">Loss, USD</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([symbol, { CollateralShare, PeakDayCVar, LossCVar }]) => (
              <tr key={symbol} data-asset={symbol}>
                <th scope="row">{symbol}</th>
                <td>{percent(CollateralShare)}</td>
                <td data-value={PeakDayCVar[quantile]}>{whole(PeakDayCVar[quantile] ?? 0)}</td>
                <td class="bar-column" aria-hidden="true">
                  <svg width={BAR} height={12} aria-hidden="true">
                    <rect
                      class="days-box"
                      width={(BAR * (PeakDayCVar[quantile] ?? 0)) / most}
                      y={2}
                      height={8}
                    />
                  </svg>
                </td>
                <td>{whole(LossCVar[quantile] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="hint">Parts of one asset have no interval; each is at most the whole above.</p>
    </div>
  );
}

/** What a loan is: size, LTV, assets, term. */
interface LoanFacts {
  readonly usd: number | undefined;
  readonly ltv: number | undefined;
  readonly callLtv: number | undefined;
  readonly liquidationLtv: number | undefined;
  readonly assets: string;
  readonly days: number;
}

/** Facts of every loan by its id, as the tape or the rows have them. */
function factsOf({ rows, tape }: ValuedBook): ReadonlyMap<string, LoanFacts> {
  return new Map(
    rows.map((row, k) => {
      const assets = Object.keys((row.collateral ?? row.collateral_weights ?? {}) as object).join(', ');
      const days = Number(row.loan_duration);
      if (tape !== undefined) {
        const { LoanUsd, Ltv, MarginCallLtv, LiquidationLtv } = standingOf(tape.loans[k], tape.prices);
        return [
          String(row.id),
          { usd: LoanUsd, ltv: Ltv, callLtv: MarginCallLtv, liquidationLtv: LiquidationLtv, assets, days },
        ] as const;
      }
      const ltv = (ratio: unknown, own: unknown) =>
        Number(own) > 0 ? Number(own) : Number(ratio) > 0 ? 1 / Number(ratio) : undefined;
      return [
        String(row.id),
        {
          usd: Number(row.loan_value) || undefined,
          ltv: ltv(row.N, row.initial_ltv),
          callLtv: ltv(row.M, row.margin_call_ltv),
          liquidationLtv: ltv(row.L, row.liquidation_ltv),
          assets,
          days,
        },
      ] as const;
    }),
  );
}

/** Whether every loan is liquidated where it would be called, as on a chain. */
export function isWithoutCalls(book: ValuedBook): boolean {
  const facts = [...factsOf(book).values()];
  return (
    facts.length > 0 &&
    facts.every(({ callLtv, liquidationLtv }) => callLtv !== undefined && callLtv === liquidationLtv)
  );
}

/** An LTV, or the coverage that it is, as coverage is shown. */
export const ltvText = (ltv: number | undefined) =>
  ltv === undefined
    ? ''
    : coverageUnit.value === 'ltv'
      ? `${(100 * ltv).toFixed(1)}${NARROW}%`
      : plain(1 / ltv, 4);

/** A chance in a column of chances: two decimals in each. */
const chance = (share: number) => `${(100 * share).toFixed(2)}${NARROW}%`;

/** The loans with the largest part in the tail of the book. */
function WorstLoans(props: {
  loans: BookOutput['Loans'];
  quantile: number | undefined;
  scenarios: number;
  book: ValuedBook;
}) {
  const { loans, book, scenarios } = props;
  const quantile = props.quantile === undefined ? '' : String(props.quantile);
  const facts = factsOf(book);
  const worst = Object.entries(loans)
    .sort(
      ([idA, a], [idB, b]) =>
        (b.CVarContribution[quantile] ?? 0) - (a.CVarContribution[quantile] ?? 0) ||
        b.ExpectedLoss - a.ExpectedLoss ||
        (facts.get(idB)?.ltv ?? 0) - (facts.get(idA)?.ltv ?? 0),
    )
    .slice(0, SHOWN_LOANS);
  const withoutCalls = isWithoutCalls(book);
  const chances = (['PrMarginCall', 'PrLiquidation', 'PrCloseout', 'PrUnderwater'] as const).filter(
    name => !withoutCalls || name === 'PrLiquidation' || name === 'PrUnderwater',
  );
  const unit = coverageUnit.value === 'ltv' ? 'LTV' : 'Coverage';
  return (
    <div class="chart-table spread">
      <h3>
        {props.quantile === undefined
          ? 'Loans with the largest expected loss: fewer than 100 scenarios lie beyond every level'
          : `Loans with the largest part in the mean loss beyond ${beyondText(props.quantile, scenarios)}`}
      </h3>
      <Scroll label="Loans with the largest part in the tail">
        <table class="figures" data-rows={worst.length}>
          <thead>
            <tr>
              <th scope="col">Loan</th>
              <th scope="col">Assets</th>
              <th scope="col">Lent, USD</th>
              <th scope="col">{unit} today</th>
              {!withoutCalls && <th scope="col">Call at</th>}
              <th scope="col">Liquidation at</th>
              <th scope="col">Days</th>
              <th scope="col">Part of the tail, USD</th>
              <th scope="col">Expected loss, USD</th>
              {chances.map(name => (
                <th scope="col" key={name}>
                  {figureName(name).label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {worst.map(([id, figures]) => {
              const fact = facts.get(id);
              return (
                <tr key={id}>
                  <th scope="row">{id}</th>
                  <td class="text">{fact?.assets}</td>
                  <td>{fact?.usd === undefined ? '' : whole(fact.usd)}</td>
                  <td>{ltvText(fact?.ltv)}</td>
                  {!withoutCalls && <td>{ltvText(fact?.callLtv)}</td>}
                  <td>{ltvText(fact?.liquidationLtv)}</td>
                  <td>{fact === undefined ? '' : plain(fact.days, 3)}</td>
                  <td data-value={figures.CVarContribution[quantile]}>
                    {whole(figures.CVarContribution[quantile] ?? 0)}
                  </td>
                  <td>{whole(figures.ExpectedLoss)}</td>
                  {chances.map(name => (
                    <td key={name}>{chance(figures[name])}</td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
    </div>
  );
}
