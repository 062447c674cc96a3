/**
 * The question that is timed over HTTP: one collateral against one loan asset for 30 days.
 *
 * Takes: the address of a server and the number of paths. Gives: the text of the answer, checked by exact recursion from the
 * volatilities in the answer itself. Must not know: what is timed.
 */
import { firstPassageExact } from '../test/support/closed-forms/first-passage.ts';
import { logRatio } from '../test/support/closed-forms/log-ratio.ts';
import { type Comparison, refuseWrongAnswers } from './judge.ts';
import { API_KEY, type Server } from './server.ts';

interface Answer {
  readonly Output: Readonly<Record<string, number>>;
}

export const PATH = '/loan_risk';
const TERM_DAYS = 30;
/** Hours of the term. */
export const STEPS = 24 * TERM_DAYS;
const RATIOS = { N: 1.5, M: 1.35, L: 1.2, R: 1.5 };
/** Single precision moves a threshold by less than 1e-6 of its value, and with it a share by less than this. */
const ALLOWANCE = 1e-5;

/** One collateral against one loan asset; a grace period as long as the term makes every state a first passage. */
export function requestBody(paths: number): string {
  return JSON.stringify({
    type: 'GBM',
    params: {
      collateral_weights: { BTC: 1 },
      loan_weights: { USD: 1 },
      model_lookback: 90,
      loan_duration: TERM_DAYS,
      mc_top_up: STEPS,
      loan_value: 5000,
      ...RATIOS,
      mc_iter: paths,
    },
  });
}

/** The three first passages of an answer against their probabilities. @throws WrongAnswer */
export function refuseWrongAnswer(text: string, paths: number): void {
  const { Output } = JSON.parse(text) as Answer;
  const ratio = logRatio(
    Output['Collateral Volatility'],
    Output['Loan Volatility'],
    Output['Collateral/Loan Correlation'],
  );
  const compare = (figure: string, level: number): Comparison => {
    const known = firstPassageExact(ratio, Math.log(level / RATIOS.N), STEPS / 8760, STEPS);
    const standardError = Math.sqrt((known * (1 - known)) / paths);
    return { figure, got: Output[figure], known, standardError, allowance: ALLOWANCE };
  };
  refuseWrongAnswers(`${PATH} with ${paths} paths`, [
    compare('PrMarginCall', RATIOS.M),
    compare('PrLiquidation', RATIOS.L),
    compare('PrUnderwater', 1),
  ]);
}

/** Headers of the question. */
export function headers({ compute }: Server): Record<string, string> {
  return { 'content-type': 'application/json', 'x-api-key': API_KEY, 'x-seed': '1', 'x-compute': compute };
}

/** The text of the answer. @throws Error for a refusal, or where another engine computed it */
export async function post(url: string, server: Server, body: string): Promise<string> {
  const response = await fetch(url + PATH, { method: 'POST', headers: headers(server), body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${PATH} answered ${response.status}: ${text}`);
  const ranOn = `${response.headers.get('x-compute')} ${response.headers.get('x-compute-device')}`;
  if (!server.ranOn.test(ranOn)) throw new Error(`${PATH} ran on ${ranOn}, not on ${server.name}.`);
  return text;
}
