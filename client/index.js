/**
 * A client of the collateral-risk-engine: `fetch` with the types of its interface, retries, jobs and batches.
 */
import createFetchClient from 'openapi-fetch';
import { INTERFACE } from './interface.js';
import { patientFetch, pause } from './patient.js';

/** Between two looks at a job. */
const SHORTEST_LOOK_MS = 200;
const LONGEST_LOOK_MS = 5000;

/** See index.d.ts. */
export class RiskRefusal extends Error {
  name = 'RiskRefusal';
  constructor(problem, response) {
    const faults = (problem?.errors ?? []).map(({ code, path, message }) => `${path}: ${message} (${code})`);
    super([problem?.detail ?? `status ${response?.status}`, ...faults].join('\n'));
    this.problem = problem;
    this.response = response;
  }
}

/** See index.d.ts. */
export function createClient({ url, key, retries, deadlineSeconds, atOnce, fetch, ...options }) {
  const baseUrl = url.replace(/\/+$/, '');
  const headers = { ...options.headers, ...(key === undefined ? {} : { 'x-api-key': key }) };
  const patient = patientFetch({ fetch, retries, deadlineSeconds, atOnce });
  const client = createFetchClient({ ...options, baseUrl, headers, fetch: patient });

  /** The parsed body of a success. @throws RiskRefusal */
  async function answer(response) {
    const text = await response.text();
    if (response.ok) return text === '' ? undefined : JSON.parse(text);
    let problem;
    try {
      problem = JSON.parse(text);
    } catch {
      // A refusal of a proxy may be a text.
    }
    throw new RiskRefusal(problem, response);
  }

  const send = (path, init = {}) =>
    patient(baseUrl + path, { ...init, headers: { ...headers, ...init.headers } });

  async function cancel(path) {
    // The signal of the caller has ended; the job must not go on.
    await send(path, { method: 'DELETE' }).catch(() => {});
  }

  return {
    ...client,
    async runJob(
      path,
      { body, query, seed, compute, idempotencyKey = crypto.randomUUID(), signal, onProgress },
    ) {
      const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
      const began = await send(path + search, {
        method: 'POST',
        signal,
        headers: {
          'content-type': 'application/json',
          prefer: 'respond-async',
          'idempotency-key': idempotencyKey,
          ...(seed === undefined ? {} : { 'x-seed': String(seed) }),
          ...(compute === undefined ? {} : { 'x-compute': compute }),
        },
        body: JSON.stringify(body),
      });
      let job = await answer(began);
      const place = `/jobs/${job.id}`;
      try {
        while (job.state === 'queued' || job.state === 'running') {
          onProgress?.(job);
          const look = Math.min(LONGEST_LOOK_MS, Math.max(SHORTEST_LOOK_MS, 200 * (job.seconds_left ?? 1)));
          await pause(look, signal ?? new AbortController().signal);
          job = await answer(await send(place, { signal }));
        }
        onProgress?.(job);
        return await answer(await send(`${place}/result`, { signal }));
      } catch (error) {
        if (signal?.aborted) await cancel(place);
        throw error;
      }
    },
    async *batch(lines, { signal } = {}) {
      const sent = [...lines].map(line => `${JSON.stringify(line)}\n`);
      const response = await send('/batch', {
        method: 'POST',
        signal,
        headers: { 'content-type': 'application/x-ndjson' },
        body: sent.join(''),
      });
      if (!response.ok) await answer(response);
      let rest = '';
      let done;
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        const parts = (rest + piece).split('\n');
        rest = parts.pop();
        for (const part of parts) {
          const line = JSON.parse(part);
          if ('done' in line) done = line.done;
          else yield line;
        }
      }
      if (done !== sent.length)
        throw new Error(`The answer of the batch was cut off after ${done ?? 'some'} lines.`);
    },
    async checkServer() {
      const { version, interface: served } = await answer(await send('/healthz'));
      return { version, served, expected: INTERFACE, matches: served === INTERFACE };
    },
  };
}
