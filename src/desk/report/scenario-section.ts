/** The section on one scenario: why the loss at the level of the headline is what it is. */
import { daysWithEvents, eventsText, scenarioSentences } from '../followed-scenario.ts';
import { type DeskResult, headlineLevel } from '../result.ts';
import { hasNoCalls } from '../sentences.ts';
import { levelText, percent, simulatedUsd } from '../words.ts';
import { figure, type Html, html, NOTHING, section, table, whole } from './html.ts';
import { lines, type Tone } from './pictures.ts';

const MAX_LOANS = 10;
const MAX_EVENTS = 4;
const MAX_DAYS = 8;
/** Points of a line of the picture. */
const MAX_POINTS = 200;
/** Of the assets with the most collateral. */
const TONES: readonly Tone[] = ['main', 'warm', 'bad', 'plain'];

export function scenarioSection({ Scenario, Run, Today, Loans: book }: DeskResult): Html {
  if (Scenario === null || Scenario.Loss === 0) return NOTHING;
  const { Hours, Loans } = Scenario;
  const withoutCalls = hasNoCalls(book);
  const assets = Today.Assets.map(({ Name }) => Name)
    .filter(name => Hours.Prices[name]?.some(price => price !== 1))
    .slice(0, TONES.length);
  const days = daysWithEvents(Hours);
  const shown = days.toSorted((a, b) => b.lossUsd - a.lossUsd || b.soldUsd - a.soldUsd).slice(0, MAX_DAYS);
  const loans = Object.entries(Loans).slice(0, MAX_LOANS);
  const end = Hours.Hour.length - 1;
  const last = Hours.Hour[end];
  const every = Math.ceil((end + 1) / MAX_POINTS);
  const points = [...Hours.Hour.keys()].filter(i => i % every === 0 || i === end);
  return section(
    'scenario',
    `The scenario at the ${levelText(Number(headlineLevel(Run)))} loss`,
    html`${scenarioSentences(Scenario, withoutCalls).map(text => html`<p>${text}</p>`)}`,
    figure(
      lines(
        'Prices of the scenario',
        assets.map((name, k) => ({
          name,
          tone: TONES[k],
          points: points.map(i => [Hours.Hour[i], Hours.Prices[name][i]] as const),
        })),
        hour => `day ${Math.round(hour / 24)}`,
        value => percent(value, 0),
        [0, last / 2, last],
      ),
      'Prices over those of today.',
    ),
    table(
      ['Loan', 'What happens, at which LTV', 'Lent, USD', 'Sold, USD', 'Lost, USD'],
      loans.map(([id, loan]) => [
        whole(id),
        eventsText(loan, MAX_EVENTS),
        simulatedUsd(loan.LoanValue),
        simulatedUsd(loan.ForcedSaleUsd),
        simulatedUsd(loan.Loss),
      ]),
      { title: 'The loans of it', firstNumber: 2 },
    ),
    table(
      ['Day', 'Calls', 'Sales ordered', 'Sold, USD', 'Lost, USD'],
      days
        .filter(day => shown.includes(day))
        .map(({ day, calls, orders, soldUsd, lossUsd }) => [
          day,
          calls,
          orders,
          simulatedUsd(soldUsd),
          simulatedUsd(lossUsd),
        ]),
      { title: 'Day by day', without: withoutCalls ? ['Calls'] : [] },
    ),
    html`<p class="small">One of the simulated paths, chosen by the loss of the book alone: others with the same loss look different. ${days.length > shown.length ? `The ${MAX_DAYS} days with the largest losses and sales. ` : ''}docs/books.md has the rules.</p>`,
  );
}
