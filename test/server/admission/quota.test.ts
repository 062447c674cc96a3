/** Amounts in use, bounded over all callers and for each. */
import { expect, it } from 'vitest';
import { CONNECTIONS, createQuota, MEBIBYTES } from '#src/server/admission/quota.js';

const MIB = 2 ** 20;
const BOUNDS = { all: 10 * MIB, perCaller: 5 * MIB };
const refused = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'taken';
};

it('A caller reserves up to its bound, and not a byte more', () => {
  const quota = createQuota('bodies', MEBIBYTES, BOUNDS);
  const release = quota.reserve('a', 4 * MIB);
  expect(refused(() => quota.reserve('a', MIB + 1))).toBe(
    'The bodies of the key may use 5 MiB at the same time; try again later.',
  );
  quota.reserve('a', MIB);
  expect(refused(() => quota.refuseIfFull('a'))).not.toBe('taken');
  release();
  release();
  expect(refused(() => quota.refuseIfFull('a'))).toBe('taken');
  expect(refused(() => quota.reserve('a', 4 * MIB + 1))).not.toBe('taken');
  quota.reserve('a', 4 * MIB);
});

it('A caller reserves half of what the others leave, which the refusal names, so that something is left for the next', () => {
  const quota = createQuota('bodies', MEBIBYTES, BOUNDS);
  quota.reserve('a', 5 * MIB);
  const release = quota.reserve('b', 2.5 * MIB);
  expect(refused(() => quota.reserve('c', 1.25 * MIB + 1))).toBe(
    'The bodies of the key may use 1 MiB at the same time, which is half of what other keys leave; try again later.',
  );
  expect(refused(() => quota.reserve('c', 1.25 * MIB))).toBe('taken');
  for (const caller of ['d', 'e', 'f', 'g'])
    expect([caller, refused(() => quota.reserve(caller, MIB / 64))]).toEqual([caller, 'taken']);
  release();
  expect(refused(() => quota.reserve('b', 1.8 * MIB))).toBe('taken');
});

it('An amount grows up to the bound, keeps what it has where more is refused, and is released once', () => {
  const quota = createQuota('bodies', MEBIBYTES, BOUNDS);
  const { grow, release } = quota.growing('a');
  grow(2 * MIB);
  grow(2 * MIB);
  expect(refused(() => grow(MIB + 1))).toContain('the key may use 5 MiB');
  expect(refused(() => quota.reserve('a', MIB + 1))).not.toBe('taken');
  grow(MIB);
  release();
  release();
  expect(refused(() => quota.reserve('a', 5 * MIB))).toBe('taken');
  expect(refused(() => quota.reserve('b', 2.5 * MIB + 1))).not.toBe('taken');
});

it('An amount added without a bound counts against later callers', () => {
  const quota = createQuota('answers', MEBIBYTES, BOUNDS);
  const release = quota.add('a', 7 * MIB);
  expect(refused(() => quota.refuseIfFull('a'))).toContain('the key may use 5 MiB');
  expect(refused(() => quota.refuseIfFull('b'))).toBe('taken');
  release();
  expect(refused(() => quota.refuseIfFull('a'))).toBe('taken');
});

it('Connections are counted one by one, and a refusal says when to try again', () => {
  const quota = createQuota('streams', CONNECTIONS, { all: 4, perCaller: 2 });
  const releases = [quota.reserve('a', 1), quota.reserve('a', 1)];
  expect(() => quota.reserve('a', 1)).toThrow(
    expect.objectContaining({
      ...{ reason: 'rate-limited', retryAfterSeconds: 1 },
      message: 'The streams of the key may use 2 connections at the same time; try again later.',
    }),
  );
  releases[0]();
  releases[0]();
  quota.reserve('a', 1);
  expect(refused(() => quota.reserve('a', 1))).not.toBe('taken');
  quota.reserve('b', 1);
  expect(refused(() => quota.reserve('c', 1))).toContain(
    'may use 0 connections at the same time, which is half',
  );
});
