/** Answers that are sent as they are taken. */
import { EventEmitter, once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createQuota, MEBIBYTES } from '#src/server/admission/quota.js';
import type { Context } from '#src/server/transport/context.js';
import { CallerGone } from '#src/server/transport/deadline.js';
import { STALL_MILLISECONDS, sendBytes } from '#src/server/transport/send-text.js';
import { ManualClock } from '../../support/manual-clock.ts';

const BOUNDS = { all: 2 ** 30, perCaller: 1 };

/** A response whose buffer is full after every piece, until the test takes it. */
class SlowResponse extends EventEmitter {
  readonly pieces: Buffer[] = [];
  destroyed = false;
  ended = false;
  write(piece: Buffer): boolean {
    this.pieces.push(piece);
    this.emit('piece');
    return false;
  }
  end(): void {
    this.ended = true;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function sending(text: string, method = 'POST', destroyed = false, encoding = 'identity') {
  const res = new SlowResponse();
  res.destroyed = destroyed;
  const clock = new ManualClock();
  const answers = createQuota('answers', MEBIBYTES, BOUNDS);
  const headers = new Map([['Repr-Digest', 'a digest']]);
  const encodings = {
    vary: () => {},
    acceptsEncodings: () => encoding,
    response: { get: (name: string) => headers.get(name) },
    set: (name: string, value: string) => headers.set(name, value),
    remove: (name: string) => headers.delete(name),
  };
  const ctx = { res, method, state: { caller: 'a' }, ...encodings } as unknown as Context;
  const begun = once(res, 'piece');
  const sent = sendBytes(ctx, 'application/json', Buffer.from(text), { answers, clock });
  const isFull = () => {
    try {
      answers.refuseIfFull('a');
      return false;
    } catch {
      return true;
    }
  };
  return { res, clock, ctx, sent, begun, isFull, headers };
}

const LONG = `${'a'.repeat(65_535)}\u{1f600}${'b'.repeat(300_000)}`;

it('A long text arrives complete, piece by piece as the client reads, and counts until its end', async () => {
  const { res, ctx, sent, isFull } = sending(LONG);
  while (!res.ended) {
    expect(isFull()).toBe(true);
    const next = Promise.race([once(res, 'piece'), sent]);
    res.emit('drain');
    await next;
  }
  await sent;
  expect(Buffer.concat(res.pieces).toString()).toBe(LONG);
  expect(res.pieces.length).toBeGreaterThan(4);
  expect([ctx.length, ctx.respond, ctx.status]).toEqual([Buffer.byteLength(LONG), false, 200]);
  expect(isFull()).toBe(false);
});

it('The connection of a client that reads nothing for half a minute is closed, and its bytes are released', async () => {
  const { res, clock, sent, begun, isFull } = sending(LONG);
  await begun;
  clock.advance(STALL_MILLISECONDS - 1);
  expect(res.destroyed).toBe(false);
  clock.advance(1);
  expect(res.destroyed).toBe(true);
  await expect(sent).rejects.toBeInstanceOf(CallerGone);
  expect(isFull()).toBe(false);
});

it('A short text is left to the framework', async () => {
  const { res, ctx, sent, isFull } = sending('{}');
  await sent;
  expect([String(ctx.body), res.pieces.length, isFull()]).toEqual(['{}', 0, false]);
});

it('A text of 256 KiB is sent in pieces of 64 KiB, a shorter one is left to the framework', async () => {
  const lengthsOf = async (text: string, method = 'POST') => {
    const { res, ctx, sent } = sending(text, method);
    while (!res.ended && ctx.body === undefined) {
      res.emit('drain');
      await new Promise(setImmediate);
    }
    await sent;
    return res.pieces.map(piece => piece.length);
  };
  expect(await lengthsOf('x'.repeat(262_143))).toEqual([]);
  expect(await lengthsOf('x'.repeat(262_144))).toEqual(Array(4).fill(65_536));
  expect(await lengthsOf('x'.repeat(262_145))).toEqual([...Array(4).fill(65_536), 1]);
  expect(await lengthsOf('x'.repeat(262_144), 'HEAD')).toEqual([]);
});

it('A client that reads leaves no timer and no listener behind, piece by piece', async () => {
  const { res, clock, sent, begun } = sending(LONG);
  await begun;
  expect([clock.pending, res.listenerCount('drain'), res.listenerCount('close')]).toEqual([1, 1, 1]);
  for (let piece = 0; !res.ended && piece < 20; piece++) {
    res.emit('drain');
    await new Promise(setImmediate);
    expect(clock.pending).toBe(res.ended ? 0 : 1);
    expect(res.listenerCount('drain')).toBe(clock.pending);
    expect(res.listenerCount('close')).toBe(clock.pending);
  }
  await sent;
  expect(STALL_MILLISECONDS).toBe(30_000);
});

it('A connection that is closed already is not waited for', async () => {
  const { res, clock, sent, isFull } = sending(LONG, 'POST', true);
  await expect(sent).rejects.toBeInstanceOf(CallerGone);
  expect([res.pieces.length, clock.pending, isFull()]).toEqual([1, 0, false]);
});

it('A long text is sent in gzip to a client that takes it, with the digest of the text', async () => {
  const { res, sent, begun, headers } = sending(LONG, 'POST', false, 'gzip');
  await begun;
  while (!res.ended) {
    res.emit('drain');
    await Promise.race([once(res, 'piece'), sent]);
  }
  await sent;
  expect(gunzipSync(Buffer.concat(res.pieces)).toString()).toBe(LONG);
  expect(Object.fromEntries(headers)).toEqual({
    'Content-Encoding': 'gzip',
    'Unencoded-Digest': 'a digest',
  });
});
