/**
 * `backtest`: how good value at risk has been, asked of a service as a job, with progress on standard error.
 *
 * Takes: a request of /backtest. Gives: the answer on standard output and an exit code.
 */
import { readFileSync } from 'node:fs';
import { csvText } from '../http/csv.ts';
import { askAsJob, type JobOptions } from './backtest-job.ts';
import type { Output } from './market-command.ts';
import { toldFailures, withService } from './own-service.ts';
import { progressLine } from './progress-line.ts';

export interface BacktestOptions extends JobOptions {
  readonly url?: string;
  readonly format: 'json' | 'csv';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A run may take hours, and only its starter waits for it. */
const LONG: Environment = { JOB_TIMEOUT_SECONDS: '86400', REQUEST_TIMEOUT_SECONDS: '600' };

/** Asks and prints. @returns 0 where it was answered, 1 where it was refused or failed, 2 where the file is not readable */
export async function backtestCommand(
  file: string | undefined,
  options: BacktestOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const progress = progressLine(output);
  let body: string;
  const isInput = file === undefined || file === '-';
  try {
    body = readFileSync(isInput ? 0 : file, 'utf8');
  } catch (error) {
    output.err(`${isInput ? 'standard input' : file}: ${(error as Error).message}\n`);
    return 2;
  }
  return toldFailures(
    () =>
      withService(options.url, { ...LONG, ...environment }, async asked => {
        const reply = await askAsJob(asked, body, options, progress).finally(progress.end);
        if (reply.ok) output.out(textOf(reply.text, options.format));
        else output.err(reply.text.endsWith('\n') ? reply.text : `${reply.text}\n`);
        return reply.ok ? 0 : 1;
      }),
    output,
  );
}

const textOf = (json: string, format: 'json' | 'csv') =>
  format === 'csv' ? csvText(JSON.parse(json) as Record<string, unknown>) : `${json}\n`;
