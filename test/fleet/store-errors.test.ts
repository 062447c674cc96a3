/** What stores and queues say, in plain words. */
import { describe, expect, it } from 'vitest';
import { queueWords, StoreRefused, storeWarnings } from '#src/fleet/store-errors.js';
import { collectLog } from '../support/log-lines.ts';
import { ManualClock } from '../support/manual-clock.ts';

describe('An error of the queue', () => {
  it.each([
    ['Missing key for job run.1.chunks.3. moveToFinished', 'has lost a part', 'the run continues'],
    [
      'Missing lock for job run.1.chunks.3. moveToFinished',
      'given a part of this worker to another',
      'the run continues',
    ],
    ['could not renew lock for job 7', 'given a part of this worker to another', 'the run continues'],
    ['Lock mismatch for job 7. Cmd moveToFinished from active', 'to another', 'the run continues'],
    ['Job 7 is not in the active state. moveToFinished', 'ended or was removed', 'the run has its answer'],
    ['job stalled more than allowable limit', 'each worker that had the part ended', 'the run fails'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'has no memory left', 'parts wait'],
    ['connect ECONNREFUSED 127.0.0.1:6379', 'the queue of the fleet does not answer', ''],
  ])('states the event and its effect on the run: %s', (message, store, run) => {
    const words = queueWords(new Error(message));
    expect(words).toContain(store);
    expect(words).toContain(run);
    expect(words).not.toContain('moveToFinished');
  });
});

describe('A refusal of the store', () => {
  it.each([
    ["OOM command not allowed when used memory > 'maxmemory'.", 'has no memory left'],
    ["READONLY You can't write against a read only replica.", 'rejects writes: it is a replica'],
    ['MISCONF Redis is configured to save RDB snapshots, but ...', 'cannot write to its disk'],
    ['NOAUTH Authentication required.', 'rejects the authentication of this process'],
    ["NOPERM User risk has no permissions to run the 'set' command", 'rejects the rights of its user'],
    ['ERR DB index is out of range', 'does not have this database'],
    ["ERR unknown command 'x'", 'rejects the command'],
  ])('is a temporary 503 with the reason: %s', (message, why) => {
    const refused = new StoreRefused(new Error(message));
    expect(refused.message).toContain(why);
    expect(refused.message).not.toContain(message);
    expect(refused.words).toContain(why);
    expect(refused.words.endsWith(`: ${message}`), refused.words).toBe(true);
    expect([refused.reason, refused.retryAfterSeconds]).toEqual(['engine-unavailable', 5]);
  });
});

describe('A warning of the store', () => {
  const warned = (err: unknown) => {
    const { log, lines } = collectLog();
    storeWarnings(new ManualClock(), log)({ err }, 'a look failed');
    return lines.map(({ msg }) => msg);
  };

  it.each([
    'WRONGPASS invalid username-password pair or user is disabled.',
    'NOAUTH Authentication required.',
  ])('names a rejected user or password, whatever the call was for: %s', message => {
    const rejected = new Error(message);
    const words =
      'the store of the fleet rejects the authentication of this process; restart it with the new REDIS_URL';
    expect(warned(rejected)).toEqual([words]);
    expect(warned(new StoreRefused(rejected))).toEqual([words]);
  });

  it('names the call that any other failure ended', () => {
    expect(warned(new Error('connect ECONNREFUSED'))).toEqual(['a look failed']);
    expect(warned(new StoreRefused(new Error('OOM command not allowed')))).toEqual(['a look failed']);
  });
});
