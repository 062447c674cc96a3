/**
 * One run of a plan for an answer, with the records of its paths where windows of history need them for their accuracy.
 */
import type { Day } from '../calendar-date.ts';
import type { Engine, OutcomeOf, PathRecords } from '../core/engine.ts';
import type { Product, SimulationPlan } from '../core/plan/simulation-plan.ts';
import { lastCompleteDay } from '../market/last-complete-day.ts';
import { type FittedSet, modelMember } from '../methodology/fitted-model.ts';
import type { ScenarioSet } from '../methodology/methodology.ts';
import type { IncludedMembers, OperationContext } from './question.ts';

/** An outcome, and records where they were needed. */
export interface PlanRun<P extends Product> {
  readonly outcome: OutcomeOf<P>;
  /** One per window in the order of their ends; only for HISTORICAL with `?include=accuracy`. */
  readonly records: PathRecords | undefined;
}

/** Whether the answer has `Accuracy`. */
export const wantsAccuracy = ({ query }: OperationContext): boolean => query.include.has('accuracy');

/** Whether the answer has `Distribution`. */
export const wantsDistribution = ({ query }: OperationContext): boolean => query.include.has('distribution');

/** What the plan of an answer with `Distribution` asks for. */
export function distributionOf(
  { stepHours }: Pick<ScenarioSet, 'stepHours'>,
  context: OperationContext,
): Pick<SimulationPlan, 'distribution'> {
  return wantsDistribution(context) ? { distribution: { daySteps: stepHours === 24 ? 1 : 24 } } : {};
}

/** The member `Model`, where the query asks for it. */
export function modelMembers(
  set: FittedSet,
  { analysis_date }: { readonly analysis_date: Day },
  { query, now }: OperationContext,
): IncludedMembers {
  if (!query.include.has('model')) return {};
  return { Model: modelMember(set, lastCompleteDay(analysis_date, now)) };
}

/** Runs a plan on an engine. @param traced whether windows of history need a record each for their accuracy */
export async function runOn<P extends Product>(
  engine: Engine,
  plan: SimulationPlan<P>,
  context: OperationContext,
  traced: boolean,
): Promise<PlanRun<P>> {
  const { signal } = context;
  const outcome = await engine.run(plan, { signal });
  const needed = traced && plan.scenarios.kind === 'historical' && wantsAccuracy(context);
  return { outcome, records: needed ? await engine.trace(plan, { signal }) : undefined };
}

/** Runs a plan on the engine that the request chooses. */
export function runPlan<P extends Product>(
  plan: SimulationPlan<P>,
  context: OperationContext,
  traced: boolean,
) {
  const { compute, engines, log } = context;
  return engines.use(plan, compute, engine => runOn(engine, plan, context, traced), { log });
}
