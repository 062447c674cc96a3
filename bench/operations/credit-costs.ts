/**
 * What credit figures, tranches and capital cost beside the same book, a reverse scenario beside the same falls forwards, and
 * /advance_rate beside /var on as many path-steps.
 *
 * `node build/bench/operations/credit-costs.js [rounds] [paths]`: a server of its own, its threads; rounds in turn, medians of the time
 * that all its threads take of the processors, which other work on the machine hardly changes (Linux). Answers are judged first: the other
 * figures of the book are the same, to the byte. Five minutes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fallPoints } from '../../src/core/stress/reverse-search.ts';
import { describeMachine } from '../machine.ts';
import { spread } from '../statistics.ts';
import { ask as askServer, ENGINES, loansOf } from './book-requests.ts';
import { report } from './figures.ts';
import { startService } from './service.ts';

const rounds = Number(process.argv[2] ?? 9);
const paths = Number(process.argv[3] ?? 20_000);
/** Most times of what stands beside it; a reverse scenario is one book, its base, and at most 30 under moves. */
const MOST = { book: 1.15, reverse: 31 / 30, rates: 1.1 };
const TRANCHES = [0, 0.01, 0.03, 0.1].map((attach, i, all) => ({
  name: `t${i}`,
  attach,
  detach: all[i + 1] ?? 1,
}));
const LAYERS = { tranches: TRANCHES, reserve: 0.001, economic_capital: true };
const CREDIT = { credit: {} };
/** What a book has more, by name. */
const MORE = { credit: CREDIT, 'tranches and capital': LAYERS, both: { ...CREDIT, ...LAYERS } };
/** Members of `Book` and of a loan that a plain book has not. */
const ADDED = ['Credit', 'Tranches', 'Waterfall', 'EconomicCapital', 'CapitalHorizonDays'].concat(
  'CapitalContribution',
);
const SHAPES = [1000, 200].flatMap(loans => [true, false].map(own => ({ loans, own })));
const WINDOW = { analysis_date: '06-30-2024', model_lookback: 60 };

const bookOf = ({ loans, own }: (typeof SHAPES)[number], mc_iter: number, more: object) => ({
  type: 'GBM',
  params: { ...WINDOW, mc_iter, quantile: [0.99], loans: loansOf(own, loans), ...more },
});
const REVERSE = {
  scenarios: [{ name: 'r', reverse: { figure: 'UnsoldExpectedLoss', bound: 1e5 } }],
};
/** The falls that a reverse scenario looks at, forwards: 16 over all of its range, 13 where it ends. */
const forwards = (found: number) => ({
  scenarios: [...fallPoints(0.95).slice(1), ...Array.from({ length: 13 }, () => found)].map((fall, k) => ({
    name: `f${k}`,
    price_shock: { '*': -fall },
  })),
});

/** Exposures of 48 hours, and as many horizons of /var: as many steps of a path or of a window of history. */
const HOURS = 48;
const RATES = ['GBM', 'HISTORICAL'].flatMap(type => ['lowest', 'end'].map(measure => ({ type, measure })));
const BASKETS = { collateral_weights: { BTC: 0.6, ETH: 0.4 }, loan_weights: { USD: 1 } };
const QUANTILES = [0.95, 0.99, 0.999];

function ratesOf({ type, measure }: (typeof RATES)[number]) {
  const common = {
    ...(type === 'HISTORICAL'
      ? { analysis_date: '06-30-2024', model_lookback: 300 }
      : { ...WINDOW, mc_iter: 2 * paths }),
    ...BASKETS,
  };
  return {
    rate: { type, params: { ...common, exposure_hours: [HOURS], measure, confidence: QUANTILES } },
    risk: {
      type,
      params: {
        ...common,
        var_duration: Array.from({ length: HOURS }, (_, i) => (i + 1) / 24),
        quantile: QUANTILES,
        ...{ loan_value: 1000, collateral_value: 1500 },
      },
    },
  };
}

/** The text of a book and its loans without what a plain book has not. */
const plainPart = ({ Book, Loans }: Record<'Book' | 'Loans', object>) =>
  JSON.stringify([Book, Loans], (name, value) => (ADDED.includes(name) ? undefined : value));

const service = await startService();

/** Milliseconds of the processors that all threads of the server have taken so far. */
function processorMilliseconds(): number {
  const tasks = `/proc/${service.process.pid}/task`;
  const nanoseconds = readdirSync(tasks).map(task =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

async function ask(path: string, body: object, compute: string) {
  const before = processorMilliseconds();
  const { output } = await askServer(service, path, body, compute);
  return { milliseconds: processorMilliseconds() - before, output };
}

const cases: { readonly name: string; readonly most: number; readonly times: { readonly median: number } }[] =
  [];
const wrong = new Set<string>();

function store(name: string, most: number, base: readonly number[], ratios: readonly number[]): void {
  const row = { name, baseMilliseconds: spread(base).median, most, times: spread(ratios) };
  const [median, least, largest] = [row.times.median, row.times.least, row.times.largest].map(x =>
    x.toFixed(2),
  );
  process.stderr.write(
    `${name}: ${median} (${least} to ${largest}) times ${row.baseMilliseconds.toFixed(0)} ms\n`,
  );
  cases.push(row);
}

for (const shape of SHAPES)
  for (const [engine, compute] of Object.entries(ENGINES)) {
    const name = `${shape.loans} loans, ${shape.own ? 'own baskets' : 'one basket'}, ${engine}`;
    const plain: number[] = [];
    const seen: Record<string, number[]> = Object.fromEntries(Object.keys(MORE).map(more => [more, []]));
    const few: number[] = [];
    const back: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const without = await ask('/book_risk', bookOf(shape, paths, {}), compute);
      plain.push(without.milliseconds);
      for (const [more, members] of Object.entries(MORE)) {
        const beside = await ask('/book_risk', bookOf(shape, paths, members), compute);
        seen[more].push(beside.milliseconds / without.milliseconds);
        if (plainPart(beside.output) !== plainPart(without.output))
          wrong.add(`${name}: another book with ${more}`);
      }
      if (round > rounds / 3) continue;
      const sought = await ask('/stress', bookOf(shape, paths / 20, REVERSE), compute);
      const { Fall } = sought.output.Scenarios.r.Reverse;
      const looked = await ask('/stress', bookOf(shape, paths / 20, forwards(Fall)), compute);
      few.push(looked.milliseconds);
      back.push(sought.milliseconds / looked.milliseconds);
    }
    for (const [more, ratios] of Object.entries(seen)) store(`${name}, ${more}`, MOST.book, plain, ratios);
    store(`${name}, reverse scenario`, MOST.reverse, few, back);
  }
for (const each of RATES)
  for (const [engine, compute] of Object.entries(ENGINES)) {
    const { rate, risk } = ratesOf(each);
    const base: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const risks = await ask('/var', risk, compute);
      const rates = await ask('/advance_rate', rate, compute);
      base.push(risks.milliseconds);
      ratios.push(rates.milliseconds / risks.milliseconds);
    }
    const { type, measure } = each;
    store(`${type}, sold at the ${measure}, beside ${HOURS} horizons, ${engine}`, MOST.rates, base, ratios);
  }
await service.stop();
for (const fault of wrong) process.stderr.write(`${fault}\n`);
const isWithin = (most: number) => cases.every(each => each.most !== most || each.times.median <= most);
report(
  'credit-costs',
  'npm run bench:credit',
  { date: new Date().toISOString().slice(0, 10), machine: describeMachine(), rounds, paths, cases },
  {
    'the other figures of a book are the same': wrong.size === 0,
    [`credit figures, tranches and capital cost at most ${MOST.book} times the book`]: isWithin(MOST.book),
    'a reverse scenario costs at most 31 books, its base one of them': isWithin(MOST.reverse),
    [`/advance_rate costs at most ${MOST.rates} times /var`]: isWithin(MOST.rates),
  },
);
