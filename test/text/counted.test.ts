import { expect, it } from 'vitest';
import { counted } from '#src/text/counted.js';

it('A count has its noun in the plural unless it is one', () => {
  expect([0, 1, 2].map(count => counted(count, 'day'))).toEqual(['0 days', '1 day', '2 days']);
  expect([1, 2].map(count => counted(count, 'series'))).toEqual(['1 series', '2 series']);
});
