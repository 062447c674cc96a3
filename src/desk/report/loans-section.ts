/** The section on the loans with the largest part of the tail. */

import { NO_PARTS, partsLevel } from '../parts-level.ts';
import type { AssetLevel, DeskResult, LoanLine } from '../result.ts';
import { hasNoCalls, sentencesOf } from '../sentences.ts';
import { chance, counted, fallText, percent, price, roughUsd, simulatedUsd } from '../words.ts';
import { type Html, html, type Part, section, table, whole } from './html.ts';

const MAX_LOANS = 12;

const STATUS_WORDS: Readonly<Record<LoanLine['Status'], string>> = {
  within: '',
  called: 'in call',
  liquidated: 'beyond liquidation',
};

export function loansSection(result: DeskResult): Html {
  const { Loans, Run } = result;
  const { calls } = sentencesOf(result);
  const level = partsLevel(result);
  const withoutCalls = hasNoCalls(Loans);
  const called = `Called in ${counted(Run.HorizonDays, 'day')}`;
  const shown = Loans.slice(0, MAX_LOANS);
  const levels = (loan: LoanLine, pick: (each: AssetLevel) => number | null): Part =>
    loan.Levels.map(each => {
      const found = pick(each);
      return html`<div>${each.Asset} ${found === null ? 'alone never' : `${price(found)}${each.Rise === true ? ' (rise)' : ''}`}</div>`;
    });
  return section(
    'loans',
    `The ${shown.length === 1 ? 'loan that matters' : `${shown.length} loans that matter`}`,
    html`<p>${calls === '' ? '' : `${calls} `}${level === null ? `${NO_PARTS} Sorted by expected loss and LTV.` : `Sorted by their part in the mean loss beyond ${level.words}, then by expected loss and LTV.`}</p>`,
    table(
      [
        'Loan',
        'Borrower',
        'Lent, USD',
        'LTV today',
        'Fall to call',
        'Call price, USD',
        'Fall to liquidation',
        'Liquidation price, USD',
      ],
      shown.map(loan => [
        named(loan),
        whole(loan.Borrower ?? ''),
        roughUsd(loan.LoanUsd),
        percent(loan.Ltv),
        loan.Status === 'within' ? fallOrNever(loan.FallToCall) : 'in call',
        levels(loan, each => each.CallPrice),
        loan.Status === 'liquidated' ? 'beyond' : fallOrNever(loan.FallToLiquidation),
        levels(loan, each => each.LiquidationPrice),
      ]),
      {
        title: `What they owe, and when they are ${withoutCalls ? 'liquidated' : 'called'}`,
        firstNumber: 2,
        without: withoutCalls ? ['Fall to call', 'Call price, USD'] : [],
      },
    ),
    html`<p class="small">A ${withoutCalls ? 'liquidation' : 'call'} price is the price of one asset with the others unchanged, reached by a fall, or by a rise where the loan is in the asset; a fall is one of all collateral together but stablecoins and currencies. The dollar has no price here; a stablecoin of the collateral has one, to which it would have to lose its peg.</p>`,
    table(
      [
        'Loan',
        called,
        'Sold by force',
        'Expected loss, USD',
        ...(level === null ? [] : ['Part of tail loss, USD']),
      ],
      shown.map(loan => [
        whole(loan.Id),
        chance(loan.Figures.PrMarginCall),
        chance(loan.Figures.PrSale ?? loan.Figures.PrCloseout + loan.Figures.PrLiquidation),
        simulatedUsd(loan.Figures.ExpectedLoss),
        ...(level === null ? [] : [simulatedUsd(loan.Figures.CVarContribution[level.key])]),
      ]),
      { title: 'What they may cost', without: withoutCalls ? [called] : [] },
    ),
    html`<p class="small">Chances are those until the maturity of a loan, at most ${counted(Run.HorizonDays, 'day')}.</p>`,
  );
}

/** The id, with what must be known of the loan today. */
const named = ({ Id, Status, Overdue }: LoanLine): Html =>
  html`${whole(Id)}${[STATUS_WORDS[Status], Overdue ? 'overdue' : ''].filter(text => text !== '').map(text => html` <span class="bad-text whole">${text}</span>`)}`;

const fallOrNever = (fall: number | null): string => (fall === null ? 'by no fall' : fallText(fall));
