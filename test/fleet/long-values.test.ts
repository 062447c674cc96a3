/** Long values of the stores of a fleet: written and read in pieces, and seen whole or not at all. */
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHANGE_SCRIPT, scriptCall } from '#src/fleet/redis-change.js';
import { openRedisStore } from '#src/fleet/redis-store.js';
import { PIECE_BYTES } from '#src/host/long-bytes.js';
import { dropFleet, newFleetName, REDIS } from '../support/fleet.ts';
import { wholeBytes } from '../support/memory-store.ts';
import { hasRedisServer, startRedis } from '../support/own-stores.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

/** Some bytes that differ from place to place. */
const bytesOf = (length: number, first = 0) =>
  Uint8Array.from({ length }, (_, k) => (first + k + (k >> 8)) % 251);
const entryOf = (name: string, bytes: Uint8Array | readonly Uint8Array[]) => ({ name, bytes, seconds: 60 });
const isSame = (one: Uint8Array | undefined, other: Uint8Array) =>
  one !== undefined && Buffer.compare(one, other) === 0;

/** The largest bytes in an argument of a command of Redis, or in its answer. */
function watchLargest() {
  const sizes: number[] = [];
  const note = (value: unknown): void => {
    if (value instanceof Uint8Array) sizes.push(value.byteLength);
    else if (Array.isArray(value)) value.forEach(note);
  };
  const { sendCommand } = Redis.prototype;
  vi.spyOn(Redis.prototype, 'sendCommand').mockImplementation(function (this: Redis, command, stream) {
    note(command.args);
    const answer = sendCommand.call(this, command, stream) as Promise<unknown>;
    answer.then(note, () => {});
    return answer;
  });
  return { largest: () => Math.max(0, ...sizes.splice(0)) };
}

describe.skipIf(!REDIS.present)('A long value in Redis', () => {
  async function opened() {
    const name = newFleetName();
    closing.push(() => dropFleet(name));
    const store = await openRedisStore(REDIS.url, name, () => {});
    closing.push(() => store.close());
    return { store, name };
  }

  it('is read as it was written, no more than a mebibyte of it at a time', async () => {
    const { store } = await opened();
    const { largest } = watchLargest();
    for (const length of [
      PIECE_BYTES - 1,
      PIECE_BYTES,
      PIECE_BYTES + 1,
      2 * PIECE_BYTES,
      3 * PIECE_BYTES + 5,
    ]) {
      const bytes = bytesOf(length);
      await store.put(entryOf('put', bytes));
      const pieces = [bytes.subarray(0, 10), bytes.subarray(10)];
      expect(await store.change({ free: [`new ${length}`], put: [entryOf(`new ${length}`, pieces)] })).toBe(
        'done',
      );
      const found = await store.get(['put', 'absent', `new ${length}`]);
      expect([isSame(found[0], bytes), found[1], isSame(found[2], bytes)], `${length}`).toEqual([
        true,
        undefined,
        true,
      ]);
      expect(largest(), `${length}`).toBe(Math.min(length, PIECE_BYTES));
    }
  });

  it('is replaced by another one, long or short, and expires as it is told', async () => {
    const { store } = await opened();
    const [first, second] = [bytesOf(2 * PIECE_BYTES), bytesOf(3 * PIECE_BYTES, 1)];
    for (const bytes of [first, second, Uint8Array.of(1), first]) {
      await store.change({ put: [{ ...entryOf('a', bytes), list: 'l' }] });
      expect(isSame((await store.get(['a']))[0], bytes)).toBe(true);
      expect(await store.list('l')).toEqual(['a']);
    }
    await store.put({ ...entryOf('a', second), seconds: 0.001 });
    await vi.waitFor(async () => expect(await store.get(['a'])).toEqual([undefined]));
  });

  it('of a change that is not made leaves nothing', async () => {
    const { store, name } = await opened();
    const long = bytesOf(2 * PIECE_BYTES);
    const lease = { ...entryOf('lease', Uint8Array.of(1)), list: 'l' };
    await store.put(lease);
    const other = entryOf('lease', Uint8Array.of(2));
    expect(await store.change({ free: ['lease'], put: [entryOf('a', long)] })).toBe('taken');
    expect(await store.change({ room: { list: 'l', most: 1 }, put: [entryOf('a', long)] })).toBe('full');
    expect(await store.change({ held: other, put: [entryOf('a', long)] })).toBe('lost');
    expect(await store.get(['a'])).toEqual([undefined]);
    expect(await store.change({ held: lease, put: [entryOf('a', long)] })).toBe('done');
    expect(await stored(name)).toEqual(['a', 'lease']);
  });

  /** The names of everything in the store. */
  async function stored(name: string): Promise<string[]> {
    const admin = new Redis(REDIS.url);
    closing.push(async () => admin.disconnect());
    const keys = await admin.keys(`${name}:*`);
    return keys
      .map(key => key.slice(name.length + 1))
      .filter(key => !key.startsWith('list:'))
      .sort();
  }
});

it.skipIf(!REDIS.present)('A change whose long value was lost in Redis before it is not made', async () => {
  const admin = new Redis(REDIS.url);
  closing.push(async () => admin.disconnect());
  const prefix = newFleetName();
  closing.push(() => dropFleet(prefix));
  const long = entryOf(`${prefix}:a`, bytesOf(2 * PIECE_BYTES));
  const put = [entryOf(`${prefix}:b`, Uint8Array.of(1)), long];
  const staged = new Map([[long, `${prefix}:staged`]]);
  const { keys, values } = scriptCall({ put }, prefix, list => list, staged);
  const sent = values.map(value => (typeof value === 'string' ? value : Buffer.from(value)));
  const change = () => admin.eval(CHANGE_SCRIPT, keys.length, ...keys, ...sent);
  expect(await change()).toBe('unstaged');
  await admin.set(`${prefix}:staged`, Buffer.from(long.bytes as Uint8Array).subarray(1));
  expect(await change()).toBe('unstaged');
  expect(await admin.exists(`${prefix}:a`, `${prefix}:b`)).toBe(0);
  await admin.set(`${prefix}:staged`, Buffer.from(long.bytes as Uint8Array));
  expect(await change()).toBe('done');
  expect(await admin.exists(`${prefix}:a`, `${prefix}:b`, `${prefix}:staged`)).toBe(2);
});

it.skipIf(!hasRedisServer)(
  'A Redis at its limit of memory takes a long value under a lease that it has, and no other',
  async () => {
    const server = await startRedis();
    closing.push(() => server.close());
    const url = server.urlAt(server.port);
    const store = await openRedisStore(url, 'f', () => {});
    closing.push(() => store.close());
    const lease = entryOf('lease', Uint8Array.of(1));
    await store.put(lease);
    const admin = new Redis(url);
    closing.push(async () => admin.disconnect());
    await admin.config('SET', 'maxmemory', '1');
    const long = bytesOf(2 * PIECE_BYTES);
    const refusal = { message: 'The store of the fleet has no memory left; try again later.' };
    await expect(store.change({ free: ['a'], put: [entryOf('a', long)] })).rejects.toMatchObject(refusal);
    await expect(store.put(entryOf('a', long))).rejects.toMatchObject(refusal);
    expect(await store.change({ held: lease, put: [entryOf('a', long)] })).toBe('done');
    expect(isSame((await store.get(['a']))[0], wholeBytes(long))).toBe(true);
  },
);
