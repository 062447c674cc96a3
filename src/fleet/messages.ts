/**
 * What front ends and workers of a fleet write to each other, as bytes.
 *
 * MessagePack keeps doubles and typed arrays bit for bit, and does not depend on the version of Node. Plans go through their
 * codec, so that a worker relies on nothing that was not checked.
 */
import { Packr } from 'msgpackr';
import type { FailureReason } from '../core/errors.ts';
import { RiskError } from '../core/errors.ts';
import { decodePlan, encodePlan } from '../core/plan/codec.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { Part, PartAnswer } from '../engine/parts.ts';

/** What a worker says of itself, again and again. */
export interface Announcement {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  /** The engines that take parts now, by name, and their threads; a GPU counts as one. */
  readonly engines: Readonly<Record<string, number>>;
  /** Parts that it works on at this moment. */
  readonly busy: number;
}

/** What became of a part: its answer, or why there is none. */
export type Reply =
  | { readonly answer: PartAnswer }
  | { readonly failure: { readonly reason: FailureReason; readonly message: string } };

const packr = new Packr({ moreTypes: true, useRecords: false });

export const pack = (value: unknown): Uint8Array => packr.pack(value);
const unpack = (bytes: Uint8Array): unknown => packr.unpack(bytes);

export const packPlan = (plan: SimulationPlan): Uint8Array => pack(encodePlan(plan));
/** @throws RiskError `invalid-request` for bytes that are no plan */
export const unpackPlan = (bytes: Uint8Array): SimulationPlan => decodePlan(unpack(bytes));

export const packPart = (part: Part): Uint8Array => pack(part);
export const unpackPart = (bytes: Uint8Array): Part => unpack(bytes) as Part;

export const packReply = (reply: Reply): Uint8Array => pack(reply);
export const unpackReply = (bytes: Uint8Array): Reply => unpack(bytes) as Reply;

export const packAnnouncement = (announcement: Announcement): Uint8Array => pack(announcement);
export const unpackAnnouncement = (bytes: Uint8Array): Announcement => unpack(bytes) as Announcement;

/** An error as a reply holds it: reasons for callers, no internals. */
export function failureOf(error: unknown): Extract<Reply, { failure: unknown }> {
  if (error instanceof RiskError) return { failure: { reason: error.reason, message: error.message } };
  return { failure: { reason: 'engine-failed', message: 'A worker failed at a part of the work.' } };
}
