/** The call sheet in words. */
import type { CureBy, LoanCall } from './calls.ts';
import type { DeskResult } from './result.ts';
import { counted, dayText, grouped, listed, percent } from './words.ts';

const MAX_IDS = 5;
/** Most decimals of an amount in units. */
const MAX_DECIMALS = 8;

/** `2026-01-31 15:00 UTC` */
export const momentWords = (moment: string): string => `${moment.slice(0, 16).replace('T', ' ')} UTC`;

export const hasPassed = ({ HoursLeft }: Pick<LoanCall, 'HoursLeft'>): boolean => HoursLeft <= 0;

/** Rounded up: what is written down cures the call. */
function roundedUp(value: number, decimals: number): string {
  const step = 10 ** decimals;
  // 0.29 is not 29 x 0.01 in binary.
  return grouped(Math.ceil(Number((value * step).toPrecision(14))) / step, decimals);
}

/** `12,345.68` */
export const cureUsd = (usd: number): string => roundedUp(usd, 2);

/** `0.20345 BTC`: so many decimals that the last one is worth a cent at most. */
export function unitsText({ Units, Price, Asset }: CureBy): string {
  const decimals = Math.min(MAX_DECIMALS, Math.max(0, Math.ceil(Math.log10(Price * 100))));
  return `${roundedUp(Units, decimals)} ${Asset}`;
}

/** What the desk writes to the borrower. */
export function callMessage(call: LoanCall, asOf: string): string {
  const { Id, Borrower, CalledAt, CalledBy, Deadline, Ltv, RecoveryLtv, TopUpUsd, TopUp, RepayUsd } = call;
  const prices = [...TopUp, call.Repay]
    .filter(({ Asset }, k, all) => Asset !== 'USD' && all.findIndex(each => each.Asset === Asset) === k)
    .map(({ Asset, Price }) => `${Asset} ${Number(Price.toPrecision(8))}`);
  return [
    `Loan ${Id}${Borrower === null ? '' : ` of ${Borrower}`} is in margin call${CalledBy === 'tape' ? ` since ${momentWords(CalledAt)}` : ''}: its LTV is ${percent(Ltv, 2)}, and the call ends at ${percent(RecoveryLtv, 2)}.`,
    `${hasPassed(call) ? `The deadline, ${momentWords(Deadline)}, has passed: at once` : `By ${momentWords(Deadline)}`} add collateral of ${cureUsd(TopUpUsd)} USD (${TopUp.map(unitsText).join(' or ')}), or repay ${cureUsd(RepayUsd)} USD${call.Repay.Asset === 'USD' ? '' : ` (${unitsText(call.Repay)})`}.`,
    `Prices of ${dayText(asOf)}${prices.length === 0 ? '' : `, USD: ${prices.join(', ')}`}.`,
  ].join(' ');
}

/** The deadlines of the open calls, for the first page; empty without a call. */
export function deadlinesSentence({ Calls }: Pick<DeskResult, 'Calls'>): string {
  const late = Calls.filter(hasPassed).map(({ Id }) => Id);
  const next = Calls.find(call => !hasPassed(call));
  const parts = [
    ...(late.length === 0
      ? []
      : [
          `the ${late.length === 1 ? 'deadline of 1 call has' : `deadlines of ${counted(late.length, 'call')} have`} passed (${listed(late, MAX_IDS)})`,
        ]),
    ...(next === undefined ? [] : [`the next deadline is ${momentWords(next.Deadline)} (${next.Id})`]),
  ];
  return parts.length === 0 ? '' : `Of ${counted(Calls.length, 'open margin call')} ${parts.join('; ')}.`;
}
