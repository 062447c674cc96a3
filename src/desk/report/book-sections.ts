/** Sections on the book today: LTV bands, a fall of all prices, concentration. */
import { isMoney } from '../../text/symbols.ts';
import { NO_PARTS, partsLevel } from '../parts-level.ts';
import type { Part as BookPart, DeskResult, LoanLine } from '../result.ts';
import { hasNoCalls } from '../sentences.ts';
import { afterFall } from '../today.ts';
import { counted, percent, roughUsd, usd } from '../words.ts';
import { figure, type Html, html, NOTHING, section, table } from './html.ts';
import { bars, lines } from './pictures.ts';

export function bandsSection({ Today, Loans }: DeskResult): Html {
  const used = Today.Bands.filter((_, k, all) => all.slice(k).some(each => each.Loans > 0));
  return section(
    'bands',
    'The book today',
    figure(
      bars(
        'Lent by LTV band',
        used.map(({ Name, Loans: count, LoanUsd }) => ({
          name: bandName(Name),
          value: LoanUsd,
          label: `${roughUsd(LoanUsd)} USD, ${counted(count, 'loan')}`,
        })),
      ),
      'Lent by LTV today (loan over collateral at the last closes).',
    ),
    fallTable(inOneMarket(Loans, Today.Assets)),
  );
}

const bandName = (name: string) => name.replace(/\d+(\.\d+)?/g, number => percent(Number(number), 0));

/** The book after a fall of all collateral but money by the same part, with all else unchanged. */
interface FallenBook {
  /** USD lent in loans beyond their margin call LTV, and of these beyond their liquidation LTV. */
  readonly calledUsd: number;
  readonly liquidatedUsd: number;
  /** USD lent beyond the value of the collateral. */
  readonly uncoveredUsd: number;
}

/** Loans in an asset that is collateral of any loan: its price is one for the book, and the debt falls with it. */
function inOneMarket(loans: readonly LoanLine[], assets: readonly BookPart[]): readonly LoanLine[] {
  const falling = new Set(assets.map(({ Name }) => Name).filter(name => !isMoney(name)));
  const falls = ({ Levels }: LoanLine) =>
    Levels.some(({ Asset, Rise }) => Rise === true && falling.has(Asset));
  return loans.map(loan => (falls(loan) ? { ...loan, LoanFalls: true as const } : loan));
}

function bookAfterFall(loans: readonly LoanLine[], fall: number): FallenBook {
  const fallen = loans.map(loan => ({ ...afterFall(loan, fall), loan }));
  const sum = (pick: (each: (typeof fallen)[number]) => number) =>
    fallen.reduce((total, each) => total + pick(each), 0);
  return {
    calledUsd: sum(({ loan, ltv, loanUsd }) => (ltv > loan.MarginCallLtv ? loanUsd : 0)),
    liquidatedUsd: sum(({ ltv, liquidationLtv, loanUsd }) => (ltv > liquidationLtv ? loanUsd : 0)),
    uncoveredUsd: sum(({ loanUsd, collateralUsd }) => Math.max(0, loanUsd - collateralUsd)),
  };
}

/** Falls on the axis of the picture: up to 70 %. */
const FALLS = Array.from({ length: 71 }, (_, k) => k / 100);
const TABLE_FALLS = [0, 0.1, 0.2, 0.3, 0.4, 0.5];

/** What a fall of all collateral does to the book, by the terms of the loans alone. */
export function fallPicture({ Loans, Today }: DeskResult): Html {
  const loans = inOneMarket(Loans, Today.Assets);
  const after = FALLS.map(fall => ({ fall, ...bookAfterFall(loans, fall) }));
  const line = (pick: (each: (typeof after)[number]) => number) =>
    after.map(each => [each.fall, pick(each)] as const);
  const withoutCalls = hasNoCalls(Loans);
  return figure(
    lines(
      `Lent in loans ${withoutCalls ? '' : 'in call, '}beyond liquidation, and not covered, after a fall of all collateral`,
      [
        ...(withoutCalls
          ? []
          : [{ name: 'in call or beyond', tone: 'warm', points: line(each => each.calledUsd) } as const]),
        { name: 'beyond liquidation', tone: 'main', points: line(each => each.liquidatedUsd) },
        { name: 'not covered', tone: 'bad', points: line(each => each.uncoveredUsd) },
      ],
      fall => `${-100 * fall} %`.replace('-0 ', '0 '),
      roughUsd,
      [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
    ),
    `USD lent in loans beyond their ${withoutCalls ? '' : 'margin call LTV, of these beyond their '}liquidation LTV, and USD lent beyond the value of the collateral, by the fall of all collateral today.`,
  );
}

const IN_CALL = 'In call or beyond, USD';

function fallTable(loans: DeskResult['Loans']): Html {
  const withoutCalls = hasNoCalls(loans);
  return html`<div class="keep"><h3>If all collateral falls at once</h3><p>By the terms of the loans alone, without a methodology: currencies and stablecoins stay, no other price moves, no borrower answers, nothing is sold.</p>${table(
    [
      'Fall of all collateral',
      IN_CALL,
      `${withoutCalls ? 'Beyond' : 'Of these beyond'} liquidation, USD`,
      'Not covered, USD',
    ],
    TABLE_FALLS.map(fall => {
      const { calledUsd, liquidatedUsd, uncoveredUsd } = bookAfterFall(loans, fall);
      return [fall === 0 ? 'none' : percent(fall, 0), usd(calledUsd), usd(liquidatedUsd), usd(uncoveredUsd)];
    }),
    { without: withoutCalls ? [IN_CALL] : [] },
  )}</div>`;
}

const MAX_BORROWERS = 10;

export function concentrationSection(result: DeskResult): Html {
  const { Today, Run, Models, Loans } = result;
  const level = partsLevel(result);
  const { Book } = Models[Run.Headline];
  const tail = level === null ? 0 : Book.LossCVar[level.key];
  const share = (part: number, all: number) => (all > 0 ? percent(part / all) : '');
  const assetRow = ({ Name, Loans: own, CollateralUsd }: BookPart, lost: number) => [
    Name,
    own,
    usd(CollateralUsd),
    share(CollateralUsd, Today.CollateralUsd),
    share(lost, tail),
  ];
  const borrowerRow = ({ Name, Loans: own, LoanUsd, CollateralUsd }: BookPart, lost: number) => [
    Name,
    own,
    usd(LoanUsd),
    share(LoanUsd, Today.LoanUsd),
    percent(LoanUsd / CollateralUsd),
    share(lost, tail),
  ];
  const lostBy = new Map<string, number>();
  for (const { Id, Borrower, Figures } of Loans) {
    const name = Borrower ?? Id;
    lostBy.set(name, (lostBy.get(name) ?? 0) + (level === null ? 0 : Figures.CVarContribution[level.key]));
  }
  const lostOf = (parts: readonly BookPart[]) =>
    parts.reduce((sum, { Name }) => sum + (lostBy.get(Name) ?? 0), 0);
  const [largest, others] = [Today.Borrowers.slice(0, MAX_BORROWERS), Today.Borrowers.slice(MAX_BORROWERS)];
  const all: BookPart = { Name: 'All', Loans: Loans.length, ...Today };
  const isInSeveral = Today.Assets.reduce((sum, { Loans: own }) => sum + own, 0) > Loans.length;
  return section(
    'concentration',
    'Concentration',
    html`<div class="pair">${table(
      ['Asset', 'Loans', 'Collateral, USD', 'Share', 'Share of tail loss'],
      [
        ...Today.Assets.map(part =>
          assetRow(part, (level && Book.Assets[part.Name]?.LossCVar[level.key]) ?? 0),
        ),
        assetRow(all, tail),
      ],
      { title: 'By asset of the collateral' },
    )}${table(
      ['Borrower', 'Loans', 'Lent, USD', 'Share', 'LTV', 'Share of tail loss'],
      [
        ...largest.map(part => borrowerRow(part, lostOf([part]))),
        ...(others.length === 0
          ? []
          : [borrowerRow(sumOf(others, counted(others.length, 'other')), lostOf(others))]),
        borrowerRow(all, tail),
      ],
      { title: 'By borrower' },
    )}</div>`,
    isInSeveral
      ? html`<p class="small">A loan with several assets counts in each of them, and once in All.</p>`
      : NOTHING,
    html`<p class="small">The ${largest.length} largest of ${counted(Today.Borrowers.length, 'borrower')}; a loan without a borrower is listed by its id. ${level === null ? NO_PARTS : `Tail loss: the mean loss beyond ${level.words}.`}</p>`,
  );
}

/** Parts as one. */
const sumOf = (parts: readonly BookPart[], Name: string): BookPart =>
  parts.reduce(
    (sum, each) => ({
      Name,
      Loans: sum.Loans + each.Loans,
      LoanUsd: sum.LoanUsd + each.LoanUsd,
      CollateralUsd: sum.CollateralUsd + each.CollateralUsd,
    }),
    { Name, Loans: 0, LoanUsd: 0, CollateralUsd: 0 },
  );
