/** Bodies whose bytes are counted while they are in memory. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { takeBytes } from '#src/http/body.js';
import type { Context } from '#src/http/context.js';
import { createQuota } from '#src/http/quota.js';

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
      state: { caller: 'me', signal: new AbortController().signal },
    } as unknown as Context;
    await takeBytes(10, quota)(ctx, async () => next(ctx));
  };
  const seen: unknown[] = [];
  await take(ctx => seen.push(isFull(), ctx.request.rawBytes?.length));
  seen.push(isFull());
  await take(ctx => {
    ctx.state.releaseBody?.();
    seen.push(isFull(), ctx.request.rawBytes);
  });
  expect([...seen, isFull()]).toEqual([true, 10, false, false, undefined, false]);
});
