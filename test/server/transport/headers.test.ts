/** The header Prefer of a request. */
import { expect, it } from 'vitest';
import { prefersAsync } from '#src/server/transport/headers.js';

it.each([
  [undefined, false],
  ['', false],
  ['respond-async', true],
  ['Respond-Async', true],
  ['wait=10, respond-async', true],
  ['respond-async; foo=1', true],
  ['return=minimal', false],
  ['no-respond-async', false],
])('Prefer: %s asks for an answer later: %s', (sent, later) => {
  expect(prefersAsync(sent)).toBe(later);
});
