/** What requests hold, bounded over all callers and for each. */
import { expect, it } from 'vitest';
import { createHeld, MEBIBYTES } from '#src/http/held.js';

const MIB = 2 ** 20;
const BOUNDS = { all: 10 * MIB, perCaller: 6 * MIB };
const refused = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'held';
};

it('A caller holds up to its bound, and no byte more', () => {
  const held = createHeld('bodies', MEBIBYTES, BOUNDS);
  const release = held.hold('a', 5 * MIB);
  expect(refused(() => held.hold('a', MIB + 1))).toBe(
    'The bodies of the key may take 6 MiB at the same time; try again later.',
  );
  held.hold('a', MIB);
  expect(refused(() => held.refuseIfFull('a'))).not.toBe('held');
  release();
  release();
  expect(refused(() => held.refuseIfFull('a'))).toBe('held');
  expect(refused(() => held.hold('a', 5 * MIB + 1))).not.toBe('held');
  held.hold('a', 5 * MIB);
});

it('All callers together hold up to their bound, and the refusal says so', () => {
  const held = createHeld('bodies', MEBIBYTES, BOUNDS);
  held.hold('a', 6 * MIB);
  const release = held.hold('b', 4 * MIB);
  expect(refused(() => held.hold('c', 1))).toBe(
    'The bodies of all keys together may take 10 MiB at the same time; try again later.',
  );
  release();
  expect(refused(() => held.hold('c', 4 * MIB))).toBe('held');
});

it('What is counted without a bound keeps others out', () => {
  const held = createHeld('answers', MEBIBYTES, BOUNDS);
  const release = held.count('a', 7 * MIB);
  expect(refused(() => held.refuseIfFull('a'))).toContain('the key may take 6 MiB');
  expect(refused(() => held.refuseIfFull('b'))).toBe('held');
  release();
  expect(refused(() => held.refuseIfFull('a'))).toBe('held');
});

it('Where a caller would reach its bound and all pass theirs, the refusal names that of all', () => {
  const held = createHeld('bodies', MEBIBYTES, BOUNDS);
  held.hold('a', 6 * MIB);
  expect(refused(() => held.hold('b', 6 * MIB))).toContain('all keys together may take 10 MiB');
  expect(refused(() => held.hold('b', 6 * MIB + 1))).toContain('the key may take 6 MiB');
});
