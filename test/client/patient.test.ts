/** Retries, deadlines and places of the client, without a clock of the machine. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { patientFetch } from '../../client/patient.js';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const busy = (seconds: number) =>
  new Response('', { status: 429, headers: { 'retry-after': String(seconds) } });

/** A fetch with these answers in turn, the moments at which it was asked, and the bodies. */
function serverOf(...answers: readonly (Response | Error)[]) {
  const asked: number[] = [];
  const bodies: string[] = [];
  const left = [...answers];
  const fetch = async (request: Request) => {
    asked.push(Date.now());
    bodies.push(await request.text());
    const next = left.shift() ?? new Response('last');
    if (next instanceof Error) throw next;
    return next;
  };
  return { asked, bodies, fetch };
}

it('comes back when the server says, with the same body, and after a failed connection', async () => {
  const { asked, bodies, fetch } = serverOf(busy(7), new TypeError('reset'), new Response('done'));
  const start = Date.now();
  const answer = patientFetch({ fetch })('http://host/', { method: 'POST', body: 'question' });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await (await answer).text()).toBe('done');
  expect(asked.map(at => at - start)).toEqual([0, 7000, 7500]);
  expect(bodies).toEqual(['question', 'question', 'question']);
});

it('gives the refusal after the last try, and one that waiting does not change at once', async () => {
  const last = serverOf(busy(1), busy(1), busy(1));
  const refused = patientFetch({ fetch: last.fetch, retries: 2 })('http://host/');
  await vi.advanceTimersByTimeAsync(5000);
  expect([(await refused).status, last.asked.length]).toEqual([429, 3]);
  for (const status of [422, 500, 503]) {
    const once = serverOf(new Response('', { status }));
    expect([(await patientFetch({ fetch: once.fetch })('http://host/')).status, once.asked.length]).toEqual([
      status,
      1,
    ]);
  }
});

it('has at most so many requests at once, and waits in the client for the others', async () => {
  let inside = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const fetch = () =>
    new Promise<Response>(resolve => {
      inside += 1;
      most = Math.max(most, inside);
      ends.push(() => {
        inside -= 1;
        resolve(new Response('ok'));
      });
    });
  const patient = patientFetch({ fetch, atOnce: 3 });
  const all = Array.from({ length: 10 }, () => patient('http://host/'));
  for (let done = 0; done < 10; done++) {
    await vi.advanceTimersByTimeAsync(0);
    ends.shift()?.();
  }
  await Promise.all(all);
  expect(most).toBe(3);
});

it('ends at the abort of its caller while it waits', async () => {
  const ending = new AbortController();
  const { asked, fetch } = serverOf(busy(50));
  const answer = patientFetch({ fetch })('http://host/', { signal: ending.signal });
  const failed = expect(answer).rejects.toThrow('enough');
  await vi.advanceTimersByTimeAsync(10);
  ending.abort(new Error('enough'));
  await failed;
  expect(asked).toHaveLength(1);
});
