import { expect, it } from 'vitest';
import { MAX_TRACED_PATHS, RecordSink } from '#src/core/plan/records.js';

it('A record has a value in each column, at the place of its path in the range', () => {
  const sink = new RecordSink(3, { first: 10, count: 2 });
  sink.write(11, [1, 2, 3]);
  sink.write(10, [4, 5, 6]);
  expect(sink.columns.map(column => [...column])).toEqual([
    [4, 1],
    [5, 2],
    [6, 3],
  ]);
});

it('A trace has a million paths at most', () => {
  expect(MAX_TRACED_PATHS).toBe(1_048_576);
});
