/**
 * The package as a library: questions that a program asks in its own process, without HTTP. docs/library.md.
 *
 * Takes: data and engines. Gives: the answers of a server, as values and as text. Must not know: files, what is asked.
 */
import { RiskError } from './core/errors.ts';
import { pricesOfPath } from './core/reference/models.ts';
import type { ComputeChoice } from './engine/engine-set.ts';
import { engineVersion } from './host/engine-version.ts';
import { createLogger } from './host/log.ts';
import { type HandedCloses, marketOfCloses } from './market/market-of-closes.ts';
import { planText } from './question/answer.ts';
import { UnreadableBody } from './question/asking.ts';
import { type AskOptions, openRisk as open, type Risk, type RiskOptions } from './question/open-risk.ts';
import type { OperationPath } from './question/request/paths.ts';
import { HttpRefusal, problemOf } from './server/answers/problem.ts';
import { csvOf, jsonOf } from './server/answers/serialize.ts';
import { loadCommandConfig } from './server/command-config.ts';
import type { Config } from './server/config.ts';
import { maintenanceMarginRates } from './server/config-fields.ts';

/** Market and engines as a configuration describes them. @throws the errors of market and engines */
export const openConfigured = (config: Config, market: RiskOptions['market']): Promise<Risk> =>
  open({
    market,
    engines: {
      compute: config.compute,
      softwareGpu: config.softwareGpu !== '0',
      autoTakesSoftware: config.softwareGpu === 'auto',
      threads: config.cpuThreads,
      native: config.native,
      limits: { cpu: config.maxWorkCpu, gpu: config.maxWorkGpu },
    },
    maintenanceMargins: maintenanceMarginRates(config.maintenanceMargins),
    scenarios: config.scenarios,
    venues: config.venues,
    log: createLogger('silent'),
  });

/** The answer of a question as a server sends it. @throws RiskError, HttpRefusal, UnreadableBody, the signal's reason */
export async function answerText(
  risk: Risk,
  path: OperationPath,
  body: object | string,
  { format = 'json', ...options }: AskOptions & { readonly format?: 'json' | 'csv' },
): Promise<string> {
  if (format === 'csv' && options.include?.split(',').includes('plan') === true)
    throw new HttpRefusal(406, 'The member Plan is not available as text/csv.');
  const { checked, answer } = await risk.ask(
    path,
    typeof body === 'string' ? Buffer.from(body) : body,
    options,
  );
  const { include } = checked.query;
  const statement = { include, version: engineVersion() };
  if (format === 'csv') {
    let text = '';
    for await (const piece of csvOf(answer, statement)) text += piece;
    return text;
  }
  const asker = { caller: '', signal: new AbortController().signal };
  const plan = include.has('plan') && answer.plan ? await planText(answer.plan, asker) : undefined;
  return Buffer.from(await jsonOf(answer, statement, plan)).toString();
}

/** See client/library.d.ts. */
export class RiskRefusal extends Error {
  override readonly name = 'RiskRefusal';
  readonly problem: ReturnType<typeof problemOf>;
  constructor(error: unknown) {
    const problem = problemOf(error);
    const faults = problem.errors.map(({ code, path, message }) => `${path}: ${message} (${code})`);
    super([problem.detail, ...faults].join('\n'), { cause: error });
    this.problem = problem;
  }
}

export interface OpenOptions {
  readonly market: string | Readonly<Record<string, HandedCloses>>;
  readonly compute?: ComputeChoice;
  readonly cpuThreads?: number;
}

interface Asked extends Omit<AskOptions, 'include'> {
  readonly include?: readonly string[];
}

/** See client/library.d.ts. */
export async function openRisk({ market, compute, cpuThreads }: OpenOptions) {
  const config = loadCommandConfig({
    COMPUTE: compute,
    CPU_THREADS: cpuThreads === undefined ? undefined : String(cpuThreads),
  });
  const refusing = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw [RiskError, HttpRefusal, UnreadableBody].some(kind => error instanceof kind)
        ? new RiskRefusal(error)
        : error;
    });
  const risk = await refusing(
    (async () =>
      openConfigured(
        config,
        typeof market === 'string'
          ? { path: market, asked: true, rules: config.marketRules }
          : marketOfCloses(market),
      ))(),
  );
  const named = ({ include, ...options }: Asked): AskOptions => ({ ...options, include: include?.join(',') });
  return {
    ask: async (path: OperationPath, request: object, options: Asked = {}) =>
      JSON.parse(await refusing(answerText(risk, path, request, named(options)))),
    async paths(
      path: OperationPath,
      request: object,
      { first = 0, count, ...options }: Asked & { readonly first?: number; readonly count: number },
    ) {
      const { plan, symbols = [], basis } = (await refusing(risk.ask(path, request, named(options)))).answer;
      if (plan === undefined || !('steps' in plan.product))
        throw new RangeError(
          `${path} has no prices by the step; ask /loan_risk, /book_risk or /isolated_perp_risk.`,
        );
      if (
        !Number.isInteger(first) ||
        !Number.isInteger(count) ||
        first < 0 ||
        count < 1 ||
        first + count > plan.paths
      )
        throw new RangeError(
          `first and count must lie in the ${plan.paths} paths of the run; got ${first}, ${count}.`,
        );
      const { steps } = plan.product;
      const hours = plan.scenarios.kind === 'historical' ? basis.gridHours : 1;
      const paths = Array.from({ length: count }, (_, k) => pricesOfPath(plan, first + k, steps));
      return {
        hours: Float64Array.from({ length: steps + 1 }, (_, t) => t * hours),
        paths: paths.map(prices => Object.fromEntries(symbols.map((symbol, i) => [symbol, prices[i]]))),
      };
    },
    close: () => risk.close(),
  };
}
