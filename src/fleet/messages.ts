/**
 * What front ends and workers of a fleet write to each other, as bytes.
 *
 * MessagePack keeps doubles and typed arrays bit for bit, and does not depend on the version of Node. Everything that is read has
 * a schema, plans go through their codec: the store may return what another version, or somebody else, has written.
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
  /** The engines that take parts now, by name, and their threads; a GPU counts as one. */
  engines: z.record(name, count),
  /** Parts that it works on at this moment. */
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

/** The answers by the kind of their part. An outcome of a chunk is checked as far as every product has it. */
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

/** What the queue carries of a part. */
const jobData = z.object({ plan: name, lease: name, part: z.base64().optional() });

/** What a worker says of itself, again and again. */
export type Announcement = Readonly<z.infer<typeof announcement>>;

/** What became of a part: its answer, or why there is none. */
export type Reply = { readonly answer: PartAnswer } | Readonly<z.infer<typeof failure>>;

const packr = new Packr({ moreTypes: true, useRecords: false });

export const pack = (value: unknown): Uint8Array => packr.pack(value);

/** The content of bytes; undefined where they do not have the form. */
function read<T>(schema: z.ZodType<T>, bytes: Uint8Array): T | undefined {
  try {
    const checked = schema.safeParse(packr.unpack(bytes));
    return checked.success ? checked.data : undefined;
  } catch {
    return undefined;
  }
}

export const packPlan = (plan: SimulationPlan): Uint8Array => pack(encodePlan(plan));
/** @throws RiskError `invalid-request`, or an error of the format, for bytes that are no plan */
export const unpackPlan = (bytes: Uint8Array): SimulationPlan => decodePlan(packr.unpack(bytes));

export const packPart = (sent: Part): Uint8Array => pack(sent);
/** Undefined for bytes that are no part. */
export const unpackPart = (bytes: Uint8Array): Part | undefined => read(part, bytes) as Part | undefined;

export const packReply = (reply: Reply): Uint8Array => pack(reply);
/** Undefined for bytes that are no reply to a part of this kind. */
export const unpackReply = (bytes: Uint8Array, kind: Part['kind']): Reply | undefined =>
  read(z.union([z.object({ answer: answers[kind] }), failure]), bytes) as Reply | undefined;

export const packAnnouncement = (sent: Announcement): Uint8Array => pack(sent);
/** Undefined for bytes that are no announcement. */
export const unpackAnnouncement = (bytes: Uint8Array): Announcement | undefined => read(announcement, bytes);

/** What the queue carries of a part; undefined for what is not that. */
export const readJobData = (data: unknown) => jobData.safeParse(data).data;

/** An error as a reply holds it: reasons for callers, no internals. */
export function failureOf(error: unknown): Extract<Reply, { failure: unknown }> {
  if (error instanceof RiskError) return { failure: { reason: error.reason, message: error.message } };
  return { failure: { reason: 'engine-failed', message: 'A worker failed to compute a part of the work.' } };
}
