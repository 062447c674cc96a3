/** What /book_risk answers: the book's figures, the tail of its losses, what is sold by asset, and the worst loans. */
import type { AnswerOf } from '../api/request.ts';
import { LinesChart } from '../ui/charts.tsx';
import { figureName } from '../ui/figure-names.ts';
import { FigureMatrix, FigureTable, figureText } from '../ui/figures.tsx';
import { compact, percent, whole } from '../ui/format.ts';
import { Scroll } from '../ui/scroll.tsx';

export type BookOutput = AnswerOf<'/book_risk'>['Output'];
type Book = BookOutput['Book'];
type ByQuantile = Readonly<Record<string, number>>;

/** Loans shown in the table of the worst. */
const SHOWN_LOANS = 20;

/** Quantiles of an answer, rising. */
const quantilesOf = (values: ByQuantile) => Object.keys(values).sort((a, b) => Number(a) - Number(b));

/** `99.5%` */
const quantileName = (quantile: string) => `${Number((Number(quantile) * 100).toPrecision(8))}%`;

export function BookResults({ output }: { output: BookOutput }) {
  const { Book: book, Loans: loans } = output;
  const quantiles = quantilesOf(book.LossVar);
  const highest = quantiles.at(-1) ?? '';
  return (
    <div class="charts">
      <div class="chart-table">
        <h3>Book</h3>
        <FigureTable
          figures={{
            LoanValue: book.LoanValue,
            ExpectedLoss: book.ExpectedLoss,
            PrLoss: book.PrLoss,
            'Unsold ExpectedLoss': book.Unsold.ExpectedLoss,
            'Unsold PrLoss': book.Unsold.PrLoss,
          }}
          accuracy={undefined}
        />
      </div>
      <LossTail book={book} quantiles={quantiles} />
      <div class="chart-table spread">
        <h3>Quantiles over the scenarios</h3>
        <BookMatrix book={book} quantiles={quantiles} />
      </div>
      <Assets assets={book.Assets} quantile={highest} />
      <WorstLoans loans={loans} quantile={highest} />
    </div>
  );
}

/** VaR and CVaR of the losses against how rare they are. */
function LossTail({ book, quantiles }: { book: Book; quantiles: readonly string[] }) {
  if (quantiles.length < 2) return null;
  const values = (from: ByQuantile) => quantiles.map(quantile => from[quantile] ?? null);
  return (
    <LinesChart
      title="Tail of the losses"
      x={quantiles.map(quantile => 1 / (1 - Number(quantile)))}
      xText={{ label: 'one scenario in', show: compact }}
      yText={{ label: 'USD', show: compact }}
      logarithmicX
      points
      lines={[
        { label: 'LossCVar', values: values(book.LossCVar), tone: 'liquidation' },
        { label: 'LossVar', values: values(book.LossVar), tone: 'accent' },
      ]}
    />
  );
}

function BookMatrix({ book, quantiles }: { book: Book; quantiles: readonly string[] }) {
  const figures: Record<string, number> = {};
  const rows: { name: string; meaning: string; cells: { key: string; figure: string }[] }[] = [];
  const add = (name: string, unitOf: string, mean: number | undefined, values: ByQuantile) => {
    const cells = ['Mean', ...quantiles].map(column => {
      const key = `${name} ${column}`;
      const value = column === 'Mean' ? mean : values[column];
      if (value !== undefined) figures[key] = value;
      return { key, figure: unitOf };
    });
    rows.push({ name, meaning: figureName(name).meaning, cells });
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
  return (
    <FigureMatrix
      label="Quantiles of the book"
      corner="Figure"
      columns={['Mean', ...quantiles.map(quantileName)]}
      rows={rows}
      short
      figures={figures}
      accuracy={undefined}
    />
  );
}

const BAR = 140;

/** What each asset adds to the largest day of sales and to the losses. */
function Assets({ assets, quantile }: { assets: Book['Assets']; quantile: string }) {
  const rows = Object.entries(assets).sort(
    ([, a], [, b]) => (b.PeakDayCVar[quantile] ?? 0) - (a.PeakDayCVar[quantile] ?? 0),
  );
  const most = Math.max(...rows.map(([, { PeakDayCVar }]) => PeakDayCVar[quantile] ?? 0), Number.MIN_VALUE);
  return (
    <div class="chart-table spread">
      <h3>Peak day and losses by asset, CVaR {quantileName(quantile)}</h3>
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
    </div>
  );
}

/** The loans with the largest part in the tail of the book. */
function WorstLoans({ loans, quantile }: { loans: BookOutput['Loans']; quantile: string }) {
  const worst = Object.entries(loans)
    .sort(
      ([, a], [, b]) =>
        (b.CVarContribution[quantile] ?? 0) - (a.CVarContribution[quantile] ?? 0) ||
        b.ExpectedLoss - a.ExpectedLoss,
    )
    .slice(0, SHOWN_LOANS);
  const columns = ['ExpectedLoss', 'PrMarginCall', 'PrLiquidation', 'PrCloseout', 'PrUnderwater'] as const;
  return (
    <div class="chart-table spread">
      <h3>Loans with the largest part in LossCVar, {quantileName(quantile)}</h3>
      <Scroll label="Loans with the largest part in the tail">
        <table class="figures" data-rows={worst.length}>
          <thead>
            <tr>
              <th scope="col">Loan</th>
              <th scope="col">CVarContribution, USD</th>
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
                <td data-value={figures.CVarContribution[quantile]}>
                  {whole(figures.CVarContribution[quantile] ?? 0)}
                </td>
                {columns.map(column => (
                  <td key={column}>
                    {column === 'ExpectedLoss' ? whole(figures[column]) : figureText(column, figures[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </div>
  );
}
