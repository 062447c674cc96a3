/**
 * How often the tests of expected shortfall reject forecasts of known truth: right ones (size), and ones of half the volatility (power).
 *
 *   npm run --silent build && npx tsc -p bench/tsconfig.json && node build/bench/shortfall-tests.js [REPETITIONS]
 *
 * Prints the table of docs/backtests.md. Returns follow a GARCH(1,1) with normal or Student t shocks; the right forecast knows the
 * variance of each day and the law of the shocks.
 */
import { measureTests, type RejectionRates, SHORTFALL_CASES } from './shortfall-simulation.ts';

const repetitions = Number(process.argv[2] ?? 1000);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const NAMES: readonly (keyof RejectionRates)[] = ['z2', 'strict', 'intercept', 'oneSided', 'fz0'];

console.log('| Shocks | Level | Days | | Z2 | ESR strict | ESR intercept | the same, one-sided | FZ0 |');
console.log('|---|---|---:|---|---:|---:|---:|---:|---:|');
for (const each of SHORTFALL_CASES) {
  const { size, power } = measureTests(each, repetitions);
  for (const [name, rates] of [
    ['right', size],
    ['half the volatility', power],
  ] as const)
    console.log(
      `| ${each.shocks} | ${100 * (1 - each.probability)} % | ${each.days} | ${name} | ${NAMES.map(test => percent(rates[test])).join(' | ')} |`,
    );
}
