/**
 * What 16 scenarios of a book cost in one request to /stress: in times of the book alone, and of 16 requests to /book_risk.
 *
 * `node build/bench/operations/stress-costs.js [rounds] [paths]`: a server of its own, its threads; rounds in turn, medians. Answers are
 * judged first: the book of every scenario is that of the request with the same fall, to the byte. Two minutes.
 */
import { describeMachine } from '../machine.ts';
import { spread } from '../statistics.ts';
import { ask, ENGINES, loansOf } from './book-requests.ts';
import { report } from './figures.ts';
import { startService } from './service.ts';

const rounds = Number(process.argv[2] ?? 5);
const paths = Number(process.argv[3] ?? 2000);
const SIZES = [1000, 60];
const FALLS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8];

const bodyOf = (own: boolean, loans: number, more: object) => ({
  type: 'GBM',
  params: {
    ...{ analysis_date: '06-30-2024', model_lookback: 60, mc_iter: paths, quantile: [0.99] },
    ...{ loans: loansOf(own, loans), ...more },
  },
});

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
