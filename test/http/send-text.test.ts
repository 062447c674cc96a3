/** Answers that are sent as they are taken. */
import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import type { Context } from '#src/http/context.js';
import { CallerGone } from '#src/http/deadline.js';
import { createQuota, MEBIBYTES } from '#src/http/quota.js';
import { STALL_MILLISECONDS, sendText } from '#src/http/send-text.js';
import { ManualClock } from '../support/manual-clock.ts';

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

function sending(text: string) {
  const res = new SlowResponse();
  const clock = new ManualClock();
  const answers = createQuota('answers', MEBIBYTES, BOUNDS);
  const ctx = { res, method: 'POST', state: { caller: 'a' } } as unknown as Context;
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

it('A short text is left to the framework', async () => {
  const { res, ctx, sent, isFull } = sending('{}');
  await sent;
  expect([ctx.body, res.pieces.length, isFull()]).toEqual(['{}', 0, false]);
});
