/** Who bears the losses of a book, tranche by tranche and layer by layer, and its economic capital. */
import { lossShare, placeText } from '#src/desk/tranche-sentences.ts';
import type { Accuracies } from '../compute/answer.ts';
import { intervalText } from '../ui/figures.tsx';
import { compact, levelName, NARROW, whole } from '../ui/format.ts';
import { Scroll } from '../ui/scroll.tsx';
import type { BookOutput } from './book-results.tsx';

const BAR = 140;
const LAYERS = [
  ['Spread', 'Spread of loans without a loss'],
  ['Reserve', 'Reserve'],
  ['Tranches', 'Tranches'],
  ['Uncovered', 'None of these'],
] as const;

const share = (value: number | null) =>
  value === null ? 'not reached' : `${(100 * value).toFixed(2)}${NARROW}%`;

export function BookTranches({ book, accuracy }: { book: BookOutput['Book']; accuracy: Accuracies }) {
  const { Tranches: tranches = {}, Waterfall: layers, EconomicCapital: capital } = book;
  if (layers === undefined && capital === undefined) return null;
  const named = Object.entries(tranches);
  const most = Math.max(...named.map(([, { ExpectedLossPct }]) => ExpectedLossPct ?? 0), Number.MIN_VALUE);
  return (
    <div class="chart-table spread" data-tranches={named.length}>
      {named.length > 0 && (
        <>
          <h3>Mean loss of each tranche, of its size</h3>
          <Scroll label="Tranches">
            <table class="figures">
              <thead>
                <tr>
                  <th scope="col">Tranche</th>
                  <th scope="col">Of what is lent</th>
                  <th scope="col">Size, USD</th>
                  <th scope="col">Mean loss</th>
                  <td class="bar-column" />
                  <th scope="col">Chance of any loss</th>
                  <th scope="col">Chance that it is lost</th>
                </tr>
              </thead>
              <tbody>
                {named.map(([name, each]) => (
                  <tr key={name} data-tranche={name}>
                    <th scope="row">{name}</th>
                    <td class="text">{placeText(each)}</td>
                    <td>{each.Size === null ? '' : compact(each.Size)}</td>
                    <td data-value={each.ExpectedLossPct}>
                      {each.ExpectedLossPct === null ? 'not reached' : lossShare(each.ExpectedLossPct)}
                    </td>
                    <td class="bar-column" aria-hidden="true">
                      <svg width={BAR} height={12} aria-hidden="true">
                        <rect
                          class="loss-box"
                          width={(BAR * (each.ExpectedLossPct ?? 0)) / most}
                          y={2}
                          height={8}
                        />
                      </svg>
                    </td>
                    <td>{share(each.PrLoss)}</td>
                    <td>{share(each.PrFullLoss)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </>
      )}
      <details class="all-figures">
        <summary>Who bears the expected loss{capital !== undefined && ', and economic capital'}</summary>
        <Scroll label="Layers and capital">
          <table class="figures">
            <thead>
              <tr>
                <th scope="col">Part</th>
                <th scope="col">USD</th>
                <th scope="col">95{NARROW}% interval</th>
              </tr>
            </thead>
            <tbody>
              {layers !== undefined &&
                LAYERS.map(([name, words]) => (
                  <tr key={name}>
                    <th scope="row">{words}</th>
                    <td data-value={layers[name]}>{whole(layers[name])}</td>
                    <td class="text">{intervalText('ExpectedLoss', accuracy[`Waterfall ${name}`])}</td>
                  </tr>
                ))}
              {Object.entries(capital ?? {}).map(([level, value]) => (
                <tr key={level} data-capital={level}>
                  <th scope="row">Economic capital at {levelName(level)}</th>
                  <td data-value={value}>{whole(value)}</td>
                  <td class="text">{intervalText('ExpectedLoss', accuracy[`EconomicCapital ${level}`])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
        <p class="hint">
          What a spread bears is an upper bound, and tranches that overlap bear a loss twice. Economic capital is
          the loss at a level less the expected loss, over the term of the loans; it is no regulatory capital.
        </p>
      </details>
    </div>
  );
}
