/**
 * `ask`: one question, to a server or answered in the process of the command.
 *
 * Takes: a file with the JSON body. Gives: the answer on standard output, or the problem document on standard error, and an exit code.
 */
import type { ComputeChoice } from '../engine/engine-set.ts';
import type { OperationPath } from '../question/request/paths.ts';
import { replyTo, serverAt } from './ask-server.ts';
import { bodyOf, readOrPrint } from './input.ts';
import { asLine, type Environment, EXIT, type Output } from './output.ts';
import { ownReply, printFailures, withOwnRisk } from './own-risk.ts';

export interface AskOptions {
  readonly url?: string;
  readonly operation?: string;
  readonly seed?: number;
  readonly compute?: ComputeChoice;
  readonly include?: string;
  readonly scenario?: string;
  readonly format: 'json' | 'csv';
}

/** Members of one operation only. */
const OWN_MEMBERS: readonly (readonly [member: string, path: OperationPath])[] = [
  ['opt_param', '/loan_origination'],
  ['var_duration', '/var'],
  ['exposure_hours', '/advance_rate'],
  ['markets', '/loan_risk_low_liquidity'],
  ['scenarios', '/stress'],
  ['loans', '/book_risk'],
  ['weights', '/backtest'],
  ['positions', '/cross_perp_risk'],
];

/** Asks the question and prints the answer. @returns 0 for an answer, 1 for a refusal or failure, 2 for an unreadable file */
export async function ask(
  file: string,
  { operation, ...options }: AskOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const read = await readOrPrint(
    () =>
      bodyOf(file, body => ({
        body,
        path: operation === undefined ? operationOf(JSON.parse(body)) : (`/${operation}` as OperationPath),
      })),
    output,
  );
  return read === undefined ? EXIT.notUnderstood : askBody(read, options, environment, output);
}

/** Asks the body of a question, and prints the answer. @returns 0 for an answer, 1 for a refusal or failure */
export async function askBody(
  read: { readonly body: string; readonly path: OperationPath },
  { url, operation: _, format, ...options }: AskOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const headers = { accept: format === 'csv' ? 'text/csv' : 'application/json' };
  const reply = () =>
    url === undefined
      ? withOwnRisk(environment, own => ownReply(own, { ...read, ...options, format }))
      : replyTo(serverAt(url, environment), { ...read, ...options, headers });
  return printFailures(async () => {
    const { ok, text } = await reply();
    if (ok) output.out(asLine(text));
    else output.err(asLine(text));
    return ok ? EXIT.done : EXIT.refused;
  }, output);
}

/** The path of the operation with the members of `body`. */
export function operationOf(body: unknown): OperationPath {
  const sent = (typeof body === 'object' ? body : null) as { model?: unknown; params?: unknown } | null;
  if (sent?.model !== undefined) return '/isolated_perp_risk';
  const params = (typeof sent?.params === 'object' ? sent.params : null) ?? {};
  return OWN_MEMBERS.find(([member]) => member in params)?.[1] ?? '/loan_risk';
}
