/** One job of /backtest, from its start to its result. */
import type { Reply } from '../desk/ask.ts';
import type { ProgressLine } from './output.ts';
import {
  NoAnswer,
  piecesOfText,
  replyTo,
  type ServiceAccess,
  type ServiceRequest,
  send,
  wholeText,
} from './own-service.ts';

export type JobOptions = Pick<ServiceRequest, 'seed' | 'compute'>;

/** Starts a job of /backtest and waits for its end. @throws NoAnswer when the service cannot be reached or ends */
export async function askAsJob(
  asked: ServiceAccess,
  body: string,
  { seed, compute }: JobOptions,
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
