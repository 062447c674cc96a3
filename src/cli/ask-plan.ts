/**
 * `ask --plan`: the plan of an answer that was kept, run again. A plan has its prices, so no market is read.
 *
 * Takes: a file with an answer that has `Plan`, or with a plan. Gives: its figures, and whether they are those of the answer.
 */
import { decodePlan } from '../core/plan/codec.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { ComputeChoice } from '../engine/engine-set.ts';
import { engineVersion } from '../host/engine-version.ts';
import { createLogger } from '../host/log.ts';
import { SAMPLE_MARKET } from '../market/open-market.ts';
import { figuresOfPlan, type PlanTerms } from '../question/plan-figures.ts';
import { isObject } from '../text/message.ts';
import { bodyOf, readOrPrint } from './input.ts';
import { type Environment, EXIT, type Output } from './output.ts';
import { printFailures, withOwnRisk } from './own-risk.ts';

interface Kept extends PlanTerms {
  readonly Plan: unknown;
  readonly Output?: object;
  readonly Results?: object;
  readonly 'Risk engine version'?: string;
}

/** Runs the plan and prints its figures. @returns 0; 1 for a plan that is refused, or figures other than those kept; 2 for another file */
export async function askPlan(
  file: string,
  compute: ComputeChoice,
  environment: Environment,
  output: Output,
): Promise<number> {
  const kept = await readOrPrint(() => bodyOf(file, text => keptOf(JSON.parse(text))), output);
  if (kept === undefined) return EXIT.notUnderstood;
  return printFailures(async () => {
    const plan = decodePlan(kept.Plan);
    const { figures, engine } = await withOwnRisk({ ...environment, MARKET_DB: SAMPLE_MARKET }, ({ risk }) =>
      run(plan, compute, kept, risk.engines),
    );
    if (figures === undefined) {
      output.err(`Answers have no plan of the kind ${plan.product.kind}, and no figures of it are kept.\n`);
      return EXIT.refused;
    }
    const { Output, Results = Output, 'Risk engine version': version } = kept;
    const differing = Results === undefined ? [] : differences(figures, Results);
    const result = {
      Figures: figures,
      ...(Results && { Differ: differing, Kept: version ?? null }),
      Engine: engine,
      'Risk engine version': engineVersion(),
    };
    output.out(`${JSON.stringify(result, null, 2)}\n`);
    return differing.length > 0 ? EXIT.refused : EXIT.done;
  }, output);
}

const keptOf = (value: unknown): Kept =>
  isObject(value) && 'Plan' in value ? (value as unknown as Kept) : { Plan: value };

type Engines = Parameters<Parameters<typeof withOwnRisk>[1]>[0]['risk']['engines'];

async function run(plan: SimulationPlan, compute: ComputeChoice, terms: PlanTerms, engines: Engines) {
  const { signal } = new AbortController();
  const { value, engine } = await engines.use(plan, compute, chosen => chosen.run(plan, { signal }), {
    log: createLogger('silent'),
  });
  return { figures: figuresOfPlan(plan.product, value as never, terms), engine: engine.device };
}

/** The paths of figures that are not the same number as kept. */
function differences(figures: object, kept: object, path = ''): readonly string[] {
  return Object.entries(figures).flatMap(([name, value]) => {
    const other = (kept as Readonly<Record<string, unknown>>)[name];
    const at = path === '' ? name : `${path}.${name}`;
    if (isObject(value)) return differences(value, isObject(other) ? other : {}, at);
    return Object.is(value, other) ? [] : [at];
  });
}
