/** The report of a mutation run, and whether the mutants fit the source. */

/** Path of what runs of a file: TypeScript is changed as compiled. */
export const compiledOf = file => file.replace(/^src(.*)\.ts$/, 'dist$1.js');

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

/**
 * What is wrong with the list of mutants.
 *
 * @param read text of a file, undefined where there is none
 * @returns {string[]} one sentence for each fault
 */
export function misfitsOf(mutants, read) {
  const faults = [];
  const seen = new Set();
  for (const mutant of mutants) {
    const { file, from, to } = mutant;
    const name = `${file}: ${from}`;
    for (const path of new Set([file, compiledOf(file)])) {
      const text = read(path);
      if (text === undefined) faults.push(`${name}: there is no file ${path}`);
      else if (placesOf(mutant, text) !== 1)
        faults.push(`${name}: stands ${placesOf(mutant, text)} times in ${path}`);
    }
    if (from === to) faults.push(`${name}: changes nothing`);
    if (seen.has(`${name} ${to}`)) faults.push(`${name}: is listed twice`);
    seen.add(`${name} ${to}`);
    if (mutant.tests.length === 0) faults.push(`${name}: no tests cover it`);
  }
  return faults;
}

const code = text =>
  `\`${text.replaceAll('\n', ' ').replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|') || 'removed'}\``;

/** How many mutants were run at each commit, and when. */
function runsOf(results) {
  const counts = new Map();
  for (const { commit, date } of results) {
    const run = `${commit} (${date})`;
    counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return [...counts].map(([run, count]) => `${count} at ${run}`).join(', ');
}

/**
 * @param {number} missing how many mutants have no result yet
 * @returns {string} Markdown
 */
export function reportOf(results, missing) {
  const killed = results.filter(({ killer }) => killer !== undefined).length;
  const undecided = results.filter(result => result.undecided !== undefined);
  const survivors = results.filter(result => result.killer === undefined && result.undecided === undefined);
  const share = ((100 * killed) / results.length).toFixed(1);
  const equivalent = survivors.filter(({ argued }) => argued !== undefined).length;
  const rows = results.map(
    ({ file, from, to, killer, undecided }) =>
      `| ${file} | ${code(from)} | ${code(to)} | ${killer?.by.replaceAll('|', '\\|') ?? `**${undecided === undefined ? 'survived' : 'undecided'}**`} |`,
  );
  const argued = survivors.map(
    ({ file, from, to, argued }) =>
      `- ${file}: ${code(from)} to ${code(to)}. ${argued ?? 'Not argued: a test is missing.'}`,
  );
  const unknown = undecided.map(
    ({ file, from, to, undecided }) => `- ${file}: ${code(from)} to ${code(to)}. ${undecided}`,
  );
  return [
    '# Mutation run',
    '',
    'Written by `npm run test:mutation`. Each mutant is one change of the source (test/mutation/mutants.mjs); it is killed when',
    'one of the tests that cover its file fails and passes without it. A result stands until the text of its file changes.',
    '',
    `${killed} of ${results.length} killed (${share} %), ${undecided.length} undecided; of the ${survivors.length} that survived, ${equivalent} are argued to change nothing that a test can see.`,
    '',
    `Run: ${runsOf(results)}.${missing === 0 ? '' : ` Without a result yet: ${missing}.`}`,
    '',
    '## Survivors',
    '',
    ...(argued.length === 0 ? ['None.'] : argued),
    '',
    '## Undecided',
    '',
    'No test failed, but a file of tests did not start, or it failed without the mutant, too.',
    '',
    ...(unknown.length === 0 ? ['None.'] : unknown),
    '',
    '## All mutants',
    '',
    '| File | From | To | Killed by |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
