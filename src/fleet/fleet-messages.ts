/**
 * The messages between servers and workers of a fleet, as bytes.
 *
 * MessagePack preserves doubles and typed arrays bit for bit, and does not depend on the version of Node. Every message is checked
 * by a schema, and plans by their codec: another version or another program may have written to the store.
 */
import { Packr } from 'msgpackr';
import { z } from 'zod';
import { FAILURE_REASONS, RiskError } from '../core/errors.ts';
import { decodePlan, encodePlan } from '../core/plan/codec.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { Part, PartAnswer } from '../engine/parts.ts';

const count = z.int().min(0);
const name = z.string().max(1024);
const arrayOf = <T>(type: new () => T) => z.custom<T>(value => value instanceof type);
const doubles = arrayOf(Float64Array);
/** Any double: an outcome may have infinite figures. */
const double = z.custom<number>(value => typeof value === 'number');

const announcement = z.object({
  id: name,
  host: name,
  version: name,
  /** The engines that accept parts now, by name, and their threads; a GPU counts as one. */
  engines: z.record(name, count),
  /** Parts that it computes now. */
  busy: count,
});

const range = z.object({ first: count, count: count.min(1) });
const part = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('chunks'), range }),
  z.object({ kind: z.literal('book-paths'), range }),
  z.object({
    kind: z.literal('book-tails'),
    paths: arrayOf(Uint32Array),
    loss: doubles,
    lossTails: z.array(z.object({ level: double, above: double, at: double })),
  }),
]);

/** The answers by the kind of their part. Of an outcome of a chunk, only members that every product has are checked. */
const answers = {
  chunks: z.union([
    z.array(z.object({ kind: z.string() }).catchall(z.union([double, doubles]).optional())),
    z.object({
      words: arrayOf(Uint32Array),
      counts: doubles.optional(),
      columns: z.record(z.string(), doubles).optional(),
    }),
  ]),
  'book-paths': z.object({ sums: doubles, columns: doubles }),
  'book-tails': z.object({ contributions: doubles, peakRows: doubles }),
} satisfies Record<Part['kind'], z.ZodType>;

const failure = z.object({ failure: z.object({ reason: z.enum(FAILURE_REASONS), message: z.string() }) });

/** A part as the queue carries it. */
const jobData = z.object({ plan: name, lease: name, part: z.base64().optional() });

/** The periodic announcement of a worker. */
export type Announcement = Readonly<z.infer<typeof announcement>>;

/** The result of a part: its answer, or the reason why there is none. */
export type Reply = { readonly answer: PartAnswer } | Readonly<z.infer<typeof failure>>;

const packr = new Packr({ moreTypes: true, useRecords: false });

export const pack = (value: unknown): Uint8Array => packr.pack(value);

/** The content of bytes; undefined where they do not match the schema. */
function read<T>(schema: z.ZodType<T>, bytes: Uint8Array): T | undefined {
  try {
    const checked = schema.safeParse(packr.unpack(bytes));
    return checked.success ? checked.data : undefined;
  } catch {
    return undefined;
  }
}

export const packPlan = (plan: SimulationPlan): Uint8Array => pack(encodePlan(plan));
/** @throws RiskError `invalid-request`, or an error of the format, for bytes that are not a plan */
export const unpackPlan = (bytes: Uint8Array): SimulationPlan => decodePlan(packr.unpack(bytes));

export const packPart = (sent: Part): Uint8Array => pack(sent);
/** Undefined for bytes that are not a part. */
export const unpackPart = (bytes: Uint8Array): Part | undefined => read(part, bytes) as Part | undefined;

export const packReply = (reply: Reply): Uint8Array => pack(reply);
/** Undefined for bytes that are not a reply to a part of this kind. */
export const unpackReply = (bytes: Uint8Array, kind: Part['kind']): Reply | undefined =>
  read(z.union([z.object({ answer: answers[kind] }), failure]), bytes) as Reply | undefined;

export const packAnnouncement = (sent: Announcement): Uint8Array => pack(sent);
/** Undefined for bytes that are not an announcement. */
export const unpackAnnouncement = (bytes: Uint8Array): Announcement | undefined => read(announcement, bytes);

/** A part from the queue; undefined for other data. */
export const readJobData = (data: unknown) => jobData.safeParse(data).data;

/** An error as part of a reply: reasons for clients, no internals. */
export function failureOf(error: unknown): Extract<Reply, { failure: unknown }> {
  if (error instanceof RiskError) return { failure: { reason: error.reason, message: error.message } };
  return { failure: { reason: 'engine-failed', message: 'A worker failed to compute a part of the work.' } };
}
