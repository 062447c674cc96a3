/**
 * The records of a job that servers share, as bytes, and the schemas that check everything read: another version or another
 * program may have written to the store.
 */
import { Packr } from 'msgpackr';
import { z } from 'zod';
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
  /** The version of the market that the request names. */
  marketData: text.optional(),
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
export const readReply = readerOf(reply);
