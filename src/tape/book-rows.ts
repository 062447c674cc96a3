/**
 * Loans of a tape as rows of /book_risk, with faults of dates and notes on decisions.
 *
 * Must not know: the bounds of the members of a row.
 */
import { MS_PER_HOUR } from '../text/calendar-date.ts';
import { remedy } from './remedies.ts';
import type { LoanTerms, TapeFault, TapeLoan } from './tape.ts';
import { loanValueOf, owedUnits, type Prices, priceOf, unitsOf } from './valuation.ts';

/** The time of the simulation. */
export interface Following {
  /** The end of the data, milliseconds since 1970. */
  readonly asOfMs: number;
  /** Most days of a loan; its maturity may be earlier. */
  readonly horizonDays: number;
  /** Latest moment of a call; a call after the end of the data counts from that end. Absent: the end of the data. */
  readonly callsUntilMs?: number | undefined;
}

/** A row of `loans`; amounts are units by asset. */
export interface BookRow extends Readonly<Record<string, unknown>> {
  readonly collateral: Readonly<Record<string, number>>;
  readonly loan: Readonly<Record<string, number>>;
}
type Members = Readonly<Record<string, unknown>>;

/** Ids of loans by the decision on them. */
export type TapeNotes = ReadonlyMap<TapeNote, readonly string[]>;
export type TapeNote =
  | 'overdue'
  | 'no-maturity'
  | 'beyond-horizon'
  | 'call-is-over'
  | 'call-not-simulated'
  | 'call-liquidated'
  | 'call-after-data'
  | 'call-without-time'
  | 'no-recovery'
  | 'no-answer';

/** The end of a sentence that begins with the number of loans. */
export const TAPE_NOTES: Readonly<Record<TapeNote, string>> = {
  overdue:
    'past maturity: due now, and followed for the grace period from the end of the data, at least a day. Each is in every total and limit.',
  'no-maturity': 'without a maturity: followed to the horizon.',
  'beyond-horizon': 'with a maturity beyond the horizon: followed to the horizon.',
  'call-is-over': 'with called_at, and an LTV at which a call is over: called_at is not used.',
  'call-not-simulated':
    'with called_at, and an LTV between that at which a call is over and the margin call LTV: the call is open, and is not simulated. Write a margin_call_ltv below the LTV of the loan, and it begins with its call.',
  'call-liquidated':
    'with called_at, and an LTV above the liquidation LTV: sold from the start; called_at is not used.',
  'call-after-data':
    'with called_at after the end of the data: the call counts from that end, with its whole grace period.',
  'call-without-time':
    'in margin call without called_at: the call counts from the end of the data, with its whole grace period.',
  'no-recovery':
    'without recovery_ltv and initial_ltv: a margin call is over at the lower of the LTV today and the margin call LTV.',
  'no-answer': 'without top_up_share: nobody answers a call, and one that prices do not cure ends in a sale.',
};

const HOURS_PER_DAY = 24;
/** Days of the longest term of a row, far beyond a replay. */
const LONGEST_MATURITY = 3650;

export interface BookRows {
  /** In the order of the loans that have no fault. */
  readonly rows: readonly BookRow[];
  readonly loans: readonly TapeLoan[];
  readonly faults: readonly TapeFault[];
  readonly notes: TapeNotes;
}

export function bookRows(all: readonly TapeLoan[], following: Following, prices: Prices): BookRows {
  const notes = new Map<TapeNote, string[]>();
  const faults: TapeFault[] = [];
  const loans: TapeLoan[] = [];
  const rows: BookRow[] = [];
  for (const loan of all) {
    const own = faultsOfDates(loan, following);
    faults.push(...own);
    if (own.length > 0) continue;
    for (const note of notesOf(loan, following, prices))
      notes
        .set(note, notes.get(note) ?? [])
        .get(note)
        ?.push(loan.id);
    loans.push(loan);
    rows.push({ id: loan.id, ...amountsOf(loan, prices), ...termsOf(loan, following, prices) });
  }
  return { rows, loans, faults, notes };
}

/** Units of each collateral asset, and of the asset of the loan. */
const amountsOf = (loan: TapeLoan, prices: Prices): Pick<BookRow, 'collateral' | 'loan'> => ({
  collateral: Object.fromEntries(loan.collateral.map(line => [line.asset, unitsOf(line, prices)])),
  loan: { [loan.loanAsset]: owedUnits(loan, prices) },
});

/** The member `prices` of a request: the prices of the assets of its rows. */
export function pricesOfRows(rows: readonly BookRow[], prices: Prices): Readonly<Record<string, number>> {
  const assets = new Set(rows.flatMap(({ collateral, loan }) => Object.keys({ ...collateral, ...loan })));
  return Object.fromEntries([...assets].sort().map(asset => [asset, priceOf(asset, prices)]));
}

function termsOf(loan: TapeLoan, following: Following, prices: Prices): Members {
  const { terms, borrower } = loan;
  const recovery = terms.recovery_ltv ?? terms.initial_ltv;
  const isCalled = terms.called_at !== undefined && loanValueOf(loan, prices).status === 'called';
  return present({
    borrower,
    margin_call_ltv: terms.margin_call_ltv,
    liquidation_ltv: thresholdsOf(loan) ?? terms.liquidation_ltv,
    recovery_ltv: recovery,
    loan_duration: followedHours(terms, following) / HOURS_PER_DAY,
    maturity_days:
      terms.maturity === undefined
        ? null
        : Math.min(LONGEST_MATURITY, hoursToMaturity(terms.maturity, terms, following) / HOURS_PER_DAY),
    mc_top_up: terms.grace_hours,
    called_hours_ago: isCalled
      ? Math.max(0, hoursBetween(Number(terms.called_at), following.asOfMs))
      : undefined,
    interest_rate: terms.interest,
    top_up: group({
      share: terms.top_up_share,
      delay_hours: terms.top_up_delay_hours,
      to_ltv: terms.top_up_to_ltv,
    }),
    stage: terms.stage,
    days_past_due: terms.days_past_due,
    origination_pd: terms.origination_pd,
    sale_cost: terms.sale_cost,
    partial_sale: group({ to_ltv: terms.partial_sale_to_ltv, max_share: terms.partial_sale_max_share }),
  });
}

/** The liquidation LTVs of the assets of a loan; undefined for one threshold. */
function thresholdsOf({ collateral }: TapeLoan): Members | undefined {
  if (collateral.every(({ liquidationLtv }) => liquidationLtv === undefined)) return undefined;
  return Object.fromEntries(collateral.map(({ asset, liquidationLtv }) => [asset, liquidationLtv]));
}

function faultsOfDates({ id, lines, terms }: TapeLoan, { asOfMs, callsUntilMs }: Following): TapeFault[] {
  const place = { line: lines[0], id };
  const end = momentText(asOfMs);
  const faults: TapeFault[] = [];
  const call = terms.called_at;
  if (call !== undefined && call > asOfMs && call > (callsUntilMs ?? asOfMs))
    faults.push({
      ...place,
      code: 'out_of_range',
      column: 'called_at',
      ...(callsUntilMs === undefined
        ? {
            message: `the call of ${momentText(call)} lies after the end of the data, ${end}`,
            remedy: remedy('newerData'),
          }
        : {
            message: `the call of ${momentText(call)} lies in the future`,
            remedy: 'Correct called_at (UTC), or leave it empty.',
          }),
    });
  return faults;
}

function notesOf(loan: TapeLoan, following: Following, prices: Prices): TapeNote[] {
  const { maturity, recovery_ltv, initial_ltv } = loan.terms;
  const notes: TapeNote[] = [];
  if (maturity === undefined) notes.push('no-maturity');
  else if (maturity <= following.asOfMs) notes.push('overdue');
  else if (hoursBetween(following.asOfMs, maturity) > following.horizonDays * HOURS_PER_DAY)
    notes.push('beyond-horizon');
  const ofCall = noteOfCall(loan, following, prices);
  if (ofCall !== undefined) notes.push(ofCall);
  if (recovery_ltv === undefined && initial_ltv === undefined) notes.push('no-recovery');
  if (loan.terms.top_up_share === undefined) notes.push('no-answer');
  return notes;
}

function noteOfCall(loan: TapeLoan, { asOfMs }: Following, prices: Prices): TapeNote | undefined {
  const { called_at, recovery_ltv, initial_ltv } = loan.terms;
  const { status, ltv } = loanValueOf(loan, prices);
  if (called_at === undefined) return status === 'called' ? 'call-without-time' : undefined;
  if (status === 'called') return called_at > asOfMs ? 'call-after-data' : undefined;
  if (status === 'liquidated') return 'call-liquidated';
  return ltv > (recovery_ltv ?? initial_ltv ?? ltv) ? 'call-not-simulated' : 'call-is-over';
}

function followedHours(terms: LoanTerms, following: Following): number {
  const most = following.horizonDays * HOURS_PER_DAY;
  const { maturity } = terms;
  return maturity === undefined ? most : Math.min(most, hoursToMaturity(maturity, terms, following));
}

/** Hours from the end of the data; of a loan that is overdue its grace period, at least a day, which every grid of history has. */
function hoursToMaturity(maturity: number, { grace_hours = 0 }: LoanTerms, { asOfMs }: Following): number {
  const hours = hoursBetween(asOfMs, maturity);
  return hours > 0 ? hours : Math.max(HOURS_PER_DAY, grace_hours);
}

/** `the end of 2026-01-31`, `2026-01-31T15:00Z`. */
function momentText(ms: number): string {
  const text = new Date(ms).toISOString();
  return text.endsWith('T00:00:00.000Z')
    ? `the end of ${new Date(ms - MS_PER_HOUR).toISOString().slice(0, 10)}`
    : `${text.slice(0, 16)}Z`;
}

const hoursBetween = (fromMs: number, toMs: number) => (toMs - fromMs) / MS_PER_HOUR;

const present = (members: Readonly<Record<string, unknown>>): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** The present members as one member; undefined where all are absent. */
function group(members: Readonly<Record<string, unknown>>): Members | undefined {
  const found = present(members);
  return Object.keys(found).length === 0 ? undefined : found;
}
