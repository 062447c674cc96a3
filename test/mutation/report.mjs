/** The report of a mutation run, and how often a mutant's text stands in its file. */

/** The text of a mutant in whatever lines a compiler or formatter has put it. */
export const patternOf = ({ from }) =>
  new RegExp(
    from
      .trim()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/\s+/g, '\\s+'),
    'g',
  );

/** @returns {number} how often the text to be changed stands in the file */
export const placesOf = (mutant, text) => [...text.matchAll(patternOf(mutant))].length;

const code = text =>
  `\`${text.replaceAll('\n', ' ').replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|') || 'removed'}\``;

/** @returns {string} Markdown */
export function reportOf(results) {
  const survivors = results.filter(({ killer }) => killer === undefined);
  const killed = results.length - survivors.length;
  const share = ((100 * killed) / results.length).toFixed(1);
  const rows = results.map(
    ({ file, from, to, killer }) => `| ${file} | ${code(from)} | ${code(to)} | ${killer ?? '**survived**'} |`,
  );
  const argued = survivors.map(
    ({ file, from, to, argued }) =>
      `- ${file}: ${code(from)} to ${code(to)}. ${argued ?? 'Not argued: a test is missing.'}`,
  );
  return [
    '# Mutation run',
    '',
    'Written by `npm run test:mutation`. Each mutant is one change of the source (test/mutation/mutants.mjs); it is killed when',
    'one of the tests that cover its file fails.',
    '',
    `${killed} of ${results.length} killed (${share} %).`,
    '',
    '## Survivors',
    '',
    ...(argued.length === 0 ? ['None.'] : argued),
    '',
    '## All mutants',
    '',
    '| File | From | To | Killed by |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
