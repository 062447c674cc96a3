/**
 * What 16 scenarios of a book cost in one request to /stress: in times of the book alone, and of 16 requests to /book_risk.
 *
 * `node build/bench/operations/stress-costs.js [rounds] [paths]`: a server of its own, its threads; rounds in turn, medians. Answers are
 * judged first: the book of every scenario is that of the request with the same fall, to the byte. Two minutes.
 */
import { describeMachine } from '../machine.ts';
import { spread } from '../statistics.ts';
import { report } from './figures.ts';
import { type ServiceProcess, startService } from './service.ts';

const rounds = Number(process.argv[2] ?? 5);
const paths = Number(process.argv[3] ?? 2000);
const SIZES = [1000, 60];
const FALLS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8];
const COINS = ['BTC', 'ETH', 'SOL'];
/** What `x-compute` selects on a server without a GPU. */
const ENGINES = { reference: 'cpu', simd: 'auto' } as const;

/** Numbers in 0..1 that follow one another without a pattern: the fractional parts of multiples of an irrational number. */
const spreadOver = (k: number, step: number) => (k * step) % 1;

/** @param own whether each loan has a basket of its own, of three coins; else all have one coin */
function loansOf(own: boolean, loans: number) {
  return Array.from({ length: loans }, (_, k) => {
    const eth = Math.ceil(400 * spreadOver(k + 1, 0.754877666)) / 1000;
    const sol = Math.ceil(300 * spreadOver(k + 1, 0.569840291)) / 1000;
    const [first, second, third] = COINS;
    return {
      id: `l${k}`,
      collateral_weights: own
        ? { [first]: (1000 - Math.round(1000 * (eth + sol))) / 1000, [second]: eth, [third]: sol }
        : { [first]: 1 },
      loan_weights: { USD: 1 },
      loan_value: 1000 + k,
      loan_duration: 30,
      N: Math.round(1500 + 700 * spreadOver(k, 0.618033989)) / 1000,
      ...{ M: 1.35, L: 1.15, mc_top_up: 24 },
    };
  });
}

const bodyOf = (own: boolean, loans: number, more: object) => ({
  type: 'GBM',
  params: {
    ...{ analysis_date: '06-30-2024', model_lookback: 60, mc_iter: paths, quantile: [0.99] },
    ...{ loans: loansOf(own, loans), ...more },
  },
});

async function ask(service: ServiceProcess, path: string, body: object, compute: string) {
  const { status, body: text, milliseconds } = await service.ask(path, body, { 'x-compute': compute });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 500)}`);
  return { milliseconds, output: JSON.parse(text).Output };
}

const nameOf = (fall: number) => `fall ${fall}`;
const scenarios = FALLS.map(fall => ({ name: nameOf(fall), price_shock: { '*': -fall } }));
const service = await startService();
const cases: object[] = [];
const wrong: string[] = [];
const shapes = SIZES.flatMap(loans => [true, false].map(own => ({ loans, own })));
for (const { loans, own } of shapes)
  for (const [engine, compute] of Object.entries(ENGINES)) {
    const name = `${loans} loans, ${own ? 'own baskets' : 'one basket'}, ${engine}`;
    const single: number[] = [];
    const all: number[] = [];
    const together: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const stressed = await ask(service, '/stress', bodyOf(own, loans, { scenarios }), compute);
      const plain = await ask(service, '/book_risk', bodyOf(own, loans, {}), compute);
      let sum = plain.milliseconds;
      for (const fall of FALLS) {
        const shocked = await ask(
          service,
          '/book_risk',
          bodyOf(own, loans, { price_shock: { '*': -fall } }),
          compute,
        );
        sum += shocked.milliseconds;
        const [mine, theirs] = [stressed.output.Scenarios[nameOf(fall)].Book, shocked.output.Book];
        if (JSON.stringify(mine) !== JSON.stringify(theirs))
          wrong.push(`${name}: ${nameOf(fall)} has another book in /stress`);
      }
      single.push(plain.milliseconds);
      all.push(sum / plain.milliseconds);
      together.push(stressed.milliseconds / plain.milliseconds);
    }
    const row = {
      name,
      loans,
      own,
      engine,
      plainMilliseconds: spread(single).median,
      sixteenRequests: spread(all),
      oneRequest: spread(together),
    };
    process.stderr.write(
      `${name}: 16 requests ${row.sixteenRequests.median.toFixed(1)}, one ${row.oneRequest.median.toFixed(1)} times ${row.plainMilliseconds.toFixed(0)} ms\n`,
    );
    cases.push(row);
  }
await service.stop();
for (const fault of new Set(wrong)) process.stderr.write(`${fault}\n`);
report(
  'stress-costs',
  'npm run bench:stress',
  {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    rounds,
    paths,
    cases,
  },
  { 'every scenario is the request with its fall': wrong.length === 0 },
);
