/** The credit figures of a book: its allowance by stage, and the loans with the largest part of it. */
import { figureName } from '../ui/figure-names.ts';
import { NARROW, whole } from '../ui/format.ts';
import { Scroll } from '../ui/scroll.tsx';
import type { BookOutput } from './book-results.tsx';

const SHOWN_LOANS = 20;

const share = (value: number | null) => (value === null ? '' : `${(100 * value).toFixed(2)}${NARROW}%`);

export function BookCredit({ book, loans }: { book: BookOutput['Book']; loans: BookOutput['Loans'] }) {
  const { Credit: credit } = book;
  if (credit === undefined) return null;
  const largest = Object.entries(loans)
    .flatMap(([id, { Credit }]) => (Credit === undefined ? [] : [{ id, ...Credit }]))
    .sort((a, b) => b.ECL - a.ECL || b.Stage - a.Stage)
    .slice(0, SHOWN_LOANS);
  return (
    <div class="chart-table spread" data-credit>
      <h3>Allowance by stage: {whole(credit.ECL)} USD</h3>
      <Scroll label="Allowance by stage">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Stage</th>
              <th scope="col">Loans</th>
              <th scope="col">Lent, USD</th>
              <th scope="col">Expected loss, USD</th>
              <th scope="col">Within the horizon, USD</th>
              <th scope="col">Allowance, USD</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(credit.Stages).map(([stage, { Loans, LoanValue, EL, ELHorizon, ECL }]) => (
              <tr key={stage}>
                <th scope="row">{stage}</th>
                <td>{whole(Loans)}</td>
                <td>{whole(LoanValue)}</td>
                <td>{whole(EL)}</td>
                <td>{whole(ELHorizon)}</td>
                <td data-value={ECL}>{whole(ECL)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <h3>Loans with the largest allowance</h3>
      <Scroll label="Loans with the largest allowance">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Loan</th>
              <th scope="col">Stage</th>
              <th scope="col">Why</th>
              {(['PD', 'LGD', 'EAD', 'PrLoss'] as const).map(name => (
                <th scope="col" key={name}>
                  {figureName(name).label}
                </th>
              ))}
              <th scope="col">Allowance, USD</th>
            </tr>
          </thead>
          <tbody>
            {largest.map(({ id, Stage, Reason, PD, LGD, EAD, PrLoss, ECL }) => (
              <tr key={id}>
                <th scope="row">{id}</th>
                <td>{Stage}</td>
                <td class="text">{Reason}</td>
                <td>{share(PD)}</td>
                <td>{share(LGD)}</td>
                <td>{EAD === null ? '' : whole(EAD)}</td>
                <td>{share(PrLoss)}</td>
                <td data-value={ECL}>{whole(ECL)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="hint">
        A default is a liquidation, a closeout or collateral handed over below the debt. Losses are not
        discounted. Prices have no drift: no scenarios of the economy are weighted.
      </p>
    </div>
  );
}
