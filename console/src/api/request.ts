/**
 * Requests to the server that served this page.
 *
 * Gives: the answer and the headers that say what computed it, or a `Refusal` with the faults by member.
 */
import { apiKey } from '../state/session.ts';

export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** A problem document of the server (RFC 9457), or a connection that failed (status 0). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly faults: readonly Fault[];

  constructor(status: number, message: string, faults: readonly Fault[] = []) {
    super(message);
    this.status = status;
    this.faults = faults;
  }
}

/** An answer and what the server says about it. */
export interface Answered<T> {
  readonly body: T;
  /** `gpu` or `cpu`. */
  readonly compute: string;
  readonly device: string;
  readonly scenarios: number;
  readonly filled: string;
  readonly market: string;
  readonly warnings: string;
  /** Milliseconds from sending to the last byte. */
  readonly milliseconds: number;
}

export interface SendOptions {
  readonly compute?: string;
  readonly seed?: string;
  readonly include?: string;
  readonly signal?: AbortSignal;
}

interface Problem {
  readonly detail?: string;
  readonly title?: string;
  readonly errors?: readonly Fault[];
}

/** Sends an operation's body. @throws Refusal, or the signal's reason */
export async function post<T>(path: string, body: unknown, options: SendOptions = {}): Promise<Answered<T>> {
  const { compute = 'auto', seed = '0', include = '', signal } = options;
  const query = include === '' ? '' : `?include=${include}`;
  return send<T>(path + query, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': apiKey.value,
      'x-compute': compute,
      'x-seed': seed,
    },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Reads a resource. @throws Refusal, or the signal's reason */
export function get<T>(path: string, signal?: AbortSignal): Promise<Answered<T>> {
  return send<T>(path, {
    headers: apiKey.value === '' ? {} : { 'x-api-key': apiKey.value },
    ...(signal === undefined ? {} : { signal }),
  });
}

async function send<T>(path: string, init: RequestInit): Promise<Answered<T>> {
  const begin = performance.now();
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, init);
    text = await response.text();
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refusal(0, 'The server cannot be reached.');
  }
  const milliseconds = performance.now() - begin;
  if (!response.ok) throw refusalOf(response.status, text);
  const header = (name: string) => response.headers.get(name) ?? '';
  return {
    body: JSON.parse(text) as T,
    compute: header('x-compute'),
    device: header('x-compute-device'),
    scenarios: Number(header('x-scenarios')),
    filled: header('x-market-data-filled'),
    market: header('x-market-data'),
    warnings: header('x-warnings'),
    milliseconds,
  };
}

function refusalOf(status: number, text: string): Refusal {
  try {
    const problem = JSON.parse(text) as Problem;
    return new Refusal(
      status,
      problem.detail ?? problem.title ?? `The server answered ${status}.`,
      problem.errors ?? [],
    );
  } catch {
    return new Refusal(status, `The server answered ${status}.`);
  }
}
