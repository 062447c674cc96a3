/**
 * Mutants that no test can notice, by key (file, function, operator, ordinal), and why. `npm run test:mutation` does not
 * count them, and says which keys have no mutant any more.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const EQUIVALENT = {};
