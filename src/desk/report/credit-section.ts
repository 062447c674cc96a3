/** The section on credit figures: the allowance by stage, the loans with the largest part of it, and its movement (docs/credit.md). */
import type { AllowanceRow, LoanCredit } from '../credit-figures.ts';
import type { DeskResult, LoanLine } from '../result.ts';
import { chance, counted, dayText, grouped, listed, percent, simulatedUsd, usd } from '../words.ts';
import { type Html, html, NOTHING, type Part, section, table, whole } from './html.ts';

const MAX_LOANS = 20;
const MAX_MOVES = 30;

const MOVEMENT: readonly (readonly [cause: keyof AllowanceRow, words: string])[] = [
  ['Opening', 'Opening'],
  ['Moved', 'Moved between stages'],
  ['Repaid', 'Repaid or gone'],
  ['New', 'New loans'],
  ['Prices', 'Prices'],
  ['Window', 'Window, fit and time'],
  ['Terms', 'Terms'],
  ['Closing', 'Closing'],
];

export function creditSection(result: DeskResult): Html {
  const { Models, Run, Loans, Data } = result;
  const { Credit } = Models[Run.Headline].Book;
  if (Credit === undefined) return NOTHING;
  const { event = 'sale', horizon_days: horizon = 365, effective_rate: rate } = Run.Credit ?? {};
  const stages = Object.entries(Credit.Stages);
  const shown = Loans.flatMap(line => (line.Figures.Credit ? [{ line, credit: line.Figures.Credit }] : []))
    .sort((a, b) => b.credit.ECL - a.credit.ECL || b.credit.Stage - a.credit.Stage)
    .slice(0, MAX_LOANS);
  return section(
    'credit',
    'Credit figures',
    html`<p>The allowance for expected credit losses is <b>${usd(Credit.ECL)} USD</b> by the stages of IFRS 9 as of ${dayText(Data.AsOf)}; over the whole life of all loans, as ASC 326 asks, it is ${usd(Credit.CECL)} USD. Collateral lacks ${usd(Credit.CollateralShortfall)} USD of what is owed today. ${discountSentence(rate)}</p>`,
    table(
      [
        'Stage',
        'Loans',
        'Lent, USD',
        'Expected loss, life',
        `Within ${grouped(horizon, 0)} days`,
        'Allowance, USD',
      ],
      stages.map(([stage, { Loans: count, LoanValue, EL, ELHorizon, ECL }]): readonly Part[] => [
        stage,
        grouped(count, 0),
        usd(LoanValue),
        usd(EL),
        usd(ELHorizon),
        html`<b>${usd(ECL)}</b>`,
      ]),
    ),
    table(
      ['Loan', 'Stage', 'Why', 'PD', 'EAD, USD', 'LGD', 'Allowance, USD', '± error'],
      shown.map(({ line, credit }) => loanRow(line, credit)),
      { title: 'The loans with the largest part of it', firstNumber: 3 },
    ),
    html`<p class="small">${eventSentence(event)} EAD is the mean debt at that moment, with interest; LGD is the sum of the losses over the sum of these debts, so that PD x EAD x LGD is the expected loss of the loan. ± is the standard error of sampling. A cured or answered margin call is no default; a loss counts when the last sale is done; what borrowers may pay beyond their collateral is not counted. Stage 3: below the liquidation LTV, or 90 days past due; stage 2: in margin call, or 30 days past due; unless the tape or the terms of the run say otherwise.</p>`,
    html`<p class="small">No price after the reporting date is used. The LGD is neither weighted by defaults of the past nor that of a downturn, and is no regulatory one. Defaults for other reasons than prices are in no figure but through days past due; prices have no drift, and no scenarios of the economy are weighted.</p>`,
    movement(result),
  );
}

function discountSentence(rate: number | string | undefined): string {
  if (rate === undefined) return 'Losses are not discounted.';
  return `Losses are discounted at ${rate === 'interest' ? 'the interest rate of each loan' : `an effective rate of ${percent(Number(rate))} a year`}.`;
}

const eventSentence = (event: string): string =>
  event === 'loss'
    ? 'A default is a liquidation, a closeout or collateral handed over below the debt that ends in a loss.'
    : 'A default is a liquidation, a closeout after an unanswered call, or collateral handed over below the debt at maturity.';

const loanRow = (
  line: LoanLine,
  { Stage, Reason, StageUncertain, PD, EAD, LGD, ECL, Error: error }: LoanCredit,
): readonly Part[] => [
  whole(line.Id),
  `${Stage}${StageUncertain ? ' (uncertain)' : ''}`,
  Reason === 'no rule' ? '' : Reason,
  chance(PD ?? 0),
  EAD === null ? 'none' : usd(EAD),
  LGD === null ? 'none' : percent(LGD, 2),
  simulatedUsd(ECL),
  error === undefined || error === null ? '' : simulatedUsd(error),
];

/** The allowance from the earlier book to this one. */
function movement({ Compared }: DeskResult): Part {
  const allowance = Compared?.Allowance;
  if (allowance === undefined || Compared === null) return NOTHING;
  const { Stages, Moves } = allowance;
  const rows = Object.entries(Stages);
  const total = (cause: keyof AllowanceRow) => rows.reduce((sum, [, row]) => sum + row[cause], 0);
  const moves = Moves.map(({ Id, From, To }) => `${Id} (${From} to ${To})`);
  return html`${table(
    ['USD', ...rows.map(([stage]) => `Stage ${stage}`), 'All'],
    MOVEMENT.map(([cause, words]) => {
      const cells = [...rows.map(([, row]) => row[cause]), total(cause)].map(value => simulatedUsd(value));
      return cause === 'Closing' || cause === 'Opening'
        ? [html`<b>${words}</b>`, ...cells.map(cell => html`<b>${cell}</b>`)]
        : [words, ...cells];
    }),
    { title: `The movement of the allowance since ${dayText(Compared.AsOf)}` },
  )}<p class="small">Both books are computed by this program on the same draws. A loan moves between stages at its opening amount; what changes after that is of its new stage.${moves.length === 0 ? '' : ` ${counted(moves.length, 'loan')} moved: ${listed(moves, MAX_MOVES)}.`}</p>`;
}
