/** The headers of a request: what is taken, and what is refused at which header. */
import { expect, it } from 'vitest';
import { checkRunHeaders } from '#src/question/request/run-headers.js';

it.each([
  [undefined, 0],
  ['0', 0],
  ['007', 7],
  ['4294967295', 2 ** 32 - 1],
])('x-seed %s is the seed %d', (sent, seed) => {
  expect(checkRunHeaders(sent)).toEqual({ ok: true, value: { seed, compute: 'auto' } });
});

it.each(['4294967296', '10000000000', '00000000001', '-1', '1.5', '1e3', ' 1', '', 'x'])(
  'x-seed "%s" is refused with its range',
  sent => {
    const checked = checkRunHeaders(sent, 'cpu');
    if (checked.ok) throw new Error('taken');
    expect(checked.faults.map(({ path }) => path)).toEqual(['header.x-seed']);
    expect(checked.faults[0].message).toContain('a whole number from 0 to 4294967295; got ');
  },
);

it('x-compute is auto, gpu or cpu; both headers are refused at once', () => {
  for (const compute of ['auto', 'gpu', 'cpu'])
    expect(checkRunHeaders('1', compute)).toEqual({ ok: true, value: { seed: 1, compute } });
  const checked = checkRunHeaders('-1', 'GPU');
  if (checked.ok) throw new Error('taken');
  expect(checked.faults.map(({ path }) => path)).toEqual(['header.x-seed', 'header.x-compute']);
  expect(checked.faults[1].message).toContain('one of auto, gpu, cpu; got "GPU"');
});
