/**
 * Questions of a command that it answers in its own process.
 *
 * Takes: the environment. Gives: texts as a server sends them. Must not know: files, what is asked.
 */
import { randomUUID } from 'node:crypto';
import { RiskError } from '../core/errors.ts';
import { type Ask, DeskRefusal, type Reply } from '../desk/ask.ts';
import { answerText, openConfigured } from '../library.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import type { AskOptions, Risk } from '../question/open-risk.ts';
import type { OperationPath } from '../question/request/paths.ts';
import { SCENARIOS_PATH, scenariosBody } from '../server/answers/market-answers.ts';
import { problemBody, problemOf } from '../server/answers/problem.ts';
import { loadCommandConfig } from '../server/command-config.ts';
import { type Config, ConfigError } from '../server/config.ts';
import { NoAnswer } from './ask-server.ts';
import { type Environment, EXIT, type Output } from './output.ts';

/** The variables whose values are the work limits of long questions. */
export const LONG_RUN: Environment = { JOB_TIMEOUT_SECONDS: '86400', REQUEST_TIMEOUT_SECONDS: '600' };

export interface OwnRisk {
  readonly risk: Risk;
  readonly config: Config;
}

/** Opens market and engines, and closes them after `use`. @throws ConfigError and the errors of market and engines */
export async function withOwnRisk<T>(
  environment: Environment,
  use: (own: OwnRisk) => Promise<T>,
): Promise<T> {
  const config = loadCommandConfig(environment);
  const { marketDb: path, marketDbIsSet: asked, marketRules: rules } = config;
  const risk = await openConfigured(config, { path, asked, rules });
  try {
    return await use({ risk, config });
  } finally {
    await risk.close();
  }
}

export interface OwnQuestion extends AskOptions {
  readonly path: OperationPath;
  /** Its JSON value, or its text. */
  readonly body: object | string;
  readonly format?: 'json' | 'csv';
}

/** The answer of a question, or its problem document, as text. */
export async function ownReply({ risk }: OwnRisk, { path, body, ...options }: OwnQuestion): Promise<Reply> {
  try {
    return { ok: true, text: await answerText(risk, path, body, options) };
  } catch (error) {
    return { ok: false, text: problemBody(problemOf(error), randomUUID()) };
  }
}

/** The same for a back-test, with its progress and the work limit of a job. */
export function ownBacktest(own: OwnRisk, question: Omit<OwnQuestion, 'path'>): Promise<Reply> {
  const { jobTimeoutSeconds, requestTimeoutSeconds } = own.config;
  const limitScale = Math.max(1, jobTimeoutSeconds / requestTimeoutSeconds);
  return ownReply(own, { ...question, path: '/backtest', limitScale });
}

/** The questions of the desk. */
export const ownAsk =
  (own: OwnRisk): Ask =>
  async ({ path, body, ...options }) => {
    if (path === SCENARIOS_PATH || body === undefined)
      return { ok: true, text: JSON.stringify(scenariosBody(own.config.scenarios)) };
    return path === '/backtest'
      ? ownBacktest(own, { ...options, body })
      : ownReply(own, { ...options, path: path as OperationPath, body });
  };

/** Prints a failure that the user can correct, and returns exit code 1. @throws every other error */
export async function printFailures(work: () => Promise<number>, { err }: Output): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const isKnown = [RiskError, MarketStoreError, NoAnswer, DeskRefusal].some(kind => error instanceof kind);
    if (!isKnown) throw error;
    const faults = error instanceof RiskError ? error.faults : [];
    err([(error as Error).message, ...faults.map(({ message }) => `  ${message}`), ''].join('\n'));
    return EXIT.refused;
  }
}
