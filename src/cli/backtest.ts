/** `backtest`: a job of /backtest, with its answer on standard output and its progress on standard error. */
import type { Reply } from '../desk/ask.ts';
import { csvText } from '../server/answers/csv.ts';
import { bodyOf, readOrPrint } from './input.ts';
import { asLine, type Environment, EXIT, type Output, type ProgressLine, progressLine } from './output.ts';
import {
  LONG_RUN,
  NoAnswer,
  piecesOfText,
  printFailures,
  replyTo,
  type ServiceAccess,
  type ServiceRequest,
  send,
  wholeText,
  withService,
} from './own-service.ts';

export interface BacktestOptions extends JobOptions {
  readonly url?: string;
  readonly format: 'json' | 'csv';
}

/** Sends the request and prints the answer. @returns 0 for an answer, 1 for a refusal or failure, 2 for an unreadable file */
export async function backtestCommand(
  file: string,
  options: BacktestOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const body = await readOrPrint(() => bodyOf(file, text => text), output);
  if (body === undefined) return EXIT.notUnderstood;
  const progress = progressLine(output);
  return printFailures(
    () =>
      withService(options.url, { ...LONG_RUN, ...environment }, async asked => {
        const { ok, text } = await askAsJob(asked, body, options, progress).finally(progress.end);
        if (!ok) output.err(asLine(text));
        else if (options.format === 'json') output.out(asLine(text));
        else output.out(csvText(JSON.parse(text) as Record<string, unknown>));
        return ok ? EXIT.done : EXIT.refused;
      }),
    output,
  );
}

type JobOptions = Pick<ServiceRequest, 'seed' | 'compute'>;

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
