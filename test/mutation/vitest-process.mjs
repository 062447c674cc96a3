/** The process of `tests.mjs`: takes files that have changed and tests to run, and answers whether they passed. */
import { createVitest } from 'vitest/node';

const vitest = await createVitest('test', {
  root: process.cwd(),
  watch: false,
  bail: 1,
  maxWorkers: 1,
  fileParallelism: false,
  reporters: [{}],
});
await vitest.standalone();

async function run(spec) {
  const [path, name] = spec.split(' -t ');
  const specifications = await vitest.globTestSpecifications([path]);
  if (specifications.length === 0) throw new Error(`There are no tests at ${path}.`);
  if (name === undefined) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(name);
  // What failed before would count towards `bail`.
  vitest.state.filesMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const tests = testModules.flatMap(module => [...module.children.allTests()]);
  const failed = testModules.find(module => module.state() === 'failed');
  if (failed === undefined && unhandledErrors.length === 0) {
    if (!tests.some(test => test.result().state === 'passed'))
      throw new Error(`There is no test for ${spec}.`);
    return { passed: true };
  }
  const test = tests.find(one => one.result().state === 'failed');
  return {
    passed: false,
    failed:
      test === undefined
        ? (failed?.relativeModuleId ?? path)
        : `${test.module.relativeModuleId}: ${test.fullName}`,
  };
}

process.on('message', ({ changed, spec }) => {
  if (changed !== undefined) vitest.invalidateFile(changed);
  else
    run(spec).then(
      answer => process.send(answer),
      error => process.send({ error: String(error) }),
    );
});
process.on('disconnect', () => process.exit(0));
