/**
 * What the terms of real loans cost in a book: in times of the same book without them, in one run on each engine.
 *
 * `node build/bench/operations/lending-costs.js [rounds] [paths]`: one thread, rounds in turn, medians. Answers are judged first: both
 * engines agree, and the number of loans called is that of the plain book, or all of them where they begin so. A minute.
 */
import type { Engine } from '#src/core/engine.js';
import { type BookLending, LOAN_START } from '#src/core/plan/book-lending.js';
import { BOOK_COLUMNS, type BookOutcome, type BookProduct } from '#src/core/plan/product/book.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import { describeMachine } from '../machine.ts';
import { spread } from '../statistics.ts';
import { bookPlan } from './book-plans.ts';
import { report } from './figures.ts';

type BookPlan = SimulationPlan<BookProduct>;

const rounds = Number(process.argv[2] ?? 5);
const paths = Number(process.argv[3] ?? 1000);
const LOANS = 1000;

/** Terms that change nothing. */
function noTerms(loans: number, saleCost: number): BookLending {
  const whole = () => new Uint32Array(loans);
  const numbers = (value: number) => new Float64Array(loans).fill(value);
  return {
    debtGrowth: numbers(1),
    saleCost: numbers(saleCost),
    start: whole(),
    startDeadline: whole(),
    startAnswer: whole(),
    answerShare: numbers(0),
    answerDelay: whole().fill(1),
    answerRatio: numbers(0),
    nameHigh: whole().map((_, k) => k),
    nameLow: whole(),
    oneDraw: whole(),
    saleRatio: numbers(0),
    saleShare: numbers(1),
  };
}

const withTerms = (plan: BookPlan, terms: Partial<BookLending>): BookPlan => {
  const { product } = plan;
  const lending = { ...noTerms(product.loanValue.length, product.saleCost), ...terms };
  return { ...plan, product: { ...product, lending } };
};
const fill = (value: number) => new Float64Array(LOANS).fill(value);

const TERMS: Readonly<Record<string, Partial<BookLending>>> = {
  top_up: { answerShare: fill(0.6), answerDelay: new Uint32Array(LOANS).fill(12), answerRatio: fill(1.4) },
  partial_sale: { saleRatio: fill(1.4), saleShare: fill(0.5) },
  called_hours_ago: {
    start: new Uint32Array(LOANS).fill(LOAN_START.called),
    startDeadline: new Uint32Array(LOANS).fill(12),
  },
  interest_rate: { debtGrowth: fill(1 + (0.12 * 720) / 8760) },
};

async function seconds(engine: Engine, plan: BookPlan): Promise<number> {
  const begin = performance.now();
  await engine.run(plan);
  return (performance.now() - begin) / 1000;
}

/** What is wrong with the answers of a book with terms. */
function faults(name: string, plain: BookOutcome, double: BookOutcome, simd: BookOutcome): string[] {
  const found: string[] = [];
  for (const column of BOOK_COLUMNS) {
    const [a, b] = [double.summaries[column].mean, simd.summaries[column].mean];
    const scale = /loans|sales/i.test(column) ? LOANS : double.summaries.sold.mean;
    if (Math.abs(a - b) > 1e-5 * Math.max(a, scale))
      found.push(`SIMD has a mean ${column} of ${b}, not ${a}`);
  }
  const [before, called] = [plain.summaries.calledLoans.mean, double.summaries.calledLoans.mean];
  const expected = name === 'called_hours_ago' ? LOANS : before;
  if (name !== 'interest_rate' && called !== expected)
    found.push(`${called} loans are called on a path, not ${expected}`);
  return found;
}

const engines = { reference: openReferenceEngine({ threads: 1 }), simd: openSimdThreads(openThreadPool(1)) };
const cases: object[] = [];
const wrong: string[] = [];
for (const baskets of ['b', 'a'] as const) {
  const plain = bookPlan({ baskets, loans: LOANS, mood: 'calm', referenceGoal: 0 }, paths);
  const outcome = await engines.reference.run(plain);
  for (const [term, terms] of Object.entries(TERMS)) {
    const plan = withTerms(plain, terms);
    wrong.push(...faults(term, outcome, await engines.reference.run(plan), await engines.simd.run(plan)));
  }
  for (const [engineName, engine] of Object.entries(engines)) {
    const seen: Record<string, number[]> = Object.fromEntries(Object.keys(TERMS).map(term => [term, []]));
    const plainSeconds: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = await seconds(engine, plain);
      plainSeconds.push(before);
      for (const [term, terms] of Object.entries(TERMS))
        seen[term].push((await seconds(engine, withTerms(plain, terms))) / before);
    }
    for (const [term, ratios] of Object.entries(seen)) {
      const row = {
        name: `${baskets}, ${term}, ${engineName}`,
        baskets,
        term,
        engine: engineName,
        called: outcome.summaries.calledLoans.mean / LOANS,
        plainMilliseconds: spread(plainSeconds).median * 1000,
        times: spread(ratios),
      };
      process.stderr.write(
        `${row.name}: ${row.times.median.toFixed(2)} of ${row.plainMilliseconds.toFixed(0)} ms\n`,
      );
      cases.push(row);
    }
  }
}
await Promise.all(Object.values(engines).map(engine => engine.close()));
for (const fault of wrong) process.stderr.write(`${fault}\n`);
report(
  'lending-costs',
  'npm run bench:lending',
  {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    rounds,
    paths,
    loans: LOANS,
    cases,
  },
  { 'every answer is right': wrong.length === 0 },
);
process.exit();
