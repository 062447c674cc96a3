/**
 * One question to /backtest, asked as a job and followed to its end.
 */
import { type Asked, NoAnswer, piecesOfText, placeAt, reach, wholeText } from './own-service.ts';
import type { ProgressLine } from './progress-line.ts';

export interface JobOptions {
  readonly seed?: number;
  readonly compute?: string;
}

/** What a question was answered with. */
export interface Reply {
  readonly ok: boolean;
  readonly text: string;
}

/**
 * Asks /backtest as a job and waits for its end.
 *
 * @throws NoAnswer where the service cannot be reached or goes away
 */
export async function askAsJob(
  { url, key }: Asked,
  body: string,
  { seed, compute }: JobOptions,
  progress: Pick<ProgressLine, 'update'>,
): Promise<Reply> {
  const submitted = await reach(placeAt(url, '/backtest'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': key,
      prefer: 'respond-async',
      ...(seed === undefined ? {} : { 'x-seed': String(seed) }),
      ...(compute === undefined ? {} : { 'x-compute': compute }),
    },
    body,
  });
  const taken = await wholeText(submitted);
  if (submitted.status !== 202) return { ok: false, text: taken };
  const path = /\/jobs\/[^/?#]+$/.exec(submitted.headers.get('location') ?? '')?.[0];
  if (path === undefined) throw new NoAnswer(`${url}: the answer 202 names no job in its Location`);
  const events = await reach(placeAt(url, path), {
    headers: { 'x-api-key': key, accept: 'text/event-stream' },
  });
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
  const result = await reach(placeAt(url, `${path}/result`), { headers: { 'x-api-key': key } });
  return { ok: result.ok, text: await wholeText(result) };
}
