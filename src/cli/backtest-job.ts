/**
 * One question to /backtest, asked as a job and followed to its end.
 */
import { type Asked, NoAnswer, reach } from './own-service.ts';
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
  const submitted = await reach(new URL('/backtest', url), {
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
  if (submitted.status !== 202) return { ok: false, text: await submitted.text() };
  await submitted.body?.cancel();
  const job = new URL(submitted.headers.get('location') as string, url);
  const events = await reach(job, { headers: { 'x-api-key': key, accept: 'text/event-stream' } });
  if (events.body === null) throw new NoAnswer(`${url}: the job ${job.pathname} tells nothing of itself`);
  let rest = '';
  for await (const piece of events.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const { state, share_done } = JSON.parse(line.slice(6)) as { state: string; share_done: number };
      progress.update(share_done, `back-test, ${state}`);
    }
  }
  const result = await reach(new URL(`${job.pathname}/result`, url), { headers: { 'x-api-key': key } });
  return { ok: result.ok, text: await result.text() };
}
