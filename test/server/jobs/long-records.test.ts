/** Records of jobs with long bodies: made and read in pieces, and equal to those of the version before. */
import { Packr } from 'msgpackr';
import { expect, it, vi } from 'vitest';
import { joinedText } from '#src/core/long-text.js';
import { PIECE_BYTES } from '#src/host/long-bytes.js';
import {
  type JobQuestion,
  packed,
  packedQuestion,
  packedReply,
  readQuestion,
  readReply,
} from '#src/server/jobs/job-records.js';
import { wholeBytes } from '../../support/memory-store.ts';

const packr = new Packr({ useRecords: false });
const MEBIBYTES = 5;
const QUESTION: JobQuestion = {
  ...{ path: '/book_risk', query: '', body: new Uint8Array(MEBIBYTES * 2 ** 20 + 7).fill(7) },
  ...{ moment: 0, requestId: 'r', caller: 'me' },
};
/** Characters of one to four bytes, at every place of a piece. */
const TEXT = Array.from({ length: 40 }, (_, k) => `${'é€'.repeat(k)}\u{1f600}`.padEnd(70_001, '["loan", 1]'));
const REPLY = { status: 200, headers: { 'x-seed': '0', 'x-body': '\xa4body\xdb' }, body: TEXT };

/** The turns of the event loop during some work, and the longest text or bytes that were encoded, decoded, joined or copied at once. */
async function watched<T>(work: () => T | Promise<T>) {
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const from = vi.spyOn(Buffer, 'from');
  const join = vi.spyOn(Array.prototype, 'join');
  const concat = vi.spyOn(Buffer, 'concat');
  try {
    const value = await work();
    const copied = from.mock.calls.flatMap(([each]) =>
      typeof each === 'string' ? (each as string).length : 0,
    );
    const joined = join.mock.results.map(({ value: text }) => String(text).length);
    const whole = concat.mock.results.map(({ value: bytes }) => (bytes as Buffer).length);
    return { value, turns, longest: Math.max(0, ...copied, ...joined, ...whole) };
  } finally {
    clearImmediate(immediate);
    for (const spy of [from, join, concat]) spy.mockRestore();
  }
}

it('A long question has its body in pieces that are not copied, and the bytes of a map of MessagePack', async () => {
  const { value, longest } = await watched(() => packedQuestion(QUESTION));
  if (value instanceof Uint8Array) throw new Error('the question is in one piece');
  expect(value.slice(1).map(({ buffer }) => buffer)).toEqual(Array(MEBIBYTES + 1).fill(QUESTION.body.buffer));
  expect(Math.max(...value.map(({ byteLength }) => byteLength))).toBe(PIECE_BYTES);
  expect(longest).toBeLessThan(2 ** 17);
  const { body, ...rest } = QUESTION;
  expect(Buffer.compare(wholeBytes(value), packr.pack({ ...rest, body }))).toBe(0);
  const read = readQuestion(wholeBytes(value));
  expect({ ...read, body: 0 }).toEqual({ ...QUESTION, body: 0 });
  expect(Buffer.compare(read?.body ?? Buffer.alloc(0), QUESTION.body)).toBe(0);
});

it('A long question of the version before, with its body between others, is read without a copy of it', () => {
  const bytes = packed(QUESTION);
  const read = readQuestion(bytes);
  expect(Buffer.compare(read?.body ?? Buffer.alloc(0), QUESTION.body)).toBe(0);
  expect(read?.body.buffer).toBe(bytes.buffer);
});

it('A long reply is encoded in turns of the event loop, to the bytes that the version before wrote and reads', async () => {
  for (const body of [TEXT, TEXT.join('')]) {
    const { value, turns, longest } = await watched(() =>
      packedReply({ body, status: 200, headers: REPLY.headers }),
    );
    const bytes = wholeBytes(value);
    expect(Buffer.compare(bytes, packr.pack({ ...REPLY, body: TEXT.join('') }))).toBe(0);
    expect(packr.unpack(bytes)).toEqual({ ...REPLY, body: TEXT.join('') });
    expect(turns).toBeGreaterThanOrEqual(Math.floor(TEXT.length / 10));
    expect(longest).toBeLessThan(2 ** 20);
  }
});

it('A long reply is decoded in turns of the event loop', async () => {
  const bytes = packr.pack({ ...REPLY, body: TEXT.join('') });
  const { value, turns, longest } = await watched(() => readReply(bytes));
  expect({ ...value, body: 0 }).toEqual({ ...REPLY, body: 0 });
  const { body = '' } = value ?? {};
  if (typeof body === 'string') throw new Error('the text is one string');
  expect(joinedText(body)).toBe(TEXT.join(''));
  expect(Math.max(...body.map(({ length }) => length))).toBeLessThanOrEqual(2 ** 17);
  expect(turns).toBeGreaterThanOrEqual(bytes.length / 2 ** 17 - 2);
  expect(longest).toBeLessThan(2 ** 17);
});

it('A reply is one piece up to 256 Ki characters', async () => {
  const body = 'x'.repeat(2 ** 18);
  expect(await packedReply({ ...REPLY, body })).toBeInstanceOf(Uint8Array);
  expect(await packedReply({ ...REPLY, body: `${body}x` })).toBeInstanceOf(Array);
  for (const each of [body, `${body}x`, 'x', '']) {
    const { body: read = [] } =
      (await readReply(wholeBytes(await packedReply({ ...REPLY, body: each })))) ?? {};
    expect(joinedText(read) === each, `${each.length} characters`).toBe(true);
  }
});

it('A long record that lacks its end, has more than it, or has other members, is none', async () => {
  const bytes = packr.pack({ ...REPLY, body: TEXT.join('') });
  expect(await readReply(bytes.subarray(0, -1))).toBeUndefined();
  expect(await readReply(Buffer.concat([bytes, Buffer.of(0)]))).toBeUndefined();
  expect(await readReply(packr.pack({ status: 1, headers: {}, body: TEXT.join('') }))).toBeUndefined();
  const question = wholeBytes(packedQuestion(QUESTION));
  expect(readQuestion(question.subarray(0, -1))).toBeUndefined();
  expect(await readReply(question)).toBeUndefined();
});
