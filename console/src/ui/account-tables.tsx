/** An account of perpetuals as it is now, its positions with what becomes of them, and its figures beside those of others. */
import { usd } from '#src/desk/words.ts';
import { type AccountResults, within } from '../words/account.ts';
import { NARROW, percent, plain } from './format.ts';
import { Scroll } from './scroll.tsx';

/** Margin equity as a bar: what maintenance takes of it, where the call is and where liquidation. */
export function MarginBar({ now, callRatio }: { now: AccountResults['Now']; callRatio: number }) {
  const { MarginRatio, MaintenanceMargin, MarginEquity, Equity, EffectiveLeverage } = now;
  const words = `Maintenance margin ${usd(Math.round(MaintenanceMargin))} of ${usd(Math.round(MarginEquity))} USD margin equity: ${percent(MarginRatio)}`;
  return (
    <section class="chart-table margin-bar" aria-label="Margin now">
      <h3>Margin now</h3>
      <svg viewBox="0 0 100 12" preserveAspectRatio="none" role="img" aria-label={words}>
        <rect class="bar-room" x="0" y="3" width="100" height="6" />
        <rect class="bar-used" x="0" y="3" width={Math.min(100, 100 * MarginRatio)} height="6" />
        <line class="bar-call" x1={100 * callRatio} x2={100 * callRatio} y1="0" y2="12" />
        <line class="bar-end" x1="99.8" x2="99.8" y1="0" y2="12" />
      </svg>
      <p>
        {words}. Margin call at {percent(callRatio, 0)}, liquidation at 100{NARROW}%.
      </p>
      <p class="hint">
        Equity {usd(Math.round(Equity))} USD, {plain(EffectiveLeverage, 3)} times in positions.
      </p>
    </section>
  );
}

/** A price, and how far it is from the mark. */
const priceCell = (price: number | null | undefined, mark: number | undefined) =>
  price == null ? (
    <td>none</td>
  ) : (
    <td data-value={price}>
      {plain(price, 6)}
      {mark !== undefined && (
        <span class="meaning">
          {price > mark ? '+' : ''}
          {percent(price / mark - 1)}
        </span>
      )}
    </td>
  );

/** A row for each position. @param marks prices of the markets at the start */
export function PositionsTable(props: {
  readonly results: AccountResults;
  readonly sizes: readonly number[];
  readonly marks: Readonly<Record<string, number>>;
}) {
  const { results, sizes, marks } = props;
  const level = Object.keys(results.Loss)[0];
  const loss = results.Loss[level];
  return (
    <Scroll label="Positions">
      <table class="figures matrix">
        <thead>
          <tr>
            <th scope="col">Position</th>
            <th scope="col">Size</th>
            <th scope="col">Liquidation below</th>
            <th scope="col">above</th>
            <th scope="col">Closed by force</th>
            <th scope="col">Part closed, mean</th>
            <th scope="col">Funding, mean USD</th>
            <th scope="col">Part of the loss of {outerTail(level)}, USD</th>
          </tr>
        </thead>
        <tbody>
          {results.Positions.map(({ id, market, PrForcedClose, ShareClosed, Funding }, i) => (
            <tr key={id} data-position={id}>
              <th scope="row">
                {market}
                <span class="meaning">{id}</span>
              </th>
              <td>{plain(sizes[i])}</td>
              {priceCell(results.Now.LiquidationPrices[market]?.Below, marks[market])}
              {priceCell(results.Now.LiquidationPrices[market]?.Above, marks[market])}
              <td data-value={PrForcedClose}>{percent(PrForcedClose, 2)}</td>
              <td data-value={ShareClosed}>{percent(ShareClosed, 2)}</td>
              <td>{usd(Math.round(Funding))}</td>
              <td>{usd(Math.round(loss.Contributions.Positions[id]))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

const outerTail = (level: string) => `the worst ${plain(100 * (1 - Number(level)), 3)}${NARROW}%`;

type Shown = readonly [label: string, text: (results: AccountResults) => string];
const move = (value: number | null) => {
  const near = within(value);
  return near === null ? 'none' : percent(near, 2);
};
const ROWS: readonly Shown[] = [
  ['Margin ratio now', ({ Now }) => percent(Now.MarginRatio)],
  ['Leverage', ({ Now }) => plain(Now.EffectiveLeverage, 3)],
  ['Fall of all prices to liquidation', ({ Now }) => move(Now.UniformShock.Down)],
  ['Rise of all prices to liquidation', ({ Now }) => move(Now.UniformShock.Up)],
  ['Chance of a margin call', ({ PrMarginCall }) => percent(PrMarginCall, 2)],
  ['Chance of a forced close', ({ PrForcedClose }) => percent(PrForcedClose, 2)],
  ['Chance of losing every position', ({ PrLiquidation }) => percent(PrLiquidation, 2)],
  ['Chance of a shortfall', ({ PrShortfall }) => percent(PrShortfall, 2)],
  ['Final equity, 5 %, USD', ({ FinalEquity }) => usd(Math.round(FinalEquity.q05))],
  ['Final equity, median, USD', ({ FinalEquity }) => usd(Math.round(FinalEquity.q50))],
  ['Mean loss of the tail, USD', ({ Loss }) => usd(Math.round(Object.values(Loss)[0].CVar))],
];

/** Accounts side by side, on the same draws. @param accounts by the heading of their column; a text where one was refused */
export function AccountsTable(props: { accounts: Readonly<Record<string, AccountResults | string>> }) {
  const columns = Object.entries(props.accounts);
  return (
    <Scroll label="Accounts side by side">
      <table class="figures matrix">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            {columns.map(([name]) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([label, text], row) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {columns.map(([name, results]) => {
                if (typeof results !== 'string') return <td key={name}>{text(results)}</td>;
                return row === 0 ? (
                  <td key={name} class="text" rowSpan={ROWS.length}>
                    {results}
                  </td>
                ) : null;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
