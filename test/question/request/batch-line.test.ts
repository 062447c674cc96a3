/** The envelope of a line of /batch. */
import { expect, it } from 'vitest';
import { batchLine } from '#src/question/request/batch-line.js';
import { checkRequest } from '#src/question/request/parse.js';

const LINE = { id: 'a', path: '/var', body: null };
const faultsOf = (change: object) => {
  const checked = checkRequest(batchLine(['/var', '/loan_risk']), { ...LINE, ...change });
  return checked.ok ? [] : checked.faults.map(({ message }) => message);
};

it.each([
  {},
  { id: 'x'.repeat(64) },
  { seed: 0 },
  { seed: 4_294_967_295 },
  { compute: 'gpu' },
  { query: '' },
  { query: 'include=plan' },
  { body: { any: 'thing' } },
])('A line with %j is taken', change => {
  expect(faultsOf(change)).toEqual([]);
});

it.each<[object, string]>([
  [{ id: '' }, 'id must be a string of 1 to 64 characters; got ""'],
  [{ id: 'x'.repeat(65) }, `id must be a string of 1 to 64 characters; got "${'x'.repeat(60)}…"`],
  [{ path: '/jobs' }, 'path must be one of /var, /loan_risk; got "/jobs"'],
  [{ seed: -1 }, 'seed must be a whole number from 0 to 4294967295; got -1'],
  [{ seed: 4_294_967_296 }, 'seed must be a whole number from 0 to 4294967295; got 4294967296'],
  [{ seed: 0.5 }, 'seed must be a whole number from 0 to 4294967295; got 0.5'],
  [{ compute: 'tpu' }, 'compute must be one of auto, gpu, cpu; got "tpu"'],
  [
    { query: '?include=plan' },
    'query must be the query of a URL as a string, without the question mark; got "?include=plan"',
  ],
  [{ body: undefined }, 'body is missing; it must be the body of the operation'],
])('A line with %j is refused', (change, message) => {
  expect(faultsOf(change)).toEqual([message]);
});
