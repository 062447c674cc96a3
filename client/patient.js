/**
 * A `fetch` that is patient: at most so many requests at once, a deadline for each, and further tries where the server says when, or
 * where the connection failed.
 */

/** Statuses after which the same request may succeed. 503 without Retry-After is permanent. */
const WAIT = new Set([429, 503]);
const LONGEST_PAUSE_MS = 60_000;

/** A place for each of `most` at once; the others wait in their order. */
function places(most) {
  let free = most;
  const waiting = [];
  return {
    take: () =>
      new Promise(resolve => {
        if (free > 0) {
          free -= 1;
          resolve();
        } else waiting.push(resolve);
      }),
    give() {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}

/** Resolves after a time; rejects with the signal's reason. */
const pause = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });

/** Milliseconds until the next try; undefined where there is none. */
function pauseBefore(response, tried) {
  const sent = response === undefined ? undefined : response.headers.get('retry-after');
  if (response !== undefined && (!WAIT.has(response.status) || sent === null)) return undefined;
  const asked = response === undefined ? 250 * 2 ** tried : 1000 * Number(sent);
  if (!Number.isFinite(asked)) return undefined;
  // Never before the time that the server names; those that were turned away together do not come back together.
  return Math.min(LONGEST_PAUSE_MS, asked * (1 + 0.25 * Math.random()));
}

/** See index.d.ts. */
export function patientFetch({
  fetch = globalThis.fetch,
  retries = 5,
  deadlineSeconds = 300,
  atOnce = 8,
} = {}) {
  const { take, give } = places(atOnce);
  return async (input, init) => {
    const request = new Request(input, init);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(1000 * deadlineSeconds)]);
    await take();
    // A request that waits keeps its place, so that its turn is not taken by later ones.
    try {
      for (let tried = 0; ; tried++) {
        signal.throwIfAborted();
        let response;
        let failure;
        try {
          response = await fetch(new Request(request.clone(), { signal }));
        } catch (error) {
          signal.throwIfAborted();
          failure = error;
        }
        const milliseconds = tried < retries ? pauseBefore(response, tried) : undefined;
        if (milliseconds === undefined) {
          if (response === undefined) throw failure;
          return response;
        }
        await response?.body?.cancel();
        await pause(milliseconds, signal);
      }
    } finally {
      give();
    }
  };
}

export { pause };
