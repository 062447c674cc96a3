/**
 * Mutants that no test can notice, by key (file, function, operator, ordinal), and why. `npm run test:mutation` does not
 * count them, and reports the keys without a mutant.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const EQUIVALENT = {
  'src/core/random/extra-words.ts ExtraWords.start 1 to 2 #1':
    'no block: a block is 0 or above, so that -2 is as good as -1',
  'src/model/generalised-pareto.ts bend 0 to 1 #1':
    'the term beyond the series: below 0.02^9, beyond the precision of doubles',
  'wasm/book-prices.ts bound statement removed #4':
    'a branch for more than four lanes, which the kernel in WebAssembly does not contain',
};
