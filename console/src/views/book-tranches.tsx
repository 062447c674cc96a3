/** Who bears the losses of a book, tranche by tranche and layer by layer, and its economic capital. */
import { placeText } from '#src/desk/tranche-sentences.ts';
import type { Accuracies } from '../compute/answer.ts';
import { figureName } from '../ui/figure-names.ts';
import { figureText, intervalText } from '../ui/figures.tsx';
import { compact, levelName, NARROW, whole } from '../ui/format.ts';
import { Scroll } from '../ui/scroll.tsx';
import type { BookOutput } from './book-results.tsx';

const BAR = 140;
const MEAN = 'ExpectedLossPct';
/** Names of the figures of a tranche as the page has them. */
const ofTranche = (name: string) => `Tranche: ${name}`;

const share = (value: number | null) =>
  value === null ? 'not reached' : `${(100 * value).toFixed(2)}${NARROW}%`;

export function BookTranches({ book, accuracy }: { book: BookOutput['Book']; accuracy: Accuracies }) {
  const { Tranches: tranches = {}, Waterfall: layers, EconomicCapital: capital } = book;
  if (layers === undefined && capital === undefined) return null;
  const named = Object.entries(tranches);
  const sure = (name: string) => accuracy[`Tranches ${name} ${MEAN}`];
  const most = Math.max(...named.map(([, { ExpectedLossPct }]) => ExpectedLossPct ?? 0), Number.MIN_VALUE);
  return (
    <div class="chart-table spread" data-tranches={named.length}>
      {named.length > 0 && (
        <>
          <h3>Expected loss of each tranche, of its size</h3>
          <Scroll label="Tranches">
            <table class="figures">
              <thead>
                <tr>
                  <th scope="col">Tranche</th>
                  <th scope="col">Of what is lent</th>
                  <th scope="col">Size, USD</th>
                  <th scope="col">{figureName(ofTranche(MEAN)).label}</th>
                  <th scope="col">95{NARROW}% interval</th>
                  <td class="bar-column" />
                  <th scope="col">{figureName(ofTranche('PrLoss')).label}</th>
                  <th scope="col">{figureName(ofTranche('PrFullLoss')).label}</th>
                </tr>
              </thead>
              <tbody>
                {named.map(([name, each]) => (
                  <tr key={name} data-tranche={name}>
                    <th scope="row">{name}</th>
                    <td>{placeText(each).replaceAll(' %', `${NARROW}%`)}</td>
                    <td>{each.Size === null ? '' : compact(each.Size)}</td>
                    <td data-figure={`Tranches ${name} ExpectedLossPct`} data-value={each.ExpectedLossPct}>
                      {each.ExpectedLossPct === null
                        ? 'not reached'
                        : figureText(ofTranche(MEAN), each.ExpectedLossPct, sure(name))}
                    </td>
                    <td class="interval">{intervalText(ofTranche(MEAN), sure(name))}</td>
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
                    <td data-figure={`Tranches ${name} PrLoss`} data-value={each.PrLoss}>
                      {share(each.PrLoss)}
                    </td>
                    <td data-figure={`Tranches ${name} PrFullLoss`} data-value={each.PrFullLoss}>
                      {share(each.PrFullLoss)}
                    </td>
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
                Object.entries(layers).map(([name, value]) => (
                  <tr key={name}>
                    <th scope="row">{figureName(`Waterfall: ${name}`).label}</th>
                    <td data-figure={`Waterfall ${name}`} data-value={value}>
                      {whole(value)}
                    </td>
                    <td class="interval">{intervalText('ExpectedLoss', accuracy[`Waterfall ${name}`])}</td>
                  </tr>
                ))}
              {Object.entries(capital ?? {}).map(([level, value]) => (
                <tr key={level}>
                  <th scope="row">Economic capital at {levelName(level)}</th>
                  <td data-figure={`EconomicCapital ${level}`} data-value={value}>
                    {whole(value)}
                  </td>
                  <td class="interval">
                    {intervalText('ExpectedLoss', accuracy[`EconomicCapital ${level}`])}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
        <p class="hint">
          What a spread bears is an upper bound, and tranches that overlap bear a loss twice. Economic capital
          is the loss at a level less the expected loss, over the term of the loans; it is no regulatory
          capital.
        </p>
      </details>
    </div>
  );
}
