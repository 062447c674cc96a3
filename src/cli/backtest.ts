/** `backtest`: the answer of /backtest on standard output, and its progress on standard error. */
import type { ComputeChoice } from '../engine/engine-set.ts';
import { csvText } from '../server/answers/csv.ts';
import { jobReply, serverAt } from './ask-server.ts';
import { bodyOf, readOrPrint } from './input.ts';
import { asLine, type Environment, EXIT, type Output, progressLine } from './output.ts';
import { LONG_RUN, ownBacktest, printFailures, withOwnRisk } from './own-risk.ts';

export interface BacktestOptions {
  readonly url?: string;
  readonly seed?: number;
  readonly compute?: ComputeChoice;
  readonly format: 'json' | 'csv';
}

/** Asks the question and prints the answer. @returns 0 for an answer, 1 for a refusal or failure, 2 for an unreadable file */
export async function backtestCommand(
  file: string,
  { url, format, ...options }: BacktestOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const body = await readOrPrint(() => bodyOf(file, text => text), output);
  if (body === undefined) return EXIT.notUnderstood;
  const progress = progressLine(output);
  const onProgress = (share: number) => progress.update(share, 'back-test, running');
  const reply = () =>
    url === undefined
      ? withOwnRisk({ ...LONG_RUN, ...environment }, own =>
          ownBacktest(own, { ...options, body, onProgress }),
        )
      : jobReply(serverAt(url, environment), body, options, progress);
  return printFailures(async () => {
    const { ok, text } = await reply().finally(progress.end);
    if (!ok) output.err(asLine(text));
    else if (format === 'json') output.out(asLine(text));
    else output.out(csvText(JSON.parse(text) as Record<string, unknown>));
    return ok ? EXIT.done : EXIT.refused;
  }, output);
}
