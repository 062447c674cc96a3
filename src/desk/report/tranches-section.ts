/** The section on who bears the losses, and on economic capital (docs/tranches.md). */
import { type DeskResult, headlineLevel, type StressedBook } from '../result.ts';
import { capitalSentence, lossShare, ofSize, placeText, tranchesSentence } from '../tranche-sentences.ts';
import { attachedNames, type TrancheFigures } from '../tranches.ts';
import { chance, grouped, levelText, roughUsd, simulatedUsd } from '../words.ts';
import { figure, type Html, html, NOTHING, type Part, section, table, whole } from './html.ts';
import { bars, WHISKERS } from './pictures.ts';

const MAX_LOANS = 8;
const LAYERS = [
  ['Spread', 'Spread of loans without a loss'],
  ['Reserve', 'Reserve'],
  ['Tranches', 'Tranches'],
  ['Uncovered', 'None of these'],
] as const;

export function tranchesSection(result: DeskResult): Html {
  const { Models, Run } = result;
  const { Book } = Models[Run.Headline];
  const { Tranches, Waterfall, EconomicCapital } = Book;
  if (Waterfall === undefined && EconomicCapital === undefined) return NOTHING;
  const sentences = [tranchesSentence(Book), capitalSentence(Book, headlineLevel(Run))];
  return section(
    'tranches',
    Waterfall === undefined ? 'Economic capital' : 'Who bears the losses',
    html`<p>${sentences.filter(each => each !== '').join(' ')}</p>`,
    Tranches === undefined ? NOTHING : trancheTables(result, Tranches),
    Waterfall === undefined ? NOTHING : layers(result, Waterfall),
    EconomicCapital === undefined ? NOTHING : capital(result, EconomicCapital),
  );
}

type Tranches = NonNullable<DeskResult['Models'][string]['Book']['Tranches']>;

function trancheTables(result: DeskResult, tranches: Tranches): Part {
  const { Run, Accuracy, Stress } = result;
  const level = headlineLevel(Run);
  const named = Object.entries(tranches);
  // An attachment point that is sought is another one in each scenario.
  const fixed = attachedNames(Run.Waterfall);
  const shocked = (Stress?.Scenarios ?? []).filter(
    ({ Replay, Then }) => Replay === null && Then?.TrancheLossPct,
  );
  return [
    figure(
      bars(
        'Mean loss of each tranche, per cent of its size',
        named.map(([name, { ExpectedLossPct }]) => ({
          name,
          value: ExpectedLossPct ?? 0,
          label: ExpectedLossPct === null ? 'not reached' : lossShare(ExpectedLossPct),
          interval: Accuracy[`Tranches ${name} ExpectedLossPct`],
          tone: 'main',
        })),
      ),
      `Mean loss of each tranche in per cent of its size. ${WHISKERS}`,
    ),
    table(
      [
        'Tranche',
        'Of what is lent',
        'Size, USD',
        'Mean loss',
        'Chance of any loss',
        'Chance that it is lost',
        `Mean beyond ${levelText(Number(level))}`,
      ],
      named.map(([name, figures]) => trancheRow(name, figures, level)),
    ),
    ...(shocked.length < 2 || fixed.length === 0
      ? []
      : [
          table(
            ['Scenario', ...fixed],
            shocked.map(each => scenarioRow(each, fixed)),
            { title: 'Mean loss of each tranche if prices move at once' },
          ),
        ]),
  ];
}

function trancheRow(name: string, figures: TrancheFigures, level: string) {
  const { Size, ExpectedLossPct, PrLoss, PrFullLoss, LossCVar } = figures;
  const known = (value: number | null, text: (value: number) => string) =>
    value === null ? 'not reached' : text(value);
  return [
    html`<b>${whole(name)}</b>`,
    placeText(figures),
    known(Size, roughUsd),
    html`<b>${known(ExpectedLossPct, lossShare)}</b>`,
    known(PrLoss, chance),
    known(PrFullLoss, chance),
    ofSize(LossCVar[level], Size),
  ];
}

const scenarioRow = ({ Title, Then }: StressedBook, names: readonly string[]): readonly Part[] => [
  html`<b>${Title}</b>`,
  ...names.map(name => {
    const pct = Then?.TrancheLossPct?.[name];
    return pct == null ? '' : lossShare(pct);
  }),
];

function layers(
  { Run, Models }: DeskResult,
  waterfall: NonNullable<DeskResult['Models'][string]['Book']['Waterfall']>,
): Part {
  const { reserve, excess_spread: spread } = Run.Waterfall ?? {};
  const overlap = LAYERS.reduce((sum, [name]) => sum + waterfall[name], 0);
  const { ExpectedLoss } = Models[Run.Headline].Book;
  return [
    table(
      ['', 'USD', 'Share'],
      [
        ...LAYERS.map(([name, words]): readonly Part[] => [
          words,
          simulatedUsd(waterfall[name]),
          ExpectedLoss === 0 ? '' : chance(waterfall[name] / ExpectedLoss),
        ]),
        [html`<b>All</b>`, html`<b>${simulatedUsd(ExpectedLoss)}</b>`, ''],
      ],
      { title: 'Expected loss by who bears it' },
    ),
    html`<p class="small">Losses of a period are borne in this order.${reserve === undefined ? '' : ` The reserve is ${chance(reserve)} of what is lent, and is taken to pay principal.`}${spread === undefined ? '' : ` The spread is ${chance(spread)} a year on loans without a loss; when it is earned does not count, so that what it bears is an upper bound.`}${overlap > ExpectedLoss * (1 + 1e-9) ? ' Tranches overlap: what two of them bear counts twice.' : ''} There are no coupons, triggers or amortisation, and losses are not discounted. After a move of prices, losses are those of the simulation that follows.</p>`,
  ];
}

function capital(
  { Run, Models, Accuracy, Loans }: DeskResult,
  byLevel: Readonly<Record<string, number>>,
): Part {
  const { Book } = Models[Run.Headline];
  const level = headlineLevel(Run);
  const largest = Loans.flatMap(({ Id, Borrower, LoanUsd, Figures }) => {
    const part = Figures.CapitalContribution?.[level];
    return part === undefined || part <= 0 ? [] : [{ Id, Borrower, LoanUsd, part }];
  })
    .sort((a, b) => b.part - a.part)
    .slice(0, MAX_LOANS);
  return [
    table(
      ['Level', 'Loss at the level, USD', 'Expected loss, USD', 'Economic capital, USD', '95 % interval'],
      Object.entries(byLevel).map(([each, value]): readonly Part[] => {
        const { low = null, high = null } = Accuracy[`EconomicCapital ${each}`] ?? {};
        return [
          levelText(Number(each)),
          simulatedUsd(Book.LossVar[each]),
          simulatedUsd(Book.ExpectedLoss),
          html`<b>${simulatedUsd(value)}</b>`,
          low === null || high === null ? 'not known' : `${roughUsd(low)} to ${roughUsd(high)}`,
        ];
      }),
      { title: 'Economic capital' },
    ),
    largest.length === 0
      ? NOTHING
      : table(
          [
            'Loan',
            'Borrower',
            'Lent, USD',
            `Part in the capital at ${levelText(Number(level))}, USD`,
            'Of it',
          ],
          largest.map(({ Id, Borrower, LoanUsd, part }) => [
            whole(Id),
            Borrower ?? '',
            grouped(LoanUsd, 0),
            simulatedUsd(part),
            chance(part / byLevel[level]),
          ]),
          { firstNumber: 2 },
        ),
    html`<p class="small">The loss at a level less the expected loss, over the term of the loans: capital for ${Number((Book.CapitalHorizonDays ?? 0).toFixed(1))} days is not that of a year. Parts are in proportion to what a loan adds to the losses beyond the level, and add up to the capital. This is no regulatory capital: the Basel framework (SCO60) does not recognise most coins and stablecoins as collateral, and weights such a loan as unsecured.</p>`,
  ];
}
