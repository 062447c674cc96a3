/** The section on scenarios: shocks of all prices, and past windows. */
import {
  cutText,
  type DeskResult,
  givenScenarios,
  headlineLevel,
  type LoanSum,
  type ReplayFigures,
  type StressedBook,
  scenarioLoss,
} from '../result.ts';
import { hasNoCalls, untilSentences } from '../sentences.ts';
import { counted, grouped, levelText, percent, roughUsd, simulatedUsd, usd } from '../words.ts';
import { figure, type Html, html, NOTHING, type Part, section, table } from './html.ts';
import { warningList } from './notes-sections.ts';
import { bars, WHISKERS } from './pictures.ts';

export function stressSection(result: DeskResult): Html {
  const { Stress, Run } = result;
  if (Stress === null) return NOTHING;
  const level = headlineLevel(Run);
  const scenarios = Stress.Scenarios.filter(({ Name }) => Name !== 'base');
  const at = levelText(Number(level));
  const windows = scenarios.flatMap(each =>
    each.Replay === null ? [] : [windowRow(each, each.Replay, level)],
  );
  const without = hasNoCalls(result.Loans) ? ['In margin call', 'Called'] : [];
  const rises = scenarios.some(({ Name }) => Name.startsWith('rise '));
  const bounds = untilSentences(result);
  const pictured = givenScenarios(result);
  const given = pictured.filter(({ Name }) => Name !== 'base');
  const worst = given.reduce((a, b) => (scenarioLoss(b) > scenarioLoss(a) ? b : a), given[0]);
  return section(
    'stress',
    'Scenarios',
    html`<p>The book of today after a fall ${rises ? 'or a rise ' : ''}of all prices at once (currencies and stablecoins unchanged), and along the hours of past windows. After each, ${counted(Run.HorizonDays, 'day')} ${Run.HorizonDays === 1 ? 'is' : 'are'} simulated under ${Run.Headline}. ${worst === undefined || scenarioLoss(worst) === 0 ? 'No scenario has a loss.' : html`The worst is “${worst.Title}”: ${roughUsd(scenarioLoss(worst))} USD.`}</p>`,
    figure(
      bars(
        'Loss by scenario',
        pictured.map(each => ({
          name: each.Name === 'base' ? 'as it is' : each.Name,
          value: scenarioLoss(each),
          label: `${roughUsd(scenarioLoss(each))} USD`,
          interval: each.Interval,
          tone: each.Name === 'base' ? 'main' : 'plain',
        })),
      ),
      `Loss by scenario, USD: lost in the replay, and expected loss after it. ${WHISKERS}`,
    ),
    ...(bounds.length === 0
      ? []
      : [
          html`<div class="keep"><h3>How far prices must fall</h3><ul>${bounds.map(each => html`<li>${each}</li>`)}</ul></div>`,
          html`<p class="small">The smallest of the falls that were looked at; the rows of these falls below are what follows from them.</p>`,
        ]),
    table(
      [
        'Scenario',
        'LTV',
        'In margin call',
        'Beyond liquidation',
        'Expected loss after, USD',
        `Mean beyond ${at} after, USD`,
      ],
      Stress.Scenarios.filter(({ Replay }) => Replay === null).map(each => shockRow(each, level)),
      { title: `All prices fall ${rises ? 'or rise ' : ''}at once`, without },
    ),
    windows.length === 0
      ? NOTHING
      : table(
          [
            'Window',
            'Highest LTV',
            'Called',
            'Sold by force',
            'Sold, USD',
            'Lost, USD',
            'Expected loss after, USD',
            `Mean beyond ${at} after, USD`,
          ],
          windows,
          { title: 'Past windows, hour by hour', without },
        ),
    html`<p class="small">At once: before borrower or lender can react. Along a window each loan follows its terms, to its maturity where that lies inside, and otherwise to the end; the highest LTV is that of the whole book without any sale. ${pathsSentence(result)} docs/stress.md has the rules.</p>`,
    warningList(result, 'replay'),
  );
}

/** The paths of a scenario. */
function pathsSentence({ Stress, Run }: DeskResult): string {
  const paths = Stress?.Paths ?? null;
  return paths === null
    ? `${Run.Headline} draws no paths: each has the windows of the past.`
    : `The ${grouped(paths, 0)} paths of the first page for each.`;
}

const loanSum = ({ Loans, LoanUsd }: LoanSum): string =>
  Loans === 0 ? 'none' : `${counted(Loans, 'loan')}, ${roughUsd(LoanUsd)} USD`;

function shockRow({ Title, Ltv, Called, Liquidated, Then }: StressedBook, level: string): Part[] {
  return [
    html`<b>${Title}</b>`,
    percent(Ltv),
    loanSum(Called),
    loanSum(Liquidated),
    ...afterwards(Then, level),
  ];
}

function windowRow(scenario: StressedBook, replay: ReplayFigures, level: string): Part[] {
  const { Name, Title, Then } = scenario;
  const cut = cutText(scenario);
  const { Lowest, Called, ClosedOut, Liquidated, ForcedSaleUsd, Loss } = replay;
  return [
    html`<b>${Name}</b> <span class="small">${Title}</span>${cut === '' ? NOTHING : html`<br><span class="bad-text">${cut}</span>`}`,
    percent(1 / Lowest, 0),
    counted(Called, 'loan'),
    counted(ClosedOut + Liquidated, 'loan'),
    roughUsd(ForcedSaleUsd),
    usd(Loss),
    ...afterwards(Then, level),
  ];
}

const afterwards = (then: StressedBook['Then'], level: string): Part[] =>
  then === null
    ? ['no loan open', '']
    : [simulatedUsd(then.ExpectedLoss), simulatedUsd(then.LossCVar[level])];
