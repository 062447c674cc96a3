/** The section on the open margin calls. */
import { cureUsd, hasPassed, unitsText } from '../call-text.ts';
import type { DeskResult } from '../result.ts';
import { counted, dayText, percent, usd } from '../words.ts';
import { type Html, html, NOTHING, section, table, whole } from './html.ts';

const MAX_CALLS = 40;

export function callsSection({ Calls, Data }: DeskResult): Html {
  if (Calls.length === 0) return NOTHING;
  const more = Calls.length - MAX_CALLS;
  return section(
    'calls',
    `${counted(Calls.length, 'open margin call')}`,
    html`<p>At the prices of ${dayText(Data.AsOf)}. Any one of the assets to add, or the repayment, brings the LTV to that at which the call ends; amounts are rounded up. ${whole('--calls')} writes them as a spreadsheet with a message for each borrower.</p>`,
    table(
      [
        'Loan',
        'Borrower',
        'Called, UTC',
        'Deadline, UTC',
        'Lent, USD',
        'LTV',
        'Ends at',
        'Add, USD',
        'in units of one asset',
        'or repay, USD',
      ],
      Calls.slice(0, MAX_CALLS).map(call => [
        whole(call.Id),
        whole(call.Borrower ?? ''),
        call.CalledBy === 'tape' ? moment(call.CalledAt) : 'no time in the tape',
        html`${moment(call.Deadline)}${hasPassed(call) ? html`<br><span class="bad-text">passed</span>` : ''}`,
        usd(call.LoanUsd),
        percent(call.Ltv),
        percent(call.RecoveryLtv),
        cureUsd(call.TopUpUsd),
        call.TopUp.map(each => html`<div>${unitsText(each)}</div>`),
        cureUsd(call.RepayUsd),
      ]),
      { firstNumber: 4 },
    ),
    more > 0
      ? html`<p class="small">${counted(more, 'more call')} with later deadlines ${more === 1 ? 'is' : 'are'} in the JSON and in the file of --calls.</p>`
      : NOTHING,
  );
}

/** `2026-01-31 15:00`, its day and its time each on one line. */
const moment = (text: string): Html => html`${whole(text.slice(0, 10))} ${text.slice(11, 16)}`;
