/**
 * The records of a job that servers share, as bytes, and the schemas that check everything read: another version or another
 * program may have written to the store.
 *
 * A record with a long body is the same map of MessagePack, its body last: so its bytes are made and read in pieces.
 */
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Packr } from 'msgpackr';
import { z } from 'zod';
import { joinedText, lengthOf, textPieces } from '../../core/long-text.ts';
import { bytePieces, type LongBytes, lengthOfBytes } from '../../host/long-bytes.ts';
import type { JobReply } from './job.ts';

const text = z.string().max(1024);
/** Largest milliseconds since 1970 of a date. */
const moment = z.number().min(0).max(8.64e15);
const count = z.int().min(0);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;
const bytes = z.custom<Uint8Array>(value => value instanceof Uint8Array);

/** Strict: a server that does not know a member of the question would answer another one. */
const question = z.strictObject({
  /** The path of the operation. */
  path: text,
  /** The query string. */
  query: z.string(),
  seed: text.optional(),
  compute: text.optional(),
  /** The body as sent. */
  body: bytes,
  /** Determines the default analysis date. */
  moment,
  requestId: text,
  caller: text,
  /** Sentences on the tape that was sent instead of the body. */
  remarks: z.array(z.string()).optional(),
});

const info = z.object({
  id: text,
  owner: text,
  operation: text,
  fingerprint: text,
  /** The header Idempotency-Key. */
  idempotencyKey: text.optional(),
  created: moment,
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  /** 0 to 1. */
  share: z.number().min(0).max(1),
  started: moment.optional(),
  finished: moment.optional(),
  /** When the record was written. */
  seen: moment,
  /** Whether a server that has adopted it is reading its question. */
  reading: z.boolean().default(false),
  /** Servers that ended while they read its question or ran it. */
  ended: count.default(0),
});

const reply = z.object({
  status: z.int().min(200).max(599),
  headers: z.record(z.string().regex(HEADER_NAME), z.string().regex(HEADER_VALUE)),
  body: z.string(),
}) satisfies z.ZodType<JobReply>;

/** The job of an idempotency key. */
const mark = z.object({ id: text, fingerprint: text });

/** The question, its time and its owner. */
export type JobQuestion = Readonly<z.infer<typeof question>>;
/** The records of a job. */
export type JobInfo = Readonly<z.infer<typeof info>>;

const packr = new Packr({ useRecords: false });
export const packed = (value: JobQuestion | JobInfo | JobReply | z.infer<typeof mark>): Uint8Array =>
  packr.pack(value);

/** Longer bodies, in bytes or characters, are packed and read in pieces. */
const LONG_BODY = 2 ** 18;
/** Pieces of a text that are encoded in one turn, and bytes that are decoded to a piece: less than a millisecond. */
const TEXTS_PER_TURN = 8;
const DECODED_BYTES = 2 ** 17;
/** MessagePack: bytes and text with a length of 32 bits, and both without any. */
const BYTES = { code: 0xc6, empty: Uint8Array.of(0xc4, 0) };
const TEXT = { code: 0xdb, empty: Uint8Array.of(0xa0) };

/** The name `body` and the code of a long text. */
const LONG_TEXT_BODY = Buffer.from([0xa4, ...Buffer.from('body'), TEXT.code]);

/** A question with its body in pieces that are not copied. */
export function packedQuestion(question: JobQuestion): LongBytes {
  const { body, ...rest } = question;
  if (body.byteLength <= LONG_BODY) return packed(question);
  return [headOf({ ...rest, body: new Uint8Array() }, body.byteLength, BYTES), ...bytePieces(body)];
}

/** A reply, whose text is encoded in turns of the event loop. */
export async function packedReply({ body, ...rest }: JobReply): Promise<LongBytes> {
  if (lengthOf(body) <= LONG_BODY) return packed({ ...rest, body: joinedText(body) });
  const texts = textPieces(body);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < texts.length; at += TEXTS_PER_TURN) {
    pieces.push(Buffer.from(texts.slice(at, at + TEXTS_PER_TURN).join('')));
    await nextTurn();
  }
  return [headOf({ ...rest, body: '' }, lengthOfBytes(pieces), TEXT), ...pieces];
}

/** A record up to the bytes of its body. @param record with an empty body, its last member */
function headOf(record: object, length: number, { code, empty }: typeof BYTES): Uint8Array {
  const header = Buffer.from([code, 0, 0, 0, 0]);
  header.writeUInt32BE(length, 1);
  return Buffer.concat([packr.pack(record).subarray(0, -empty.length), header]);
}

/** A reader of bytes: undefined where they are absent or do not match the schema. */
const readerOf =
  <T>(schema: z.ZodType<T>) =>
  (found: Uint8Array | undefined): T | undefined => {
    if (found === undefined) return undefined;
    try {
      const checked = schema.safeParse(packr.unpack(found));
      return checked.success ? checked.data : undefined;
    } catch {
      return undefined;
    }
  };

export const readQuestion = readerOf(question);
export const readInfo = readerOf(info);
/** The records of this job, if they belong to it. */
export const readInfoOf = (id: string, found: Uint8Array | undefined): JobInfo | undefined => {
  const info = readInfo(found);
  return info?.id === id ? info : undefined;
};
export const readMark = readerOf(mark);
const readWholeReply = readerOf(reply);

/** Reads a reply; a long text is decoded in turns of the event loop. */
export async function readReply(found: Uint8Array | undefined): Promise<JobReply | undefined> {
  const long = found && longTextOf(found);
  const read = readWholeReply(long?.head ?? found);
  if (long === undefined || read === undefined) return read;
  const decoder = new StringDecoder();
  const body: string[] = [];
  for (let at = 0; at < long.text.length; at += DECODED_BYTES) {
    body.push(decoder.write(long.text.subarray(at, at + DECODED_BYTES)));
    await nextTurn();
  }
  return { ...read, body };
}

/** A record whose body is a long text at its end, and the bytes of that; undefined for another one. */
function longTextOf(found: Uint8Array): { head: Uint8Array; text: Buffer } | undefined {
  const bytes = Buffer.from(found.buffer, found.byteOffset, found.byteLength);
  const header = bytes.subarray(0, LONG_BODY).indexOf(LONG_TEXT_BODY) + LONG_TEXT_BODY.length;
  if (header < LONG_TEXT_BODY.length || header + 4 > bytes.length) return undefined;
  const text = bytes.subarray(header + 4);
  if (text.length <= LONG_BODY || bytes.readUInt32BE(header) !== text.length) return undefined;
  return { head: Buffer.concat([bytes.subarray(0, header - 1), TEXT.empty]), text };
}
