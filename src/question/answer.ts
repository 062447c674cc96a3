/**
 * One request to its answer: window -> methodology -> plan -> engine -> figures. Every question is a row of what differs.
 *
 * Must not know: any question, any methodology, HTTP.
 */
import type { Day } from '../calendar-date.ts';
import type { EngineDescription, OutcomeOf, PathRecords } from '../core/engine.ts';
import { type AccuracyFigures, accuracyMember, EXACT_OF_WINDOW } from '../core/figures/accuracy.ts';
import type { Product, SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { Warning } from '../core/warnings.ts';
import type { FilledSeries } from '../market/market-data.ts';
import { readTogether } from '../market/read-together.ts';
import { METHODOLOGIES, type MethodologyName } from '../methodology/methodologies.ts';
import type { Need, ScenarioSet } from '../methodology/methodology.ts';
import { needWarnings } from '../methodology/warnings.ts';
import { mergeFilled } from '../methodology/window.ts';
import { processedArguments } from './processed-arguments.ts';
import type { AnswerBasis, AnswerLines, Operation, OperationAnswer, OperationContext } from './question.ts';
import { distributionOf, modelMembers, runPlan, wantsAccuracy } from './run-plan.ts';

type Members = Readonly<Record<string, unknown>>;

/** A request on its scenarios, before it is run. */
export interface Asked<R, X = undefined> {
  readonly request: R;
  readonly set: ScenarioSet;
  /** What the question read beside the window. */
  readonly extra: X;
  readonly context: OperationContext;
}

/** A request with what an engine made of its plan. */
export interface Ran<R, P extends Product, X = undefined> extends Asked<R, X> {
  readonly plan: SimulationPlan<P>;
  readonly outcome: OutcomeOf<P>;
  /** One record for each window of history in the order of their ends, where the question has its accuracy from them. */
  readonly records: PathRecords | undefined;
  readonly engine: EngineDescription;
}

/** What differs between questions. */
export interface QuestionRow<R, P extends Product, X = undefined> {
  readonly resultMember: OperationAnswer['resultMember'];
  /** Whether the intervals over windows of history need a record of each window. */
  readonly traced: boolean;
  need(request: R, context: OperationContext): Need;
  /** What the question reads beside the window, or refuses before it; one refusal names what both lack. */
  readAlso?(
    request: R,
    context: OperationContext,
  ): Promise<X & { readonly filled?: readonly FilledSeries[] }>;
  /** Refuses or replaces what the methodology gave. */
  prepare?(asked: Asked<R, X>): ScenarioSet;
  product(asked: Asked<R, X>): P;
  /** Runs the plan; once, on the engine that the request chooses, where absent. */
  run?(plan: SimulationPlan<P>, asked: Asked<R, X>): Promise<Ran<R, P, X>>;
  result(ran: Ran<R, P, X>): Members;
  accuracy(ran: Ran<R, P, X>): Promise<AccuracyFigures> | AccuracyFigures;
  distribution?(ran: Ran<R, P, X>): Members | undefined;
  /** Members that `Model` has beside those of the methodology. */
  model?(ran: Ran<R, P, X>, result: Members): Promise<Members> | Members;
  warnings?(ran: Ran<R, P, X>): readonly Warning[];
  /** Members of the request that `Arguments` shows in another form, and what it gains. */
  addedArguments?(ran: Ran<R, P, X>): Members;
  basis?(ran: Ran<R, P, X>): Partial<AnswerBasis>;
  lines?(ran: Ran<R, P, X>, result: Members): AnswerLines;
}

/** A processed request: in the envelope of the interface, or flat with its methodology as a member. */
export type AnyRequest =
  | { readonly type: MethodologyName; readonly params: { readonly analysis_date: Day } }
  | { readonly model: MethodologyName; readonly analysis_date: Day };

const methodologyOf = (request: AnyRequest) =>
  METHODOLOGIES['type' in request ? request.type : request.model];
/** The members that `Arguments` shows. */
const termsOf = (request: AnyRequest) => ('type' in request ? request.params : request);

/** Reads the window of a request and fits its methodology. */
export async function scenariosOf<X>(
  request: AnyRequest,
  need: Need,
  context: OperationContext,
  also: Promise<X>,
): Promise<readonly [ScenarioSet, X]> {
  const methodology = methodologyOf(request);
  const [prices, extra] = await readTogether([methodology.read(need, context), also]);
  return [await methodology.fit(prices, need, context), extra];
}

/** What answers the requests of a question. */
export const answering =
  <R extends AnyRequest, P extends Product, X>(row: QuestionRow<R, P, X>): Operation<R> =>
  (request, context) =>
    answer(row, request, context);

/** Answers a request by the row of its question. */
export async function answer<R extends AnyRequest, P extends Product, X>(
  row: QuestionRow<R, P, X>,
  request: R,
  context: OperationContext,
): Promise<OperationAnswer> {
  const need = row.need(request, context);
  const also = row.readAlso?.(request, context) ?? (Promise.resolve(undefined) as Promise<never>);
  const [fitted, extra] = await scenariosOf(request, need, context, also);
  const set = row.prepare?.({ request, set: fitted, extra, context }) ?? fitted;
  const asked = { request, set, extra, context };
  const plan = planOf(asked, row.product(asked));
  const ran = (await row.run?.(plan, asked)) ?? (await runOnce(plan, asked, row.traced));
  const result = row.result(ran);
  const distribution = plan.distribution && row.distribution?.(ran);
  const model = modelMembers(set, termsOf(request), context);
  const shown = (terms: object) => processedArguments({ ...termsOf(request), ...terms }, set.addedArguments);
  return {
    resultMember: row.resultMember,
    arguments: shown(row.addedArguments?.(ran) ?? {}),
    result,
    engine: ran.engine,
    filled: mergeFilled(set.filled, extra?.filled ?? []),
    basis: { gridHours: set.gridHours, paths: ran.plan.paths, ...row.basis?.(ran) },
    plan: ran.plan,
    fitted: set.fitted,
    warnings: [...(row.warnings?.(ran) ?? []), ...needWarnings(need)],
    ...(row.lines === undefined ? {} : { lines: row.lines(ran, result) }),
    included: {
      ...(wantsAccuracy(context) ? { Accuracy: await accuracyOf(row, ran) } : {}),
      ...(distribution === undefined ? {} : { Distribution: distribution }),
      ...(model.Model === undefined
        ? {}
        : { Model: { ...(await row.model?.(ran, result)), ...model.Model } }),
    },
  };
}

/** The plan of a product on the scenarios of a request. */
export const planOf = <P extends Product>(
  { set, context }: Pick<Asked<unknown, unknown>, 'set' | 'context'>,
  product: P,
): SimulationPlan<P> => ({
  seed: context.seed,
  paths: set.paths,
  scenarios: set.scenarios,
  product,
  ...distributionOf(set, context),
});

/** One run of a plan on the engine that the request chooses. */
export async function runOnce<R, P extends Product, X>(
  plan: SimulationPlan<P>,
  asked: Asked<R, X>,
  traced: boolean,
): Promise<Ran<R, P, X>> {
  const { value, engine } = await runPlan(plan, asked.context, traced);
  return { ...asked, plan, engine, ...value };
}

async function accuracyOf<R, P extends Product, X>(row: QuestionRow<R, P, X>, ran: Ran<R, P, X>) {
  return accuracyMember(ran.context.query.confidence, ran.plan.paths, await row.accuracy(ran));
}

/** The figures of the window, which no path can make surer. */
export const accuracyOfWindow = ({ volatilityFigures }: ScenarioSet): AccuracyFigures =>
  Object.fromEntries(Object.keys(volatilityFigures).map(name => [name, EXACT_OF_WINDOW]));
