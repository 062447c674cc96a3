/**
 * The entries of shared jobs in a store: names, expiries, and which are written together.
 *
 * An unfinished job has its info, its question, a place among those of its owner, and the lease of the server that runs it; one
 * that is finished has its info and its reply. Each of these changes is made at once or not at all.
 */

import type { Change, Entry } from '../../fleet/store.ts';
import { type JobInfo, type JobQuestion, packed } from './job-records.ts';

/** A server that has not renewed its lease for this time has ended. */
export const LEASE_SECONDS = 6;
/** Unfinished jobs expire when no server has had them for this time. */
export const UNFINISHED_SECONDS = 7 * 86_400;

/** The list of the questions of all unfinished jobs. */
export const QUESTIONS = 'job-questions';
export const QUESTION_PREFIX = 'job-question:';
/** The list of all jobs of an owner. */
export const jobsOf = (owner: string) => `jobs:${owner}`;
/** The list of the unfinished jobs of an owner. */
const placesOf = (owner: string) => `job-places:${owner}`;

export const infoName = (id: string) => `job:${id}`;
export const questionName = (id: string) => `${QUESTION_PREFIX}${id}`;
export const placeName = (id: string) => `job-place:${id}`;
export const replyName = (id: string) => `job-reply:${id}`;
export const holderName = (id: string) => `job-holder:${id}`;
export const cancelName = (id: string) => `job-cancel:${id}`;
export const markName = (owner: string, key: string) => `job-key:${owner}:${key}`;
/** The entries of an unfinished job in addition to its info. */
export const unfinishedNames = (id: string) => [
  holderName(id),
  questionName(id),
  placeName(id),
  cancelName(id),
];

/** The entry by which a retry with the same idempotency key finds the job: one, or none without a key. */
export function marksOf(
  { id, owner, fingerprint, idempotencyKey }: JobInfo,
  seconds: number,
): readonly Entry[] {
  if (idempotencyKey === undefined) return [];
  return [{ name: markName(owner, idempotencyKey), bytes: packed({ id, fingerprint }), seconds }];
}

/** A new job with the lease of its server; fails if its idempotency key is taken, or above `maxJobs`. */
export function admissionOf(info: JobInfo, question: JobQuestion, lease: Entry, maxJobs: number): Change {
  const { id, owner } = info;
  const marks = marksOf(info, UNFINISHED_SECONDS);
  const seconds = UNFINISHED_SECONDS;
  return {
    free: [infoName(id), ...marks.map(({ name }) => name)],
    room: { list: placesOf(owner), most: maxJobs },
    put: [
      lease,
      { name: questionName(id), bytes: packed(question), seconds, list: QUESTIONS },
      { name: placeName(id), bytes: new Uint8Array(1), seconds, list: placesOf(owner) },
      { name: infoName(id), bytes: packed(info), seconds, list: jobsOf(owner) },
      ...marks,
    ],
  };
}

/** The present state of an unfinished job; fails without the lease. */
export function stateOf(info: JobInfo, lease: Entry): Change {
  const { id, owner } = info;
  const entry = { name: infoName(id), bytes: packed(info), seconds: UNFINISHED_SECONDS, list: jobsOf(owner) };
  return { held: lease, put: [entry] };
}

/**
 * The end of a job, which frees its place; fails without the lease. The lease stays as long as the job: another server that had the job
 * before, and stood still meanwhile, must not take it again.
 *
 * @param reply packed
 */
export function endOf(info: JobInfo, reply: Uint8Array | undefined, lease: Entry, seconds: number): Change {
  const { id, owner } = info;
  const replies = reply === undefined ? [] : [{ name: replyName(id), bytes: reply, seconds }];
  const entry = { name: infoName(id), bytes: packed(info), seconds, list: jobsOf(owner) };
  return {
    held: { ...lease, seconds },
    put: [...replies, ...marksOf(info, seconds), entry],
    forget: unfinishedNames(id).filter(name => name !== lease.name),
  };
}
