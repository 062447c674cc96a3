/** Requests of commands with --url to a server at an address. */
import type { Reply } from '../desk/ask.ts';
import type { Environment, ProgressLine } from './output.ts';

/** The server cannot be reached, or its answer is invalid. */
export class NoAnswer extends Error {}

/** A server, and the key of the caller. */
export interface ServerAccess {
  readonly url: string;
  readonly key: string;
}

export const serverAt = (url: string, { API_KEY: key = '' }: Environment): ServerAccess => ({ url, key });

export interface ServerRequest {
  /** `/loan_risk`; relative to the path of the address. */
  readonly path: string;
  readonly include?: string | undefined;
  readonly scenario?: string | undefined;
  readonly seed?: number | undefined;
  readonly compute?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON of a POST; a GET where absent. */
  readonly body?: string | undefined;
}

/** Sends a request. @throws NoAnswer with the cause in its message */
async function send(
  { url, key }: ServerAccess,
  { path, include, scenario, seed, compute, headers, body }: ServerRequest,
): Promise<Response> {
  const target = new URL(`${url.replace(/\/+$/, '')}${path}`);
  // The message of fetch would show them.
  if (target.username !== '' || target.password !== '')
    throw new NoAnswer(`${target.origin}: leave the user and the password out; a key is sent from API_KEY`);
  if (include !== undefined) target.searchParams.set('include', include);
  if (scenario !== undefined) target.searchParams.set('scenario', scenario);
  try {
    return await fetch(target, {
      headers: {
        'x-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(seed === undefined ? {} : { 'x-seed': String(seed) }),
        ...(compute === undefined ? {} : { 'x-compute': compute }),
        ...headers,
      },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
  } catch (error) {
    throw noAnswer(target, error);
  }
}

export async function replyTo(asked: ServerAccess, request: ServerRequest): Promise<Reply> {
  const response = await send(asked, request);
  return { ok: response.ok, text: await wholeText(response) };
}

/** Starts a job of /backtest and waits for its end. @throws NoAnswer when the service cannot be reached or ends */
export async function jobReply(
  asked: ServerAccess,
  body: string,
  { seed, compute }: Pick<ServerRequest, 'seed' | 'compute'>,
  progress: Pick<ProgressLine, 'update'>,
): Promise<Reply> {
  const submitted = await send(asked, {
    path: '/backtest',
    headers: { prefer: 'respond-async' },
    body,
    seed,
    compute,
  });
  const text = await wholeText(submitted);
  if (submitted.status !== 202) return { ok: false, text };
  const path = /\/jobs\/[^/?#]+$/.exec(submitted.headers.get('location') ?? '')?.[0];
  if (path === undefined) throw new NoAnswer(`${asked.url}: the answer 202 names no job in its Location`);
  const events = await send(asked, { path, headers: { accept: 'text/event-stream' } });
  let rest = '';
  for await (const piece of piecesOfText(events)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const { state, share_done } = JSON.parse(line.slice(6)) as { state: string; share_done: number };
      progress.update(share_done, `back-test, ${state}`);
    }
  }
  return replyTo(asked, { path: `${path}/result` });
}

/** The whole body of an answer. @throws NoAnswer when the server ends before its end */
async function wholeText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw noAnswer(new URL(response.url), error);
  }
}

/** The body of an answer in pieces as they arrive. @throws NoAnswer when the server ends before its end */
async function* piecesOfText(response: Response): AsyncGenerator<string> {
  try {
    yield* response.body?.pipeThrough(new TextDecoderStream()) ?? [];
  } catch (error) {
    throw noAnswer(new URL(response.url), error);
  }
}

function noAnswer({ origin }: URL, error: unknown): NoAnswer {
  const { message, cause } = error as Error;
  return new NoAnswer(`${origin}: ${cause instanceof Error ? cause.message : message}`);
}
