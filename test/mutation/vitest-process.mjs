/**
 * A process that runs the tests with the tags of TEST_TAGS: receives files of tests, sends their result (./judge.mjs). One vitest serves many runs;
 * each run has a new process for its tests, which loads the program as it is then.
 */
import { BaseSequencer, createVitest } from 'vitest/node';

/** Files of tests run in the order in which they were sent. */
let order = [];
class AsSent extends BaseSequencer {
  sort(specifications) {
    const placeOf = ({ moduleId }) => order.findIndex(file => moduleId.endsWith(file));
    return specifications.sort((a, b) => placeOf(a) - placeOf(b));
  }
}

const vitest = await createVitest('test', {
  root: process.cwd(),
  watch: false,
  bail: 1,
  maxWorkers: 1,
  fileParallelism: false,
  tagsFilter: [process.env.TEST_TAGS],
  testTimeout: 0,
  hookTimeout: 0,
  sequence: { sequencer: AsSent },
  reporters: [{}],
});
await vitest.standalone();

const firstLine = error =>
  String(error?.message ?? error)
    .trim()
    .split('\n')[0];
const isAssertion = error =>
  error.name === 'AssertionError' || (error.cause instanceof Object && isAssertion(error.cause));

async function run(files) {
  order = files;
  const specifications = await vitest.globTestSpecifications(files);
  // What failed before would count towards `bail`.
  vitest.state.filesMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  for (const module of testModules)
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state !== 'failed') continue;
      const asserted = errors.some(isAssertion);
      return { file: module.relativeModuleId, test: test.fullName, asserted, message: firstLine(errors[0]) };
    }
  for (const module of testModules) {
    const [error] = [module, ...module.children.allSuites()].flatMap(suite => suite.errors());
    if (error !== undefined) return { file: module.relativeModuleId, message: firstLine(error) };
  }
  return unhandledErrors.length > 0 ? { file: files[0], message: firstLine(unhandledErrors[0]) } : {};
}

process.on('message', files => {
  run(files).then(
    answer => process.send(answer),
    error => process.send({ file: files[0], message: firstLine(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send('ready');
