/** Bodies whose bytes are counted while they are in memory. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createQuota } from '#src/server/admission/quota.js';
import { readBytes, takeBody } from '#src/server/transport/body.js';
import type { Context } from '#src/server/transport/context.js';

const MEBIBYTE = 2 ** 20;

it('A body is counted until its request ends, or until it is released, and is gone then', async () => {
  const quota = createQuota('bodies', { name: 'bytes', size: 1 }, { all: 20, perCaller: 10 });
  const isFull = () => {
    try {
      quota.reserve('me', 1)();
      return false;
    } catch {
      return true;
    }
  };
  const take = async (next: (ctx: Context) => void) => {
    const req = Object.assign(Readable.from([Buffer.from('0123456789')]), {
      headers: { 'content-length': '10' },
    });
    const ctx = {
      ...{ req, request: {}, get: () => '', set: () => {} },
      state: { facts: {}, caller: 'me', signal: new AbortController().signal },
    } as unknown as Context;
    await takeBody(10, quota)(ctx, async () => next(ctx));
  };
  const seen: unknown[] = [];
  await take(ctx => seen.push(isFull(), ctx.state.body?.length));
  seen.push(isFull());
  await take(ctx => {
    ctx.state.releaseBody?.();
    seen.push(isFull(), ctx.state.body);
  });
  expect([...seen, isFull()]).toEqual([true, 10, false, false, undefined, false]);
});

it('A body without a length takes the memory of what has arrived, and is refused where its key may have no more', async () => {
  const quota = createQuota('bodies', { name: 'bytes', size: 1 }, { all: 20, perCaller: 10 });
  const [allocated, sizes] = [vi.spyOn(Buffer, 'allocUnsafe'), [] as number[]];
  onTestFinished(() => allocated.mockRestore());
  const counted = () => {
    const free = Array.from({ length: 11 }, (_, bytes) => bytes).findLast(free => {
      try {
        quota.reserve('me', free)();
        return true;
      } catch {
        return false;
      }
    });
    return 10 - (free ?? 0);
  };
  const seen: number[] = [];
  async function* pieces() {
    for (const piece of ['0123', '4567', '89', 'x']) {
      seen.push(counted());
      yield Buffer.from(piece);
    }
  }
  const next = vi.fn();
  const taking = (stream: Readable) => {
    const req = Object.assign(stream, { headers: {} });
    const ctx = {
      ...{ req, request: {}, get: () => '', set: () => {} },
      state: { facts: {}, caller: 'me', signal: new AbortController().signal },
    } as unknown as Context;
    return takeBody(64 * MEBIBYTE, quota)(ctx, async () => next(String(ctx.state.body), counted()));
  };
  await expect(taking(Readable.from(pieces(), { highWaterMark: 1 }))).rejects.toMatchObject({
    reason: 'rate-limited',
  });
  // The bytes of a piece are counted before the next one is read; the stream reads one ahead.
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(Math.max(...seen)).toBeGreaterThanOrEqual(8);
  expect(counted()).toBe(0);
  await taking(Readable.from([Buffer.from('012'), Buffer.from('3')]));
  expect(next.mock.calls).toEqual([['0123', 4]]);
  expect(counted()).toBe(0);
  sizes.push(...allocated.mock.calls.map(([size]) => size));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MEBIBYTE);
});

it('A body without a length has the bytes of its pieces in order, whatever their lengths', async () => {
  const whole = Buffer.from(Uint8Array.from({ length: 3 * MEBIBYTE + 5 }, (_, k) => k % 251));
  const pieces: Buffer[] = [];
  for (let [at, length] = [0, 1]; at < whole.length; at += length, length = (7 * length + 3) % 1_600_000)
    pieces.push(whole.subarray(at, at + length));
  const req = Object.assign(Readable.from(pieces), { headers: {} });
  const ctx = { req, state: { facts: {}, signal: new AbortController().signal } } as unknown as Context;
  let counted = 0;
  const bytes = await readBytes(ctx, 64 * MEBIBYTE, more => {
    counted += more;
  });
  expect(bytes.equals(whole)).toBe(true);
  expect(counted).toBe(whole.length);
});

it('A body whose stream fails, or is closed before its end, is refused', async () => {
  for (const error of [new Error('gone'), undefined]) {
    const req = Object.assign(new Readable({ read() {} }), { headers: {} });
    const ctx = { req, state: { facts: {}, signal: new AbortController().signal } } as unknown as Context;
    const reading = readBytes(ctx, 10, () => {});
    req.push('{');
    setImmediate(() => req.destroy(error));
    await expect(reading).rejects.toMatchObject({
      status: 400,
      message: 'The body could not be read completely.',
    });
  }
});

it('A part of the program that is gone when a body is read is a failure of the server', async () => {
  const req = Object.assign(new Readable({ read() {} }), { headers: {} });
  const ctx = { req, state: { facts: {}, signal: new AbortController().signal } } as unknown as Context;
  const gone = Object.assign(new Error("Cannot find module '../encodings'"), { code: 'MODULE_NOT_FOUND' });
  const reading = readBytes(ctx, 10, () => {});
  setImmediate(() => req.destroy(gone));
  await expect(reading).rejects.toBe(gone);
});

it('A body of which pieces arrive after the deadline is not read further, so that nothing of it stays counted', async () => {
  const deadline = new AbortController();
  const req = Object.assign(new Readable({ read() {} }), { headers: {} });
  const ctx = { req, set: () => {}, state: { facts: {}, signal: deadline.signal } } as unknown as Context;
  let counted = 0;
  const reading = readBytes(ctx, 10, more => {
    counted += more;
  });
  req.push('01');
  await nextTurn();
  deadline.abort(new Error('late'));
  await expect(reading).rejects.toThrow('late');
  req.push('23');
  req.push('4');
  await nextTurn();
  expect(counted).toBe(2);
  expect(req.readableFlowing).not.toBe(true);
});

it('A body of more bytes than its path takes is refused, with and without its length, and leaves its stream open', async () => {
  for (const headers of [{}, { 'content-length': '11' }]) {
    const req = Object.assign(Readable.from(['01234', '567890', '1'].map(each => Buffer.from(each))), {
      headers,
    });
    const ctx = {
      req,
      set: () => {},
      state: { facts: {}, signal: new AbortController().signal },
    } as unknown as Context;
    await expect(
      readBytes(ctx, 10, () => {}),
      JSON.stringify(headers),
    ).rejects.toMatchObject({ status: 413 });
    expect(req.destroyed, JSON.stringify(headers)).toBe(false);
  }
});
