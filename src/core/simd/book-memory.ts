/**
 * A book in the kernel's memory: the loans with baskets of their own, and their results. The layout is that of kernel/book-loans.ts,
 * kernel/book-lending.ts and kernel/book-terms.ts.
 */
import { SQUARE_COLUMNS } from '../book/book-sums.ts';
import { CREDIT_COLUMNS, CREDIT_SETS, CREDIT_SQUARES } from '../book/credit-columns.ts';
import { type DebtGrowth, debtGrowths } from '../book/debt-growth.ts';
import type { PreparedBook } from '../book/prepared-book.ts';
import type { BookLending } from '../plan/book-lending.ts';
import { type BookProduct, MAX_SQUARED_LOANS } from '../plan/product/book.ts';
import { answeringWords } from '../random/answers.ts';
import type { Kernel } from './kernel.ts';

const DOUBLE = Float64Array.BYTES_PER_ELEMENT;
const INTEGER = Int32Array.BYTES_PER_ELEMENT;
/** Doubles of a loan: lowest ratio, M / N, 1 / N, L / N, R / N, N, value. */
const LOWEST = 0;
const MARGIN_CALL = 1;
const UNDERWATER = 2;
const LIQUIDATION = 3;
const RECOVERY = 4;
const NOMINAL = 5;
const VALUE = 6;
/** Integers of a loan, behind its doubles: steps, deadline, address and number of its terms. */
const STEPS = 14;
const TOP_UP = 15;
const TERMS = 16;
const COUNT = 17;
/** Its status at the start, and the step index of the deadline of its call at the start. */
const AT_START = 22;
const START_DEADLINE = 23;
/** The address of its debt growth tables, and the largest growth, a double. */
const GROWTH = 24;
const MAX_GROWTH = 13;
/** The address of its rules, 0 where it has none. */
const RULES = 25;
/** Doubles of rules: cost of a sale, number of words that answer a call, ratios after an answer and a sale, most that a sale repays. */
const COST = 0;
const ANSWERING = 1;
const ANSWER_RATIO = 2;
const SALE_RATIO = 3;
const SALE_SHARE = 4;
/** Integers of rules: steps to an answer, the name, whether all calls have one draw. */
const ANSWER_DELAY = 10;
const NAME_HIGH = 11;
const NAME_LOW = 12;
const ONE_DRAW = 13;
/** Integers of credit sums: the last step within the horizon, and the address of the discount tables; then the sets of sums. */
const HORIZON = 0;
const DISCOUNT = 1;
const CREDIT_SET = CREDIT_COLUMNS.length + CREDIT_SQUARES.length;
/** Integers of a term: weights are doubles, then comes the asset. */
const TERM_ASSET = 4;
/** Bytes before the terms of a loan's whole-path test, and bytes of each term. */
const FRONT_BYTES = 8;

/** Places in the kernel's memory, in bytes or in elements of its views. */
export type BookMemory = ReturnType<typeof writeBook>;

/** Writes a book behind `at`. @param seed of the plan, for the draws of answers */
export function writeBook(
  kernel: Kernel,
  product: BookProduct,
  book: PreparedBook,
  assets: number,
  seed: number,
  at: number,
) {
  const { exports } = kernel;
  const loanBytes = exports.BOOK_LOAN_BYTES.value;
  const termBytes = exports.TERM_BYTES.value;
  const eventBytes = exports.BOOK_EVENT_BYTES.value;
  const sumsPlace = exports.BOOK_SUMS.value;
  const figureBytes = exports.BOOK_FIGURE_BYTES.value;
  const groups = book.aloneGroups;
  const places = groups.map(g => book.groupFirst[g]);
  const loans = places.map(place => book.byCall[place]);
  const { start, asset, collateral, loan: ofLoan } = book.terms;
  let terms = 0;
  for (const g of groups) terms += start[book.groupBasket[g] + 1] - start[book.groupBasket[g]];
  const firstTerm = at + loans.length * loanBytes;
  const fronts = firstTerm + terms * termBytes;
  const figures = fronts + loans.length * FRONT_BYTES + terms * FRONT_BYTES;
  const sold = figures + kernel.lanes * figureBytes;
  const keepsSquares = product.loanValue.length <= MAX_SQUARED_LOANS;
  const squares = sold + kernel.lanes * product.steps * DOUBLE;
  const squareDoubles = keepsSquares ? SQUARE_COLUMNS.length * loans.length : 0;
  const events = squares + squareDoubles * DOUBLE;
  // One sale and one loss per loan and path, at any step if parts are sold; events are emitted path by path.
  const eventsBytes = (2 * loans.length + product.steps + 2) * eventBytes;
  const { lending, credit } = product;
  const credits = events + eventsBytes;
  const creditBytes = exports.BOOK_CREDIT_BYTES.value;
  const creditsEnd = credits + (credit === undefined ? 0 : loans.length * creditBytes);
  const rules = creditsEnd;
  const rulesBytes = exports.BOOK_RULES_BYTES.value;
  const rulesAt = new Uint32Array(loans.length);
  let end = rules;
  book.singleFromCall.forEach((is, i) => {
    if (is === 0) return;
    rulesAt[i] = end;
    end += rulesBytes;
  });
  const rulesEnd = end;
  const growthAt = new Map<DebtGrowth, number>();
  const growths = debtGrowths(groups, book.groupGrowth, product.steps);
  const discounts = credit && debtGrowths(loans, credit.logDiscount, product.steps);
  for (const growth of [...growths, ...(discounts ?? [])]) {
    if (growth === undefined || growthAt.has(growth)) continue;
    growthAt.set(growth, end);
    end += (growth.ofStep.length + growth.beforeDay.length) * DOUBLE;
  }
  kernel.reserve(end - exports.PATHS.value);
  const { doubles, integers } = kernel;
  for (const [{ ofStep, beforeDay }, place] of growthAt) {
    doubles.set(ofStep, place / DOUBLE);
    doubles.set(beforeDay, place / DOUBLE + ofStep.length);
  }
  // Written in place: lists for a hundred thousand loans would double the memory.
  let term = firstTerm;
  for (let i = 0; i < loans.length; i++) {
    const k = loans[i];
    const n = product.nominalRatio[k];
    const double = (at + i * loanBytes) / DOUBLE;
    doubles[double + MARGIN_CALL] = product.marginCallRatio[k] / n;
    doubles[double + UNDERWATER] = 1 / n;
    doubles[double + LIQUIDATION] = product.liquidationRatio[k] / n;
    doubles[double + RECOVERY] = product.recoveryRatio[k] / n;
    doubles[double + NOMINAL] = n;
    doubles[double + VALUE] = product.loanValue[k];
    const integer = (at + i * loanBytes) / INTEGER;
    integers[integer + STEPS] = product.termSteps[k];
    integers[integer + TOP_UP] = product.topUpSteps[k];
    integers[integer + RULES] = rulesAt[i];
    if (lending !== undefined && rulesAt[i] !== 0) writeRules(kernel, rulesAt[i], lending, k);
    integers[integer + AT_START] = book.aloneStart[i];
    const growth = growths[i];
    integers[integer + GROWTH] = growth === undefined ? 0 : Number(growthAt.get(growth));
    doubles[double + MAX_GROWTH] = growth?.mostOver(product.termSteps[k]) ?? 1;
    integers[integer + START_DEADLINE] = book.aloneDeadline[i];
    integers[integer + TERMS] = term;
    const begin = term;
    const b = book.groupBasket[groups[i]];
    for (let j = start[b]; j < start[b + 1]; j++) {
      doubles[term / DOUBLE] = collateral[j];
      doubles[term / DOUBLE + 1] = ofLoan[j];
      integers[term / INTEGER + TERM_ASSET] = asset[j];
      term += termBytes;
    }
    integers[integer + COUNT] = (term - begin) / termBytes;
    if (credit === undefined || discounts === undefined) continue;
    const head = (credits + i * creditBytes) / INTEGER;
    const discount = discounts[i];
    integers[head + HORIZON] = credit.horizonSteps;
    integers[head + DISCOUNT] = discount === undefined ? 0 : Number(growthAt.get(discount));
  }
  exports.placeBook(
    at,
    loans.length,
    fronts,
    figures,
    sold,
    product.steps,
    keepsSquares ? squares : 0,
    credit === undefined ? 0 : credits,
    events,
    eventsBytes,
  );
  const creditSums = exports.BOOK_CREDIT_SUMS.value;
  const rulesSums = exports.BOOK_RULES_SUMS.value;
  const sumsOf = (loan: number) => (at + loan * loanBytes + sumsPlace) / DOUBLE;
  const worstOf = (loan: number) => (at + loan * loanBytes) / DOUBLE + LOWEST;
  return {
    /** Places of the kernel's loans in the prepared book. */
    places,
    groups,
    events,
    eventBytes,
    /** Begins a run over paths with the lowest ratios so far, one per group. */
    begin(worstRatio: Float64Array): void {
      for (let i = 0; i < groups.length; i++) {
        kernel.doubles[worstOf(i)] = worstRatio[groups[i]];
        kernel.doubles.fill(0, sumsOf(i), worstOf(i) + loanBytes / DOUBLE);
      }
      kernel.doubles.fill(0, squares / DOUBLE, squares / DOUBLE + squareDoubles);
      for (let at = credits; at < creditsEnd; at += creditBytes)
        kernel.doubles.fill(0, (at + creditSums) / DOUBLE, (at + creditBytes) / DOUBLE);
      for (let at = rules; at < rulesEnd; at += rulesBytes)
        kernel.doubles.fill(0, (at + rulesSums) / DOUBLE, (at + rulesBytes) / DOUBLE);
      exports.beginBook(assets, product.saleCost, product.saleDelaySteps, book.unit, seed);
    },
    /** Follows the loans along the paths of a packet. @param onEvents receives the bytes of events, at the end and whenever there is no room for more */
    follow(firstPath: number, lanes: number, onEvents?: (bytes: number) => void): void {
      exports.beginPaths();
      do {
        const bytes = exports.followBook(assets, firstPath, lanes, onEvents !== undefined);
        onEvents?.(bytes);
      } while (exports.areLoansLeft() !== 0);
    },
    /** Place of the sums of a loan's rules, ordered as LENDING_COLUMNS; undefined where it has none. */
    rulesSumsOf: (loan: number) => (rulesAt[loan] === 0 ? undefined : (rulesAt[loan] + rulesSums) / DOUBLE),
    figuresOf: (lane: number) => (figures + lane * figureBytes) / DOUBLE,
    soldOf: (lane: number) => sold / DOUBLE + lane * product.steps,
    sumsOf,
    /** Place of a loan's squares, ordered as SQUARE_COLUMNS; undefined where the book has none. */
    squaresOf: keepsSquares ? (loan: number) => squares / DOUBLE + loan * SQUARE_COLUMNS.length : undefined,
    worstOf,
    /** Place of the credit sums of a loan in a set, ordered as CREDIT_COLUMNS and CREDIT_SQUARES; undefined where the book has none. */
    creditOf:
      credit &&
      ((loan: number, set: (typeof CREDIT_SETS)[number]) =>
        (credits + loan * creditBytes + creditSums) / DOUBLE + CREDIT_SETS.indexOf(set) * CREDIT_SET),
  };
}

/** Writes the rules of loan k; their sums begin with zeros. */
function writeRules({ doubles, integers }: Kernel, at: number, lending: BookLending, k: number): void {
  const double = at / DOUBLE;
  doubles[double + COST] = lending.saleCost[k];
  doubles[double + ANSWERING] = answeringWords(lending.answerShare[k]);
  doubles[double + ANSWER_RATIO] = lending.answerRatio[k];
  doubles[double + SALE_RATIO] = lending.saleRatio[k];
  doubles[double + SALE_SHARE] = lending.saleShare[k];
  const integer = at / INTEGER;
  integers[integer + ANSWER_DELAY] = lending.answerDelay[k];
  integers[integer + NAME_HIGH] = lending.nameHigh[k];
  integers[integer + NAME_LOW] = lending.nameLow[k];
  integers[integer + ONE_DRAW] = lending.oneDraw[k];
}
