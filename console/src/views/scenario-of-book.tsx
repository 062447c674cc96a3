/**
 * Why a loss of a book is what it is: one scenario of the run, hour by hour and loan by loan.
 *
 * Takes: the request of the book as it was asked. Gives: a section of the page.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  daysWithEvents,
  eventsText,
  type FollowedScenario,
  scenarioSentences,
} from '#src/desk/followed-scenario.ts';
import { post, type Refusal } from '../api/request.ts';
import { LinesChart, type Tone } from '../ui/charts.tsx';
import { Radios } from '../ui/fields.tsx';
import { levelName, percent, plain, whole } from '../ui/format.ts';
import { asRefusal, RefusalPanel } from '../ui/refusal-panel.tsx';
import { Scroll } from '../ui/scroll.tsx';

const WORST = 'worst';
const MAX_LOANS = 20;
const MAX_EVENTS = 6;
/** Of the assets whose prices fall most. */
const TONES: readonly Tone[] = ['accent', 'liquidation', 'marginCall', 'recovery', 'nominal'];

export function ScenarioOfBook(props: {
  readonly body: object;
  readonly seed: string;
  readonly query: Readonly<Record<string, string>>;
  /** Levels of the losses, rising. */
  readonly levels: readonly string[];
  /** Whether every loan is liquidated without a call. */
  readonly withoutCalls: boolean;
}) {
  const { body, seed, query, levels } = props;
  const chosen = useSignal(levels.at(-1) ?? WORST);
  const scenario = useSignal<FollowedScenario | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const busy = useSignal(false);
  const question = JSON.stringify([body, seed, query]);
  useEffect(() => {
    scenario.value = undefined;
    refusal.value = undefined;
  }, [question]);

  const ask = async () => {
    busy.value = true;
    refusal.value = undefined;
    try {
      const options = { seed, include: 'scenario', query: { ...query, scenario: chosen.value } };
      const answered = await post('/book_risk', body, options);
      scenario.value = (answered.body as unknown as { readonly Scenario: FollowedScenario }).Scenario;
    } catch (error) {
      refusal.value = asRefusal(error);
    }
    busy.value = false;
  };
  return (
    <section class="compare">
      <h3>Why? One scenario, hour by hour</h3>
      <Radios
        name="scenario-of-book"
        legend="The scenario"
        options={[
          ...levels.map(value => ({ value, label: `at the ${levelName(value)} loss` })),
          { value: WORST, label: 'with the largest loss' },
        ]}
        chosen={chosen.value}
        choose={value => {
          chosen.value = value;
          scenario.value = undefined;
        }}
      />
      <button type="button" onClick={ask} disabled={busy.value}>
        {busy.value ? 'Following the scenario' : 'Show the scenario'}
      </button>
      {refusal.value !== undefined && <RefusalPanel refusal={refusal.value} retry={ask} />}
      {scenario.value !== undefined && (
        <Followed scenario={scenario.value} withoutCalls={props.withoutCalls} />
      )}
    </section>
  );
}

function Followed(props: { scenario: FollowedScenario; withoutCalls: boolean }) {
  const { scenario, withoutCalls } = props;
  const { Hours, Loans } = scenario;
  const assets = Object.entries(Hours.Prices)
    .filter(([, prices]) => prices.some(price => price !== 1))
    .sort(([, a], [, b]) => Math.min(...a) - Math.min(...b))
    .slice(0, TONES.length);
  const loans = Object.entries(Loans);
  return (
    <div class="charts" data-scenario-path={scenario.Path}>
      <div class="spread">
        {scenarioSentences(scenario, withoutCalls).map(text => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <LinesChart
        title="Prices over those of the start"
        wide
        x={Hours.Hour}
        xText={{ label: 'hours', show: plain }}
        yText={{ label: 'of the price at the start', show: value => percent(value) }}
        lines={assets.map(([label, values], k) => ({ label, values, tone: TONES[k] }))}
      />
      {loans.length > 0 && (
        <div class="chart-table spread">
          <h3>Loans of the scenario</h3>
          <Scroll label="Loans of the scenario">
            <table class="figures">
              <thead>
                <tr>
                  <th scope="col">Loan</th>
                  <th scope="col">Lent, USD</th>
                  <th scope="col">Sold, USD</th>
                  <th scope="col">Lost, USD</th>
                  <th scope="col" class="text">
                    What happens, at which LTV
                  </th>
                </tr>
              </thead>
              <tbody>
                {loans.slice(0, MAX_LOANS).map(([id, loan]) => (
                  <tr key={id}>
                    <th scope="row">{id}</th>
                    <td>{whole(loan.LoanValue)}</td>
                    <td>{whole(loan.ForcedSaleUsd)}</td>
                    <td data-value={loan.Loss}>{whole(loan.Loss)}</td>
                    <td class="text">{eventsText(loan, MAX_EVENTS)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </div>
      )}
      <Days hours={Hours} withoutCalls={withoutCalls} />
    </div>
  );
}

function Days({ hours, withoutCalls }: { hours: FollowedScenario['Hours']; withoutCalls: boolean }) {
  const days = daysWithEvents(hours);
  if (days.length === 0) return null;
  return (
    <div class="chart-table spread">
      <h3>{withoutCalls ? 'Orders' : 'Calls, orders'}, sales and losses by day</h3>
      <Scroll label="Events of the scenario by day">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Day</th>
              {!withoutCalls && <th scope="col">Calls</th>}
              <th scope="col">Sales ordered</th>
              <th scope="col">Sold, USD</th>
              <th scope="col">Lost, USD</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, calls, orders, soldUsd, lossUsd }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {!withoutCalls && <td>{whole(calls)}</td>}
                <td>{whole(orders)}</td>
                <td>{whole(soldUsd)}</td>
                <td>{whole(lossUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </div>
  );
}
