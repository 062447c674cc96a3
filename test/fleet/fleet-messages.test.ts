/** Plans as the bytes of messages, in pieces where they are long. */
import { expect, it, vi } from 'vitest';
import { encodePlan } from '#src/core/plan/codec.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { pack, packPlan, unpackPlan } from '#src/fleet/fleet-messages.js';
import { fleetPlan } from '../support/fleet-plans.ts';
import { wholeBytes } from '../support/memory-store.ts';
import { randomBook } from '../support/random-books.ts';

const bookOf = (loans: number): SimulationPlan =>
  randomBook(3, 10, { assets: 4, loans, baskets: loans, term: 100 });
/** Columns of 33,000 entries and weights of 132,000, whose last piece has a list of 928; columns of a few more than a piece. */
const PLANS = { long: bookOf(33_000), 'barely long': bookOf(2 ** 14 + 7), short: fleetPlan('loan', 8) };

it.each(Object.entries(PLANS))('A %s plan has the bytes of its whole in MessagePack', async (name, plan) => {
  const packed = await packPlan(plan);
  const bytes = wholeBytes(packed);
  expect(packed instanceof Uint8Array).toBe(name === 'short');
  expect(Buffer.compare(bytes, pack(encodePlan(plan)))).toBe(0);
  expect(unpackPlan(bytes)).toEqual(plan);
});

it('A long plan is packed in turns of the event loop, some numbers in each', async () => {
  const blocks = vi.spyOn(Buffer, 'concat');
  let [turns, seen, most] = [0, 0, 0];
  const count = () => {
    turns += 1;
    most = Math.max(most, blocks.mock.calls.length - seen);
    seen = blocks.mock.calls.length;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const packed = await packPlan(PLANS.long);
  clearImmediate(immediate);
  blocks.mockRestore();
  // Eight columns of three pieces, two of weights of nine.
  expect(turns).toBeGreaterThanOrEqual(8 * 3 + 2 * 9 - 1);
  expect(most).toBeLessThanOrEqual(2);
  const pieces = packed as readonly Uint8Array[];
  expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(2 ** 18);
});
