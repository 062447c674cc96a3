/**
 * `account`: the positions of a CSV file as one account of /cross_perp_risk, asked of a server or answered in the process of the command.
 *
 * Gives: the answer on standard output, or the faults at their lines and options on standard error, and an exit code.
 */
import { problemIn } from '../desk/ask.ts';
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
  const read = await readOrPrint(
    () =>
      bodyOf(file, text => {
        const { positions, lines } = positionsOf(text);
        const params = {
          collateral,
          positions,
          venue,
          horizon_hours: hours,
          model_lookback: lookback,
          ...(paths === undefined ? {} : { mc_iter: paths }),
          ...(date === undefined ? {} : { analysis_date: date }),
        };
        return { body: JSON.stringify({ type, params }), lines };
      }),
    output,
  );
  if (read === undefined) return EXIT.notUnderstood;
  const err = (text: string) => output.err(atLines(text, file, read.lines));
  return askBody({ body: read.body, path: '/cross_perp_risk' }, options, environment, { ...output, err });
}

/** The option behind a member of `params`. */
const OPTIONS: Readonly<Record<string, string>> = {
  collateral: '--collateral',
  venue: '--venue',
  horizon_hours: '--hours',
  model_lookback: '--lookback',
  mc_iter: '--paths',
  analysis_date: '--date',
};

/** A problem document as lines of the file and options, one a fault; any other text as it is. */
function atLines(text: string, file: string, lines: readonly number[]): string {
  const { detail, errors = [] } = problemIn(text);
  if (errors.length === 0) return text;
  const said = errors.map(({ path, message }) => {
    const [, member, place] = path.split('.');
    const line = member === 'positions' ? lines[Number(place)] : undefined;
    if (line === undefined)
      return `${Object.hasOwn(OPTIONS, member) ? `${OPTIONS[member]}: ` : ''}${message}\n`;
    const row = `positions.${place}.`;
    return `${file}:${line}: ${message.startsWith(row) ? message.slice(row.length) : message}\n`;
  });
  return `${detail}\n${said.join('')}`;
}
