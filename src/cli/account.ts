/**
 * `account`: the positions of a CSV file as one account of /cross_perp_risk, asked of a server or answered in the process of the command.
 *
 * Gives: the answer on standard output, or the faults on standard error, and an exit code.
 */
import { positionsOf } from '../tape/account-positions.ts';
import { type AskOptions, askBody } from './ask.ts';
import { bodyOf, readOrPrint } from './input.ts';
import { type Environment, EXIT, type Output } from './output.ts';

export interface AccountOptions extends AskOptions {
  readonly collateral: Readonly<Record<string, number>>;
  readonly venue: string;
  readonly type: string;
  readonly hours: number;
  readonly lookback: number;
  readonly paths?: number;
  /** MM-DD-YYYY. */
  readonly date?: string;
}

/** @returns 0 for an answer, 1 for a refusal or failure, 2 for an unreadable file */
export async function accountCommand(
  file: string,
  { collateral, venue, type, hours, lookback, paths, date, ...options }: AccountOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const body = await readOrPrint(
    () =>
      bodyOf(file, text => {
        const params = {
          collateral,
          positions: positionsOf(text),
          venue,
          horizon_hours: hours,
          model_lookback: lookback,
          ...(paths === undefined ? {} : { mc_iter: paths }),
          ...(date === undefined ? {} : { analysis_date: date }),
        };
        return JSON.stringify({ type, params });
      }),
    output,
  );
  if (body === undefined) return EXIT.notUnderstood;
  return askBody({ body, path: '/cross_perp_risk' }, options, environment, output);
}
