/** Which files of tests can notice a change of a file: those that import it, the likeliest first. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** Tests of what no program imports: the kernel and the shaders run on every engine. */
const BY_ENGINE = {
  kernel: /^test\/(engine\/(?!gpu|native|open|plan|recent|threads)|core\/(book\/book-follower|simd))/,
  shaders: /^test\/(shader|engine)\/(?!native|open|recent|threads)/,
};
/** They start programs, browsers or servers, and look at no figure that others do not look at. */
const LEFT_OUT = /^test\/(bench|client|console|docs|mutation|architecture)/;
/** Tests of a fleet start its stores and servers: only mutants of what a fleet alone has meet them. */
const OF_FLEET = { tests: /^test\/fleet\//, sources: /^src\/(fleet|server\/jobs)\// };
/** They open engines or servers, and so take longer. */
const OPENS = /^test\/(cli|engine|fleet|question|server|shader)\//;
/** What runs on engines: their tests are those that open them. */
const OF_ENGINES = {
  tests: /^test\/(core\/(gpu|simd)|engine|shader)\//,
  sources: /^(shaders|kernel|src\/(core\/(gpu|simd)|engine))\//,
};
/** Small plans of every product under every model: of the slow tests those that notice a change of a shader soonest. */
const SMALL_PLANS = 'test/shader/awkward-plans.test.ts';
/** A file that another one imports, or names in a comment. */
const NAMED = /[\w./-]*\b([\w-]+)\.(?:ts|wgsl)\b|\bfrom '\.[\w./-]*\b([\w-]+)'/g;
const SPECIFIER = /^(?:(?:import|export)(?! type\b)[^'"`;]*|.*\(\s*)['"](#src\/|\.\.?\/)([^'"]+)['"]/gm;

const filesOf = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true }).map(file => join(folder, file));
const wordsOf = file => basename(file).split('.')[0].split(/[-_]/);
/** Words of a path without its first folder: a test may have the name of the folder of what it tests. */
const pathWordsOf = file => new Set(file.split('/').slice(1).flatMap(wordsOf));
const shareOf = (words, isIn) => words.filter(isIn).length / words.length;

export function testsOf(root) {
  const imports = new Map();
  /** What a file imports, and what it names for a thread or a process to run. */
  function importsOf(file) {
    if (imports.has(file)) return imports.get(file);
    const found = new Set();
    imports.set(file, found);
    for (const [, from, path] of readFileSync(join(root, file), 'utf8').matchAll(SPECIFIER)) {
      const place = from === '#src/' ? join('src', path) : join(dirname(file), from + path);
      const source = place.replace(/^dist\//, 'src/').replace(/\.js$/, '.ts');
      if (/\.ts$/.test(source) && existsSync(join(root, source)))
        found.add(relative(root, join(root, source)));
    }
    return found;
  }

  /** Per file that a test imports, directly or not, how many imports lie between them. */
  function distancesOf(test) {
    const distances = new Map([[test, 0]]);
    for (const [file, distance] of distances)
      for (const imported of importsOf(file))
        if (!distances.has(imported)) distances.set(imported, distance + 1);
    return distances;
  }
  const tests = filesOf(root, 'test')
    .filter(file => file.endsWith('.test.ts') && !LEFT_OUT.test(file))
    .map(file => ({ file, distances: distancesOf(file), text: readFileSync(join(root, file), 'utf8') }));

  /**
   * @param {string} file
   * @param {(test: string) => number} kills how many other mutants of the file a test has noticed
   * @returns {string[]} files of tests; a small distance and a common name come first
   */
  return function testsOfFile(file, kills) {
    const byEngine = BY_ENGINE[file.split('/')[0]];
    const words = wordsOf(file).join();
    const pathWords = pathWordsOf(file);
    const text = readFileSync(join(root, file), 'utf8');
    const namedWords = new Set([...text.matchAll(NAMED)].flatMap(([, one, other]) => wordsOf(one ?? other)));
    const isMet = test => !OF_FLEET.tests.test(test) || OF_FLEET.sources.test(file);
    const farOf = ({ file: test, distances, text }) => {
      const own = wordsOf(test);
      const isNamesake = own.join() === words;
      const isOfEngines = OF_ENGINES.sources.test(file) && OF_ENGINES.tests.test(test);
      const slow = OPENS.test(test) && !isOfEngines ? 2 : 0;
      const common = shareOf(own, word => pathWords.has(word));
      const named = shareOf(own, word => namedWords.has(word));
      const mentioned = shareOf(wordsOf(file), word => text.includes(word));
      return (
        slow -
        (file.startsWith('shaders/') && test.startsWith('test/shader/') ? 1 : 0) -
        (file.startsWith('shaders/') && test === SMALL_PLANS ? 6 : 0) +
        (distances.get(file) ?? 4) -
        (isNamesake ? 10 : 8 * common) -
        3 * named -
        2 * mentioned -
        Math.min(kills(test), 20)
      );
    };
    return tests
      .filter(({ file: test, distances }) => isMet(test) && (distances.has(file) || byEngine?.test(test)))
      .map(test => ({ test: test.file, far: farOf(test) }))
      .sort((a, b) => a.far - b.far || (a.test < b.test ? -1 : 1))
      .map(({ test }) => test);
  };
}
