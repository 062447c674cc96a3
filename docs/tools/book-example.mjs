/**
 * A book of 5,000 loans as a lending desk may have them, for /book_risk: the same at every call, written to standard output.
 *
 *   node docs/tools/book-example.mjs [loans]
 */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { draws } from '../../scripts/draws.mjs';

/** Collateral by how often it is pledged. */
const COLLATERAL = [
  [0.46, { BTC: 1 }],
  [0.24, { ETH: 1 }],
  [0.08, { SOL: 1 }],
  [0.12, { BTC: 0.6, ETH: 0.4 }],
  [0.05, { ETH: 0.5, SOL: 0.3, LINK: 0.2 }],
  [0.05, { BTC: 0.5, BNB: 0.5 }],
];
const LOANS = [
  [0.7, { USDC: 1 }],
  [0.25, { USDT: 1 }],
  [0.05, { BTC: 1 }],
];

/** The body of a request for the first `count` loans. */
export function exampleBook(count = 5000) {
  const { uniform, pick } = draws();
  const hundredths = value => Math.round(100 * value) / 100;
  const loans = Array.from({ length: count }, (_, i) => {
    const collateral = pick(COLLATERAL);
    const debt = pick(LOANS);
    // A loan of what is pledged would be none.
    const loan_weights = 'BTC' in collateral && 'BTC' in debt ? { USDC: 1 } : debt;
    // Loan to value of 45 to 70 %, most at 50 and 60.
    const N = hundredths(1 / (0.45 + 0.25 * uniform() ** 1.5));
    const M = hundredths(1.2 + 0.1 * uniform());
    return {
      id: `loan-${String(i + 1).padStart(5, '0')}`,
      collateral_weights: collateral,
      loan_weights,
      // From some thousand to some million dollars, half of them below 60,000.
      loan_value: Math.round(
        60_000 * Math.exp(1.3 * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())),
      ),
      N,
      M,
      L: hundredths(1.05 + 0.05 * uniform()),
      R: hundredths(M + 0.1),
      loan_duration: [7, 30, 30, 60, 90][Math.floor(5 * uniform())],
      mc_top_up: [6, 12, 24, 48][Math.floor(4 * uniform())],
    };
  });
  return {
    type: 'GBM',
    params: {
      analysis_date: '06-30-2024',
      model_lookback: 250,
      mc_iter: 2000,
      quantile: [0.95, 0.99],
      loans,
    },
  };
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.stdout.write(`${JSON.stringify(exampleBook(Number(process.argv[2] ?? 5000)))}\n`);
