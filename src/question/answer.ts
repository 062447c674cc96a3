/**
 * The answer to one request: window -> methodology -> plan -> engine -> figures. A question declares the differences in a row.
 *
 * Must not know: any question, any methodology, HTTP.
 */
import type { Engine, EngineDescription, OutcomeOf, PathRecords } from '../core/engine.ts';
import { refuseIfFaulty } from '../core/errors.ts';
import { type AccuracyFigures, accuracyMember, EXACT_OF_WINDOW } from '../core/figures/accuracy.ts';
import { HOURS_PER_DAY } from '../core/plan/grid.ts';
import type { SharedDraws } from '../core/plan/shared-draws.ts';
import type { Product, SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { Asker } from '../core/turns.ts';
import type { Warning } from '../core/warnings.ts';
import type { UseOptions } from '../engine/engine-set.ts';
import { lastCompleteDay } from '../market/last-complete-day.ts';
import type { FilledSeries } from '../market/market-data.ts';
import { readTogether } from '../market/missing-data.ts';
import { calibrateInThread } from '../models/calibration/calibration-pool.ts';
import { type FittedSet, modelMember } from '../models/methodology/fitted-model.ts';
import { METHODOLOGIES } from '../models/methodology/methodologies.ts';
import type { Methodology, Need, ScenarioSet } from '../models/methodology/methodology.ts';
import { peggedWarnings } from '../models/methodology/pegged-pairs.ts';
import { needWarnings } from '../models/methodology/warnings.ts';
import { mergeFilled } from '../models/methodology/window.ts';
import { type Day, formatCalendarDate } from '../text/calendar-date.ts';
import type { AnswerBasis, AnswerLines, Operation, OperationAnswer, OperationContext } from './question.ts';
import type { Proxies } from './request/proxies.ts';
import type { Resolved } from './resolved.ts';
import { joinedMarket } from './scenario/joined-market.ts';

type Members = Readonly<Record<string, unknown>>;

/** A request on its scenarios, before it is run. */
export interface Asked<R, X = undefined> {
  readonly request: R;
  readonly need: Need;
  /** Missing prices of the window and of the other data that were carried forward. */
  readonly filled: readonly FilledSeries[];
  readonly set: ScenarioSet;
  /** Data that the question read beside the window. */
  readonly extra: X;
  /** Warnings on these data. */
  readonly warnings: readonly Warning[];
  readonly context: OperationContext;
  /** The same request on scenarios of the same window under another shock of volatilities, a fraction above -1. */
  under(volatilityShock: number): Promise<Asked<R, X>>;
}

/** How a run uses an engine: its part of the work, and the draws that it shares. */
export interface RunOptions extends Pick<UseOptions, 'runs' | 'part'> {
  readonly draws?: SharedDraws | undefined;
  /** Whether the intervals over windows of history need a record of each window. */
  readonly traced?: boolean;
}

interface PlanRun<P extends Product> {
  readonly outcome: OutcomeOf<P>;
  /** One record for each window in the order of their ends; only for HISTORICAL with `?include=accuracy` in a traced run. */
  readonly records: PathRecords | undefined;
}

/** A request after all its runs. */
export interface Simulated<R, P extends Product, X = undefined> extends Asked<R, X> {
  readonly plan: SimulationPlan<P>;
  readonly engine: EngineDescription;
}

/** A request after one run. */
export interface Ran<R, P extends Product, X = undefined> extends Simulated<R, P, X>, PlanRun<P> {}

/** What an answer states of the data beside the window. */
interface ReadAlso {
  readonly filled?: readonly FilledSeries[];
  readonly warnings?: readonly Warning[];
}

/** The differences between questions. @typeParam S what its runs give */
export interface QuestionRow<
  R,
  P extends Product,
  X = undefined,
  S extends Simulated<R, P, X> = Ran<R, P, X>,
> {
  readonly resultMember: OperationAnswer['resultMember'];
  need(request: R, context: OperationContext): Need;
  /** Reads data beside the window, or refuses the request before it; one refusal names everything that both lack. */
  readAlso?(request: R, context: OperationContext): Promise<X & ReadAlso>;
  /** Refuses or replaces the scenarios of the methodology. */
  prepare?(asked: Asked<R, X>): ScenarioSet;
  product(asked: Asked<R, X>): P;
  run(plan: SimulationPlan<P>, asked: Asked<R, X>, options: RunOptions): Promise<S>;
  result(ran: S): Members | Promise<Members>;
  /** Undefined where no figure has one. */
  accuracy(ran: S): Promise<AccuracyFigures> | AccuracyFigures | undefined;
  distribution?(ran: S): Members | undefined;
  /** One scenario of the run, which the query names. */
  scenario?(ran: S): Promise<Members>;
  /** Members of `Model` beside those of the methodology. */
  model?(ran: S, result: Members): Promise<Members> | Members;
  warnings?(ran: S): readonly Warning[];
  /** Members that `Arguments` shows in another form, and members that it gains. */
  addedArguments?(ran: S): Members | Promise<Members>;
  basis?(ran: S): Partial<AnswerBasis>;
  lines?(ran: S, result: Members): AnswerLines;
}

/** A request on the window that ends on a day. */
type AnyRequest = Resolved<{ readonly analysis_date: Day; readonly proxy?: Proxies | undefined }>;

/** The first steps of every question: window -> methodology -> plan -> engine. */
export async function ranOf<R extends AnyRequest, P extends Product, X, S extends Simulated<R, P, X>>(
  row: QuestionRow<R, P, X, S>,
  request: R,
  context: OperationContext,
  options: RunOptions = {},
): Promise<S> {
  const need = row.need(request, context);
  const methodology = METHODOLOGIES[request.methodology];
  const also = row.readAlso?.(request, context) ?? (Promise.resolve(undefined) as Promise<never>);
  const joined = await joinedMarket(
    context.market,
    request.terms.proxy,
    need.portfolio.symbols,
    daysOfWindow(need, methodology, context),
  );
  const window = { ...context, market: joined.market };
  const [prices, extra] = await readTogether([methodology.read(need, window), also]);
  async function under(volatilityShock: number): Promise<Asked<R, X>> {
    const shocked = { ...need, volatilityShock };
    const set = await methodology.fit(prices, shocked, window);
    const filled = mergeFilled(set.filled, extra?.filled ?? []);
    const warnings = [...joined.warnings, ...(extra?.warnings ?? [])];
    const asked = { request, need: shocked, filled, set, extra, warnings, context, under };
    return { ...asked, set: row.prepare?.(asked) ?? set };
  }
  const asked = await under(need.volatilityShock);
  return row.run(planOf(asked, row.product(asked)), asked, options);
}

/** First and last day of the closes of a window; one of history begins a term before the lookback. */
function daysOfWindow(
  need: Need,
  { draws }: Pick<Methodology, 'draws'>,
  { now }: Pick<OperationContext, 'now'>,
): readonly [first: Day, last: Day] {
  const last = lastCompleteDay(need.analysisDate, now);
  return [last - need.lookbackDays - (draws ? 0 : Math.ceil(need.termSteps(1) / HOURS_PER_DAY)), last];
}

/** The operation that answers the requests of a question by its row. */
export function answering<R extends AnyRequest, P extends Product, X, S extends Simulated<R, P, X>>(
  row: QuestionRow<R, P, X, S>,
): Operation<R> {
  return async (request, context) => {
    const ran = await ranOf(row, request, context);
    const { plan, set, need, filled, warnings } = ran;
    const result = await row.result(ran);
    const accuracy = wantsAccuracy(context) ? await row.accuracy(ran) : undefined;
    const distribution = plan.distribution && row.distribution?.(ran);
    const scenario = context.query.include.has('scenario') ? await row.scenario?.(ran) : undefined;
    const model = shownModel(set, request.terms, context);
    const terms = { ...request.terms, ...(await row.addedArguments?.(ran)) };
    return {
      resultMember: row.resultMember,
      arguments: processedArguments(terms, set.addedArguments),
      result,
      engine: ran.engine,
      filled,
      basis: { gridHours: set.gridHours, paths: plan.paths, ...row.basis?.(ran) },
      plan,
      symbols: need.portfolio.symbols,
      fitted: set.fitted,
      warnings: [
        ...(row.warnings?.(ran) ?? []),
        ...needWarnings(need),
        ...(await peggedWarnings(need, context)),
        ...warnings,
      ],
      ...(row.lines === undefined ? {} : { lines: row.lines(ran, result) }),
      included: {
        ...(accuracy && { Accuracy: accuracyMember(context.query.confidence, plan.paths, accuracy) }),
        ...(distribution === undefined ? {} : { Distribution: distribution }),
        ...(model && { Model: { ...(await row.model?.(ran, result)), ...model } }),
        ...(scenario && { Scenario: scenario }),
      },
    };
  };
}

export const wantsAccuracy = ({ query }: OperationContext): boolean => query.include.has('accuracy');

/** The members of `Model`, if the query names it. */
const shownModel = (
  set: FittedSet,
  { analysis_date }: { readonly analysis_date: Day },
  { query, now }: OperationContext,
): Members | undefined =>
  query.include.has('model') ? modelMember(set, lastCompleteDay(analysis_date, now)) : undefined;

/** `Arguments`: the members of a request with values as used, the date in the form of the interface, and `added` members. */
export function processedArguments(
  params: { readonly analysis_date: Day } & Members,
  added: Members = {},
): Record<string, unknown> {
  return { ...params, analysis_date: formatCalendarDate(params.analysis_date), ...added };
}

export const planOf = <P extends Product>(
  { set, context }: Pick<Asked<unknown, unknown>, 'set' | 'context'>,
  product: P,
): SimulationPlan<P> => ({
  seed: context.seed,
  paths: set.paths,
  scenarios: set.scenarios,
  product,
  ...(context.query.include.has('distribution')
    ? { distribution: { daySteps: set.stepHours === 24 ? 1 : 24 } }
    : {}),
});

/** Runs a plan on an engine. */
export async function runOn<P extends Product>(
  engine: Engine,
  plan: SimulationPlan<P>,
  context: OperationContext,
  { draws, traced = false }: Pick<RunOptions, 'draws' | 'traced'>,
): Promise<PlanRun<P>> {
  const { signal } = context;
  const outcome = await engine.run(plan, { signal, ...(draws && { draws }) });
  const needed = traced && plan.scenarios.kind === 'historical' && wantsAccuracy(context);
  return { outcome, records: needed ? await engine.trace(plan, { signal }) : undefined };
}

/** Runs a plan once on the engine that the request chooses. */
export async function runOnce<R, P extends Product, X>(
  plan: SimulationPlan<P>,
  asked: Asked<R, X>,
  { draws, traced = false, ...options }: RunOptions = {},
): Promise<Ran<R, P, X>> {
  const { context } = asked;
  const { compute, engines, log } = context;
  const { value, engine } = await engines.use(
    plan,
    compute,
    chosen => runOn(chosen, plan, context, { draws, traced }),
    { ...options, log },
  );
  return { ...asked, plan, engine, ...value };
}

/** The accuracy of the figures of the window, which paths do not change. */
export const accuracyOfWindow = ({ volatilityFigures }: ScenarioSet): AccuracyFigures =>
  Object.fromEntries(Object.keys(volatilityFigures).map(name => [name, EXACT_OF_WINDOW]));

/** Longest text of a plan. Its characters are bytes: a plan is ASCII. */
const MAX_PLAN_BYTES = 64 * 2 ** 20;

/**
 * The JSON text of a plan.
 * @throws RiskError `invalid-request` where it is longer than `mostBytes`, or the signal's reason once aborted
 */
export async function planText(
  plan: SimulationPlan,
  asker: Asker,
  mostBytes = MAX_PLAN_BYTES,
): Promise<string> {
  const text = await calibrateInThread('plan-text', { plan }, asker);
  if (text.length > mostBytes) {
    const message = `include may name plan for plans of up to ${mostBytes} bytes; this one has ${text.length}`;
    refuseIfFaulty([{ code: 'out_of_range', path: 'query.include', message }]);
  }
  return text;
}
