/**
 * What tranches and capital cost beside the same book, and a reverse scenario in times of the book.
 *
 * `node build/bench/operations/tranche-costs.js [rounds] [paths]`: a server of its own, its threads; rounds in turn, medians. Answers are
 * judged first: the other figures of the book are the same, to the byte.
 */
import { describeMachine } from '../machine.ts';
import { spread } from '../statistics.ts';
import { report } from './figures.ts';
import { type ServiceProcess, startService } from './service.ts';

const rounds = Number(process.argv[2] ?? 9);
const paths = Number(process.argv[3] ?? 20_000);
const LOANS = 200;
/** What `x-compute` selects on a server without a GPU. */
const ENGINES = { reference: 'cpu', simd: 'auto' } as const;
const MOST = { tranches: 1.15, reverse: 30 };

const loans = Array.from({ length: LOANS }, (_, k) => ({
  id: `l${k}`,
  collateral_weights: { BTC: 0.7 + ((k * 7) % 30) / 100, ETH: 0.3 - ((k * 7) % 30) / 100 },
  loan_weights: { USD: 1 },
  loan_value: 1000 + k,
  loan_duration: 30,
  N: 1.5 + ((k * 618) % 700) / 1000,
  ...{ M: 1.35, L: 1.15, R: 1.4, mc_top_up: 24 },
}));
const tranches = [0, 0.01, 0.03, 0.1].map((attach, i) => ({
  name: `t${i}`,
  attach,
  detach: [0.01, 0.03, 0.1, 1][i],
}));
const bodyOf = (more: object, mc_iter = paths) => ({
  type: 'GBM',
  params: {
    ...{ analysis_date: '06-30-2024', model_lookback: 60, mc_iter, quantile: [0.99] },
    loans,
    ...more,
  },
});

async function ask(service: ServiceProcess, path: string, body: object, compute: string) {
  const { status, body: text, milliseconds } = await service.ask(path, body, { 'x-compute': compute });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 500)}`);
  return { milliseconds, output: JSON.parse(text).Output };
}

const service = await startService();
const cases: object[] = [];
let [isSame, isCheap, isShort] = [true, true, true];
for (const [engine, compute] of Object.entries(ENGINES)) {
  const [plain, withTranches, reverse]: number[][] = [[], [], []];
  const fewer = Math.ceil(paths / 10);
  const sought = { scenarios: [{ name: 'r', reverse: { figure: 'UnsoldExpectedLoss', bound: 1e5 } }] };
  for (let round = 0; round < rounds; round++) {
    const credit = { credit: {} };
    const without = await ask(service, '/book_risk', bodyOf(credit), compute);
    const more = { ...credit, tranches, reserve: 0.001, economic_capital: true };
    const beside = await ask(service, '/book_risk', bodyOf(more), compute);
    const {
      Tranches: _,
      Waterfall: __,
      EconomicCapital: ___,
      CapitalHorizonDays: ____,
      ...Book
    } = beside.output.Book;
    isSame &&= JSON.stringify(Book) === JSON.stringify(without.output.Book);
    plain.push(without.milliseconds);
    withTranches.push(beside.milliseconds / without.milliseconds);
    const single = await ask(service, '/book_risk', bodyOf({}, fewer), compute);
    const back = await ask(service, '/stress', bodyOf(sought, fewer), compute);
    reverse.push(back.milliseconds / single.milliseconds);
  }
  const row = {
    engine,
    plainMilliseconds: spread(plain).median,
    withTranches: spread(withTranches),
    reverse: spread(reverse),
  };
  isCheap &&= row.withTranches.median <= MOST.tranches;
  // Its base beside the 30 books.
  isShort &&= row.reverse.median <= MOST.reverse + 1;
  process.stderr.write(`${JSON.stringify(row)}\n`);
  cases.push(row);
}
await service.stop();
report(
  'tranche-costs',
  'node build/bench/operations/tranche-costs.js',
  {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    loans: LOANS,
    rounds,
    paths,
    cases,
  },
  {
    'the other figures of a book are the same': isSame,
    [`tranches and capital cost at most ${MOST.tranches} times the book`]: isCheap,
    [`a reverse scenario costs at most ${MOST.reverse} books and the base`]: isShort,
  },
);
