/** Terms of real loans in a book, by columns with an entry per loan. Steps count from 0, the start. */
import { type Declared, doubles, type Faults, optional, perLoan, whole, words } from './fields.ts';
import { MAX_STEPS } from './grid.ts';

/** The state of a loan at step 0. */
export const LOAN_START = {
  /** Open, and step 0 is no step of the term. */
  none: 0,
  /** Open, and step 0 is a step of the term. */
  open: 1,
  /** With an open call. */
  called: 2,
  /** Below L. */
  liquidated: 3,
} as const;

export const BOOK_LENDING_FIELDS = {
  /** The debt at the end of the term, in units of that at the start. */
  debtGrowth: doubles(perLoan, { above: 0 }),
  /** Cost of a sale, as a fraction of it. */
  saleCost: doubles(perLoan, { least: 0, most: 1 }),
  /** A value of `LOAN_START`. */
  start: words(perLoan, whole(LOAN_START.none, LOAN_START.liquidated)),
  /** Step of the deadline of the call that is open at the start, 1 or more. */
  startDeadline: words(perLoan, whole(1, MAX_STEPS)),
  /** Step of the answer to it; 0 where it is not answered. */
  startAnswer: words(perLoan, whole(0, MAX_STEPS)),
  /** Probability of an answer to a call, 0..1. */
  answerShare: doubles(perLoan, { least: 0, most: 1 }),
  /** Steps from a call to its answer, 1 or more. */
  answerDelay: words(perLoan, whole(1, MAX_STEPS)),
  /** Collateral over debt that an answer restores; 0 without answers. */
  answerRatio: doubles(perLoan, { least: 0 }),
  /** The name of the draws that decide on answers: src/core/random/answers.ts. */
  nameHigh: words(perLoan),
  nameLow: words(perLoan),
  /** 1 where the thresholds of liquidation are those of the assets, `liquidationWeights` of the book; 0 for one of the loan. Default: 0. */
  byAsset: optional(words(perLoan, whole(0, 1))),
  /** 1 where one draw decides on all calls of a path, as for a borrower; 0 for a draw per call. */
  oneDraw: words(perLoan, whole(0, 1)),
  /** Collateral over debt that a sale restores, above 1 after its cost; 0 where all is sold. */
  saleRatio: doubles(perLoan, { least: 0 }),
  /** Most of the debt that one sale repays, above 0 and at most 1. */
  saleShare: doubles(perLoan, { above: 0, most: 1 }),
};
export interface BookLending extends Declared<typeof BOOK_LENDING_FIELDS> {}

/** The lending of loans without any of these terms. @param saleCost of the book */
export function plainLending(loans: number, saleCost: number): BookLending {
  const doubles = (value: number) => new Float64Array(loans).fill(value);
  const words = (value: number) => new Uint32Array(loans).fill(value);
  return {
    debtGrowth: doubles(1),
    saleCost: doubles(saleCost),
    start: words(LOAN_START.none),
    startDeadline: words(1),
    startAnswer: words(0),
    answerShare: doubles(0),
    answerDelay: words(1),
    answerRatio: doubles(0),
    nameHigh: words(0),
    nameLow: words(0),
    oneDraw: words(0),
    saleRatio: doubles(0),
    saleShare: doubles(1),
  };
}

export function checkLending({ saleRatio, saleCost }: BookLending, faults: Faults): void {
  const ratio = saleRatio.find((each, k) => each > 0 && !(each * (1 - saleCost[k]) > 1));
  if (ratio !== undefined)
    faults.add('plan.product.lending.saleRatio', 'ratios above 1 after the cost of a sale', ratio);
}

/** The members of a book that decide on the way to follow a loan. */
interface BookTerms {
  readonly saleCost: number;
  readonly marginCallRatio: Float64Array;
  readonly lending?: BookLending;
}

/** Whether a loan differs from a plain one: open at the start, without interest, sold as a whole, and with one threshold of liquidation. */
export const isFollowedSingly = (terms: BookTerms, k: number): boolean =>
  isByAsset(terms.lending, k) || differsInCourse(terms, k);

/** The same but for the threshold. */
function differsInCourse(terms: BookTerms, k: number): boolean {
  const { marginCallRatio, lending } = terms;
  return (
    lending !== undefined &&
    (lending.debtGrowth[k] !== 1 ||
      lending.start[k] >= LOAN_START.called ||
      // Under water at the start without a call.
      (lending.start[k] === LOAN_START.open && marginCallRatio[k] < 1) ||
      hasOwnSale(terms, k))
  );
}

/** Whether a loan has other rules than a plain one after its first call. */
export const hasOwnRules = (terms: BookTerms, k: number): boolean =>
  isByAsset(terms.lending, k) || hasOwnSale(terms, k);

const hasOwnSale = ({ saleCost, lending }: BookTerms, k: number): boolean =>
  lending !== undefined &&
  (lending.saleCost[k] !== saleCost || mayBeAnswered(lending, k) || sellsParts(lending, k));

/** Whether a loan is followed as a plain one up to its first call, which comes before a liquidation and before it is under water. */
export const isPlainUntilCalled = (terms: BookTerms, k: number): boolean =>
  !isByAsset(terms.lending, k) &&
  terms.marginCallRatio[k] >= 1 &&
  (!isUnderWay(terms, k) || !hasOwnRules(terms, k));

/** Whether a loan is called or liquidated at the start. */
export const isUnderWay = ({ lending }: BookTerms, k: number): boolean =>
  lending !== undefined && lending.start[k] >= LOAN_START.called;

/** Whether the thresholds of a loan are those of its assets. */
export const isByAsset = (lending: Pick<BookLending, 'byAsset'> | undefined, k: number): boolean =>
  lending?.byAsset?.[k] === 1;

/** Whether parts of a loan are sold; whether its calls may be answered. */
export const sellsParts = (lending: BookLending | undefined, k: number): boolean =>
  lending !== undefined && lending.saleRatio[k] > 0;
export const answersCalls = (lending: BookLending | undefined, k: number): boolean =>
  lending !== undefined && lending.answerRatio[k] > 0;

/** Whether a call of a loan is answered on some path. */
const mayBeAnswered = (lending: BookLending, k: number): boolean =>
  answersCalls(lending, k) && lending.answerShare[k] > 0;

/** Number of loans with more work than a plain one: calls may be answered, parts are sold, thresholds are by asset, or they begin in call. */
export const countOfSingleLoans = ({
  answerShare,
  saleRatio,
  byAsset,
  start,
}: Pick<BookLending, 'answerShare' | 'saleRatio' | 'byAsset' | 'start'>): number =>
  answerShare.reduce(
    (count, share, k) =>
      count + Number(share > 0 || saleRatio[k] > 0 || byAsset?.[k] === 1 || start[k] >= LOAN_START.called),
    0,
  );

/** Whether a book has loans with answers. */
export const hasAnswers = ({ lending }: Pick<BookTerms, 'lending'>): boolean =>
  lending?.answerRatio.some(ratio => ratio > 0) ?? false;

/** The member of a request that only the processor follows, of the first loan with one. */
export function memberOfLending(terms: BookTerms): string | undefined {
  const { marginCallRatio, saleCost, lending } = terms;
  const k = marginCallRatio.findIndex((_, loan) => differsInCourse(terms, loan));
  if (k < 0 || lending === undefined) return undefined;
  if (lending.saleRatio[k] > 0) return 'partial_sale';
  if (mayBeAnswered(lending, k)) return 'top_up';
  if (lending.debtGrowth[k] !== 1) return 'interest_rate';
  if (lending.saleCost[k] !== saleCost) return 'sale_cost';
  return 'N below M';
}
