/** Errors as problem documents. */
import { describe, expect, it } from 'vitest';
import { FAILURE_REASONS, RiskError } from '#src/core/errors.js';
import {
  HttpRefusal,
  PROBLEMS,
  problemBody,
  problemOf,
  problemReply,
  RateLimited,
} from '#src/server/answers/problem.js';

const HIDDEN = 'The server failed to answer this request.';

describe('A problem', () => {
  it('has the status and the title of its reason', () => {
    expect(PROBLEMS).toEqual(
      Object.entries({
        'invalid-request': [422, 'Invalid request'],
        'missing-market-data': [422, 'Missing market data'],
        'market-version-gone': [410, 'Market version gone'],
        'market-data-unavailable': [503, 'Market data unavailable'],
        'calibration-failed': [422, 'Calibration failed'],
        'target-not-reachable': [422, 'Target not reachable'],
        'work-limit-exceeded': [422, 'Work limit exceeded'],
        'queue-full': [429, 'Queue full'],
        'rate-limited': [429, 'Rate limited'],
        'audit-unavailable': [503, 'Audit unavailable'],
        'engine-unavailable': [503, 'Engine unavailable'],
        'deadline-exceeded': [504, 'Deadline exceeded'],
        'engine-failed': [500, 'Engine failed'],
      }).map(([reason, [status, title]]) => ({
        type: `urn:collateral-risk-engine:${reason}`,
        status,
        title,
      })),
    );
    const faults = [{ code: 'out_of_range' as const, path: 'a', message: 'wrong' }];
    for (const [k, reason] of FAILURE_REASONS.entries()) {
      const { type, status, title } = PROBLEMS.find(each =>
        each.type.endsWith(`:${reason}`),
      ) as (typeof PROBLEMS)[0];
      const problem = problemOf(new RiskError(reason, `sentence ${k}`, { faults }));
      // Nothing of a fault of the server is told.
      const told =
        status === 500 ? { detail: HIDDEN, errors: [] } : { detail: `sentence ${k}`, errors: faults };
      expect(problem, reason).toMatchObject({ type, status, title, ...told });
    }
  });

  it.each([
    ['queue-full', undefined, '5'],
    ['queue-full', 7, '7'],
    ['queue-full', 7.01, '8'],
    ['queue-full', 0.2, '1'],
    ['queue-full', 0, '1'],
    ['rate-limited', 2, '2'],
    ['engine-unavailable', 3, '3'],
    ['market-data-unavailable', 3, '3'],
    ['engine-unavailable', undefined, undefined],
    ['deadline-exceeded', 3, undefined],
    ['invalid-request', 3, undefined],
  ] as const)('%s after %s seconds has Retry-After: %s', (reason, retryAfterSeconds, header) => {
    const error = new RiskError(reason, 'no', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
    expect(problemOf(error).headers).toEqual(header === undefined ? {} : { 'Retry-After': header });
  });

  it('of a limit has the headers of the limit', () => {
    expect(problemOf(new RateLimited('no', 1.5, { RateLimit: 'r' }))).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '2', RateLimit: 'r' },
    });
    expect(problemOf(new RateLimited('no', 1)).headers).toEqual({ 'Retry-After': '1' });
  });

  it('without a reason has the standard name of its status', () => {
    expect(problemOf(new HttpRefusal(415, 'no', { Allow: 'POST' }))).toEqual({
      ...{ status: 415, headers: { Allow: 'POST' }, type: 'about:blank', title: 'Unsupported Media Type' },
      ...{ detail: 'no', errors: [] },
    });
    expect(problemOf(new HttpRefusal(499, 'no')).title).toBe('Error');
    for (const error of [new Error('secret'), 'secret', undefined])
      expect(problemOf(error)).toEqual({
        ...{ status: 500, headers: {}, type: 'about:blank', title: 'Internal Server Error' },
        ...{ detail: HIDDEN, errors: [] },
      });
  });

  it('is written with its members in the order of the standard, and answered with the headers of its question', () => {
    const error = new RiskError('queue-full', 'no', { retryAfterSeconds: 2 });
    const body =
      '{"type":"urn:collateral-risk-engine:queue-full","title":"Queue full","status":429,"detail":"no","errors":[],"request_id":"r"}';
    expect(problemBody(problemOf(error), 'r')).toBe(body);
    expect(problemReply(error, 'r', { 'x-seed': '1', 'Retry-After': '9' })).toEqual({
      status: 429,
      headers: { 'x-seed': '1', 'Retry-After': '2' },
      body,
    });
  });
});
