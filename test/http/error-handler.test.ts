/** The line of a request in the log: its level, its words and what it names. */
import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { CallerGone } from '#src/http/deadline.js';
import { logOutcome } from '#src/http/error-handler.js';
import { faultFacts, keyFacts } from '#src/http/log-facts.js';
import { HttpRefusal } from '#src/http/problem.js';
import { problem, serve } from '../support/http-app.ts';
import { collectLog } from '../support/log-lines.ts';

it('The line of a request has the first 200 characters of its path', async () => {
  const { log, lines } = collectLog();
  const server = await serve({ log });
  const path = `/${'p'.repeat(200)}`;
  const response = await fetch(server.url + path);
  expect((await problem(response)).status).toBe(404);
  await server.drain(1000);
  expect(lines.map(line => line.path)).toEqual([path.slice(0, 200)]);
});

describe('The line of an end', () => {
  const lineOf = (status: number, error?: unknown) => {
    const { log, lines } = collectLog();
    logOutcome(log, { path: '/var', status }, status, error === undefined ? undefined : { error });
    expect(lines).toHaveLength(1);
    return lines[0];
  };

  it.each<[number, unknown, number, string]>([
    [200, undefined, 30, 'answered'],
    [422, new RiskError('invalid-request', 'm'), 30, 'refused'],
    [499, new RiskError('queue-full', 'm'), 30, 'refused'],
    [503, new HttpRefusal(503, 'm'), 30, 'refused'],
    [500, new RiskError('engine-failed', 'm'), 50, 'failed'],
    [501, new RiskError('engine-unavailable', 'm'), 40, 'not served'],
    [500, new TypeError('m'), 50, 'failed'],
  ])('of %i after %s is at level %i: %s', (status, error, level, msg) => {
    expect(lineOf(status, error)).toMatchObject({ level, msg, path: '/var', status });
  });

  it('has no status where the caller has gone', () => {
    const line = lineOf(500, new CallerGone());
    expect(line).toMatchObject({ level: 30, msg: 'the caller has gone' });
    expect(line).not.toHaveProperty('status');
  });

  it('has the cause of what is not served, and of a failure the error', () => {
    const cause = new Error('away');
    expect(lineOf(503, new RiskError('engine-unavailable', 'm', { cause }))).toMatchObject({
      ...{ reason: 'engine-unavailable', detail: 'm', err: { message: 'away' } },
    });
    expect(lineOf(503, new RiskError('engine-unavailable', 'm'))).not.toHaveProperty('err');
    expect(lineOf(500, new TypeError('m'))).toMatchObject({ err: { message: 'm' } });
  });

  it('has the faults of a refusal: their number, and the first 100 characters of 20 paths', () => {
    const faults = Array.from({ length: 21 }, (_, k) => ({ path: `${k}`.padEnd(101, 'x'), message: 'm' }));
    const line = lineOf(422, new RiskError('invalid-request', 'm', { faults }));
    expect(line).toMatchObject({ reason: 'invalid-request', faults: 21 });
    expect(line.paths).toEqual(faults.slice(0, 20).map(({ path }) => path.slice(0, 100)));
    expect(lineOf(422, new RiskError('invalid-request', 'm'))).not.toHaveProperty('faults');
    expect(faultFacts([])).toEqual({});
  });

  it('has eight digits of a key, and its name where it has one', () => {
    expect(keyFacts('0123456789', 'desk')).toEqual({ key: '01234567', key_name: 'desk' });
    expect(keyFacts('0123456789', undefined)).toEqual({ key: '01234567' });
  });
});
