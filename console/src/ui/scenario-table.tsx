/** Scenarios of /stress as a table: what happens at once, in a replay and after it, with bars of the losses. */
import type { AnswerOf } from '../api/request.ts';
import { percent, whole } from './format.ts';
import { Scroll } from './scroll.tsx';

type Scenario = AnswerOf<'/stress'>['Output']['Scenarios'][string];

const BAR = 140;

/** What is lost in a replay and after it, USD. */
export const scenarioLoss = ({ Replay, Book }: Pick<Scenario, 'Replay' | 'Book'>) =>
  (Replay?.Loss ?? 0) + (Book?.ExpectedLoss ?? 0);

/** At once, or along a replay without sales and answers. */
const highestLtv = ({ Ltv, Replay }: Scenario) => (Replay === undefined ? Ltv : 1 / Replay.Lowest);

export function ScenarioTable(props: {
  scenarios: readonly (readonly [string, Scenario])[];
  titles: ReadonlyMap<string, string>;
  /** Number of loans. */
  of: number;
}) {
  const { scenarios, titles, of } = props;
  const most = Math.max(...scenarios.map(([, each]) => scenarioLoss(each)), Number.MIN_VALUE);
  const hasReplay = scenarios.some(([, { Replay }]) => Replay !== undefined);
  return (
    <Scroll label="Scenarios">
      <table class="figures wide-names" data-scenarios={scenarios.length}>
        <thead>
          <tr>
            <th scope="col">Scenario</th>
            <th scope="col">Highest LTV</th>
            <th scope="col" class="text">
              At once
            </th>
            {hasReplay && (
              <>
                <th scope="col" class="text">
                  In the replay
                </th>
                <th scope="col">Lost in the replay, USD</th>
              </>
            )}
            <th scope="col">Expected loss after it, USD</th>
            <td class="bar-column" />
          </tr>
        </thead>
        <tbody>
          {scenarios.map(([name, each]) => (
            <tr key={name} data-scenario={name}>
              <th scope="row">{titles.get(name) ?? name}</th>
              <td data-value={highestLtv(each)}>{percent(highestLtv(each))}</td>
              <td class="text">{atOnce(each, of)}</td>
              {hasReplay && (
                <>
                  <td class="text">{inReplay(each, of)}</td>
                  <td data-value={each.Replay?.Loss}>
                    {each.Replay === undefined ? '' : whole(each.Replay.Loss)}
                  </td>
                </>
              )}
              <td data-value={each.Book?.ExpectedLoss}>
                {each.Book == null ? 'no loan left' : whole(each.Book.ExpectedLoss)}
              </td>
              <td class="bar-column" aria-hidden="true">
                <svg width={BAR} height={12} aria-hidden="true">
                  <rect class="loss-box" width={(BAR * (each.Replay?.Loss ?? 0)) / most} y={2} height={8} />
                  <rect
                    class="days-box"
                    x={(BAR * (each.Replay?.Loss ?? 0)) / most}
                    width={(BAR * (each.Book?.ExpectedLoss ?? 0)) / most}
                    y={2}
                    height={8}
                  />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** `2 called, 1 liquidated`; of one loan: `called, liquidated`. */
function happened(counts: Readonly<Record<string, number>>, of: number): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => (of === 1 ? word : `${whole(count)} ${word}`));
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

const atOnce = ({ Called, Liquidated }: Scenario, of: number) =>
  happened({ called: Called.Loans, liquidated: Liquidated.Loans }, of);

const inReplay = ({ Replay }: Scenario, of: number) =>
  Replay === undefined
    ? ''
    : happened({ called: Replay.Called, 'closed out': Replay.ClosedOut, liquidated: Replay.Liquidated }, of);
