/** The records and entries of jobs in a store: what is written, and what is read back. */
import { describe, expect, it } from 'vitest';
import {
  admissionOf,
  endOf,
  LEASE_SECONDS,
  marksOf,
  stateOf,
  UNFINISHED_SECONDS,
} from '#src/server/jobs/job-entries.js';
import {
  type JobInfo,
  type JobQuestion,
  packed,
  readInfo,
  readInfoOf,
  readMark,
  readQuestion,
  readReply,
} from '#src/server/jobs/job-records.js';

const INFO: JobInfo = {
  ...{ id: 'a', owner: 'me', operation: '/var', fingerprint: 'f', created: 1, seen: 2 },
  ...{ state: 'queued', share: 0, reading: false, ended: 0 },
};
const QUESTION: JobQuestion = {
  ...{ path: '/var', query: 'x=1', seed: '0', compute: 'cpu', body: Uint8Array.of(1, 2) },
  ...{ moment: 0, requestId: 'r', caller: 'me' },
};
const REPLY = { status: 200, headers: { 'x-seed': '0' }, body: '{}' };
const LEASE = { name: 'job-holder:a', bytes: Uint8Array.of(9), seconds: LEASE_SECONDS };
const changed = (record: object, change: object) => packed({ ...record, ...change } as JobInfo);

describe('A record', () => {
  it('is read back as it was written', async () => {
    expect(readInfo(packed(INFO))).toEqual(INFO);
    expect(readQuestion(packed(QUESTION))).toEqual({ ...QUESTION, body: Buffer.of(1, 2) });
    const remarked = { ...QUESTION, remarks: ['Two names.'] };
    expect(readQuestion(packed(remarked))).toEqual({ ...remarked, body: Buffer.of(1, 2) });
    expect(await readReply(packed(REPLY))).toEqual(REPLY);
    expect(readMark(packed({ id: 'a', fingerprint: 'f' }))).toEqual({ id: 'a', fingerprint: 'f' });
  });

  it('has the same bytes each time, those of a map of MessagePack', () => {
    const mark = { id: 'a', fingerprint: 'f' };
    expect(packed(mark)).toEqual(packed(mark));
    expect(packed(mark)[0]).toBe(0xde);
  });

  it('of an older version without reading and ended has neither', () => {
    const { reading: _, ended: __, ...older } = INFO;
    expect(readInfo(packed(older as JobInfo))).toEqual(INFO);
  });

  it.each<[string, object, boolean]>([
    ['a share of 1', { share: 1 }, true],
    ['a share above 1', { share: 1.01 }, false],
    ['a share below 0', { share: -0.01 }, false],
    ['an id of 1024 characters', { id: 'x'.repeat(1024) }, true],
    ['a longer id', { id: 'x'.repeat(1025) }, false],
    ['the last moment of a date', { seen: 8.64e15 }, true],
    ['a later moment', { seen: 8.65e15 }, false],
    ['a moment before 1970', { seen: -1 }, false],
    ['no server that ended', { ended: 0 }, true],
    ['half of a server that ended', { ended: 0.5 }, false],
    ['fewer than no servers', { ended: -1 }, false],
    ['an unknown state', { state: 'lost' }, false],
  ])('of a job with %s is read: %s', (_, change, isRead) => {
    expect(readInfo(changed(INFO, change)) !== undefined).toBe(isRead);
  });

  it.each<[object, boolean]>([
    [{ status: 200 }, true],
    [{ status: 599 }, true],
    [{ status: 199 }, false],
    [{ status: 600 }, false],
    [{ headers: { 'x seed': '0' } }, false],
    [{ headers: { 'x-seed': 'a\nb' } }, false],
    [{ body: 1 }, false],
  ])('of a reply with %j is read: %s', async (change, isRead) => {
    expect((await readReply(changed(REPLY, change))) !== undefined).toBe(isRead);
  });

  it('is nothing where the bytes are absent, of another kind, or of another job', () => {
    expect([undefined, Uint8Array.of(0xc1), packed(REPLY)].map(readInfo)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(readInfoOf('a', packed(INFO))).toEqual(INFO);
    expect(readInfoOf('b', packed(INFO))).toBeUndefined();
    expect(readQuestion(changed(QUESTION, { body: 'text' }))).toBeUndefined();
  });
});

describe('The entries of a job', () => {
  const week = 604_800;
  const mark = { name: 'job-key:me:k', bytes: packed({ id: 'a', fingerprint: 'f' }) };
  const keyed = { ...INFO, idempotencyKey: 'k' };

  it('expire after 6 seconds without renewal of its lease, and after a week without a server', () => {
    expect([LEASE_SECONDS, UNFINISHED_SECONDS]).toEqual([6, week]);
  });

  it('are written at once when it is admitted: with its question, its place and its key', () => {
    const admission = {
      free: ['job:a'],
      room: { list: 'job-places:me', most: 3 },
      put: [
        LEASE,
        { name: 'job-question:a', bytes: packed(QUESTION), seconds: week, list: 'job-questions' },
        { name: 'job-place:a', bytes: Uint8Array.of(0), seconds: week, list: 'job-places:me' },
        { name: 'job:a', bytes: packed(INFO), seconds: week, list: 'jobs:me' },
      ],
    };
    expect(admissionOf(INFO, QUESTION, LEASE, 3)).toEqual(admission);
    const { put } = admissionOf(keyed, QUESTION, LEASE, 3);
    expect(put?.at(-1)).toEqual({ ...mark, seconds: week });
    expect(admissionOf(keyed, QUESTION, LEASE, 3).free).toEqual(['job:a', mark.name]);
  });

  it('are its state while its server has the lease', () => {
    expect(stateOf(INFO, LEASE)).toEqual({
      held: LEASE,
      put: [{ name: 'job:a', bytes: packed(INFO), seconds: week, list: 'jobs:me' }],
    });
  });

  it('at its end are its reply, its key and its lease, and the others go', () => {
    const info = { name: 'job:a', bytes: packed(INFO), seconds: 7, list: 'jobs:me' };
    const forget = ['job-question:a', 'job-place:a', 'job-cancel:a'];
    const held = { ...LEASE, seconds: 7 };
    expect(endOf(INFO, undefined, LEASE, 7)).toEqual({ held, put: [info], forget });
    expect(endOf(keyed, packed(REPLY), LEASE, 7)).toEqual({
      held,
      put: [
        { name: 'job-reply:a', bytes: packed(REPLY), seconds: 7 },
        { ...mark, seconds: 7 },
        { ...info, bytes: packed(keyed) },
      ],
      forget,
    });
    expect(marksOf(INFO, 7)).toEqual([]);
  });
});
