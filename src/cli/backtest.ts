/** `backtest`: a job of /backtest, with its answer on standard output and its progress on standard error. */
import { csvText } from '../http/csv.ts';
import { askAsJob, type JobOptions } from './backtest-job.ts';
import { bodyOf, readOrPrint } from './input.ts';
import { asLine, type Environment, EXIT, type Output, progressLine } from './output.ts';
import { LONG_RUN, printFailures, withService } from './own-service.ts';

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
