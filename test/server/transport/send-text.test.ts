/** Answers that are sent as they are taken. */
import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import type { LongText } from '#src/core/long-text.js';
import { createQuota, MEBIBYTES } from '#src/server/admission/quota.js';
import type { Context } from '#src/server/transport/context.js';
import { CallerGone } from '#src/server/transport/deadline.js';
import { STALL_MILLISECONDS, sendText } from '#src/server/transport/send-text.js';
import { ManualClock } from '../../support/manual-clock.ts';

const BOUNDS = { all: 2 ** 30, perCaller: 1 };

/** A response whose buffer is full after every piece, until the test takes it. */
class SlowResponse extends EventEmitter {
  readonly pieces: string[] = [];
  destroyed = false;
  ended = false;
  write(piece: string): boolean {
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

function sending(text: LongText, method = 'POST', destroyed = false) {
  const res = new SlowResponse();
  res.destroyed = destroyed;
  const clock = new ManualClock();
  const answers = createQuota('answers', MEBIBYTES, BOUNDS);
  const ctx = { res, method, state: { caller: 'a' } } as unknown as Context;
  const begun = once(res, 'piece');
  const sent = sendText(ctx, 'application/json', text, { answers, clock });
  const isFull = () => {
    try {
      answers.refuseIfFull('a');
      return false;
    } catch {
      return true;
    }
  };
  return { res, clock, ctx, sent, begun, isFull };
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
  expect(res.pieces.join('')).toBe(LONG);
  expect(res.pieces.length).toBeGreaterThan(4);
  expect(res.pieces.every(piece => Buffer.from(piece).toString() === piece)).toBe(true);
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

it('A text in pieces is written as they are, and counted in turns of the event loop', async () => {
  const pieces = Array.from({ length: 100 }, (_, k) => (k === 0 ? 'é' : 'x').repeat(65_536));
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const { res, ctx, sent, begun } = sending(pieces);
  await begun;
  clearImmediate(immediate);
  expect(turns).toBeGreaterThanOrEqual(100 / 8 - 1);
  while (!res.ended) {
    res.emit('drain');
    await new Promise(setImmediate);
  }
  await sent;
  expect(ctx.length).toBe(101 * 65_536);
  expect(res.pieces).toEqual(pieces);
});

it('A text is written in turns of the event loop, though a fast client drains each piece in the turn of its write', async () => {
  const pieces = Array<string>(160).fill('x'.repeat(65_536));
  const { res, sent } = sending(pieces);
  let turns = 0;
  let [written, most] = [0, 0];
  const count = () => {
    turns += 1;
    most = Math.max(most, res.pieces.length - written);
    written = res.pieces.length;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  res.on('piece', () => process.nextTick(() => res.emit('drain')));
  await sent;
  clearImmediate(immediate);
  expect(res.pieces).toHaveLength(160);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(16);
  expect(turns).toBeGreaterThanOrEqual(160 / 8);
});

it('A short text is left to the framework', async () => {
  const { res, ctx, sent, isFull } = sending('{}');
  await sent;
  expect([ctx.body, res.pieces.length, isFull()]).toEqual(['{}', 0, false]);
});

it('A text of 256 Ki characters is sent in pieces of 64 Ki, a shorter one is left to the framework', async () => {
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
  // The first and the last high surrogate are not parted from what follows; their neighbours are no surrogates of that kind.
  for (const [character, length] of [
    ['\ud800\udc00', 65_537],
    ['\udbff\udfff', 65_537],
    ['\ud7ff.', 65_536],
    ['\udc00.', 65_536],
    ['\ue000.', 65_536],
  ] as const)
    expect((await lengthsOf(`${'x'.repeat(65_535)}${character}${'y'.repeat(262_144)}`))[0], character).toBe(
      length,
    );
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
