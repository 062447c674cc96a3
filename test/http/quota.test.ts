/** Amounts in use, bounded over all callers and for each. */
import { expect, it } from 'vitest';
import { CONNECTIONS, createQuota, MEBIBYTES } from '#src/http/quota.js';

const MIB = 2 ** 20;
const BOUNDS = { all: 10 * MIB, perCaller: 6 * MIB };
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
  const release = quota.reserve('a', 5 * MIB);
  expect(refused(() => quota.reserve('a', MIB + 1))).toBe(
    'The bodies of the key may use 6 MiB at the same time; try again later.',
  );
  quota.reserve('a', MIB);
  expect(refused(() => quota.refuseIfFull('a'))).not.toBe('taken');
  release();
  release();
  expect(refused(() => quota.refuseIfFull('a'))).toBe('taken');
  expect(refused(() => quota.reserve('a', 5 * MIB + 1))).not.toBe('taken');
  quota.reserve('a', 5 * MIB);
});

it('All callers together reserve up to their bound, which the refusal names', () => {
  const quota = createQuota('bodies', MEBIBYTES, BOUNDS);
  quota.reserve('a', 6 * MIB);
  const release = quota.reserve('b', 4 * MIB);
  expect(refused(() => quota.reserve('c', 1))).toBe(
    'The bodies of all keys together may use 10 MiB at the same time; try again later.',
  );
  release();
  expect(refused(() => quota.reserve('c', 4 * MIB))).toBe('taken');
});

it('An amount added without a bound counts against later callers', () => {
  const quota = createQuota('answers', MEBIBYTES, BOUNDS);
  const release = quota.add('a', 7 * MIB);
  expect(refused(() => quota.refuseIfFull('a'))).toContain('the key may use 6 MiB');
  expect(refused(() => quota.refuseIfFull('b'))).toBe('taken');
  release();
  expect(refused(() => quota.refuseIfFull('a'))).toBe('taken');
});

it('The refusal names the bound of all callers, where only that is exceeded', () => {
  const quota = createQuota('bodies', MEBIBYTES, BOUNDS);
  quota.reserve('a', 6 * MIB);
  expect(refused(() => quota.reserve('b', 6 * MIB))).toContain('all keys together may use 10 MiB');
  expect(refused(() => quota.reserve('b', 6 * MIB + 1))).toContain('the key may use 6 MiB');
});

it('Connections are counted one by one, and a refusal says when to try again', () => {
  const quota = createQuota('streams', CONNECTIONS, { all: 3, perCaller: 2 });
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
  expect(refused(() => quota.reserve('c', 1))).toContain('all keys together may use 3 connections');
});
