/**
 * The process of `tests.mjs`: takes files that have changed and tests to run, and answers what became of them.
 *
 * A failed test is told apart from a file or a hook that failed before there was a test: the second says nothing of
 * what was tested. The limits of time are of the process that asks, which knows when it was suspended.
 */
import { createVitest } from 'vitest/node';

const vitest = await createVitest('test', {
  root: process.cwd(),
  watch: false,
  bail: 1,
  maxWorkers: 1,
  fileParallelism: false,
  testTimeout: 0,
  hookTimeout: 0,
  reporters: [{}],
});
await vitest.standalone();

const firstLine = text => String(text).trim().split('\n')[0];

/** A pattern that a test's name matches and hardly another's: the names of its groups and its own, as vitest joins them. */
function patternOf(test) {
  const names = [];
  for (let at = test; at.type !== 'module'; at = at.parent) names.unshift(at.name);
  return `^${names.join(' ').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
}

/** Whether a test failed by what it expects, and not by an error thrown on the way there. */
const isAssertion = error =>
  error.name === 'AssertionError' || (error.cause instanceof Object && isAssertion(error.cause));

/** @returns {import('./tests.mjs').Answer} */
function answerOf({ testModules, unhandledErrors }, spec) {
  const tests = testModules.flatMap(module => [...module.children.allTests()]);
  const test = tests.find(one => one.result().state === 'failed');
  if (test !== undefined) {
    const { errors } = test.result();
    const file = test.module.relativeModuleId;
    return {
      outcome: 'failed',
      file,
      test: `${file}: ${test.fullName}`,
      pattern: patternOf(test),
      asserted: errors.some(isAssertion),
      message: firstLine(errors[0]?.message),
    };
  }
  const suites = testModules.flatMap(module => [module, ...module.children.allSuites()]);
  const errors = [...suites.flatMap(suite => suite.errors()), ...unhandledErrors];
  if (errors.length > 0) return { outcome: 'unclear', message: firstLine(errors[0].message ?? errors[0]) };
  if (!testModules.every(module => module.ok())) return { outcome: 'unclear', message: 'did not end' };
  if (!tests.some(one => one.result().state === 'passed'))
    return { outcome: 'unclear', message: `There is no test for ${spec}.` };
  return { outcome: 'passed' };
}

async function run(spec) {
  // A name may have ` -t ` in it, a path has not.
  const [path, ...words] = spec.split(' -t ');
  const name = words.length === 0 ? undefined : words.join(' -t ');
  const specifications = await vitest.globTestSpecifications([path]);
  if (specifications.length === 0) return { outcome: 'unclear', message: `There are no tests at ${path}.` };
  if (name === undefined) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(name);
  // What failed before would count towards `bail`.
  vitest.state.filesMap.clear();
  return answerOf(await vitest.runTestSpecifications(specifications), spec);
}

process.on('message', ({ changed, spec }) => {
  if (changed !== undefined) vitest.invalidateFile(changed);
  else
    run(spec).then(
      answer => process.send(answer),
      error => process.send({ outcome: 'unclear', message: firstLine(error) }),
    );
});
process.on('disconnect', () => process.exit(0));
