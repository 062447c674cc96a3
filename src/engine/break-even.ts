/**
 * From how much work on a GPU is faster than the processor, measured on this host: an H100 beside two cores and a small GPU beside forty
 * differ by orders of magnitude.
 *
 * Takes: two engines. Gives: asset-steps. Must not know: how engines are opened or chosen.
 */
import { type Clock, processClock } from '../core/clock.ts';
import type { Engine } from '../core/engine.ts';
import { MODELS } from '../core/plan/models.ts';
import { PRODUCTS } from '../core/plan/products.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import { assetSteps } from '../core/plan/work.ts';

/** What a run takes: `overhead + perStep x asset-steps`, in milliseconds. */
interface Speed {
  readonly overhead: number;
  readonly perStep: number;
}

const HOURS = 720;
const FEW_PATHS = 64;
/** A run of so long a time is mostly work. */
const LONG_MILLISECONDS = 20;
const MOST_PATHS = 2 ** 21;
const RUNS = 5;
/** The processor keeps work for which a GPU is not faster by this factor: measurements differ from start to start. */
const CLEARLY_FASTER = 1.25;

/** A loan of a pair under GBM over 30 days. */
function loanOf(paths: number): SimulationPlan {
  const scenarios = MODELS.gbm.usual(2);
  const [usual] = PRODUCTS.loan.usual.terms(2);
  return { seed: 0, paths, scenarios, product: { ...usual, steps: HOURS } };
}

/** The median time of some runs. */
async function millisecondsOf(engine: Pick<Engine, 'run'>, plan: SimulationPlan, clock: Clock) {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const begin = clock.now();
    await engine.run(plan);
    times.push(clock.now() - begin);
  }
  return times.sort((a, b) => a - b)[(RUNS - 1) / 2];
}

async function speedOf(engine: Pick<Engine, 'run'>, clock: Clock): Promise<Speed> {
  const few = loanOf(FEW_PATHS);
  // The first run compiles.
  await engine.run(few);
  const short = await millisecondsOf(engine, few, clock);
  let many = loanOf(16 * FEW_PATHS);
  let long = await millisecondsOf(engine, many, clock);
  while (long - short < LONG_MILLISECONDS && many.paths < MOST_PATHS) {
    many = loanOf(4 * many.paths);
    long = await millisecondsOf(engine, many, clock);
  }
  const perStep = Math.max(0, long - short) / (assetSteps(many) - assetSteps(few));
  return { overhead: Math.max(0, short - perStep * assetSteps(few)), perStep };
}

/**
 * The least work that a GPU does clearly faster than the processor, in asset-steps, rounded up to a power of two; infinite where it never
 * does. Runs both engines for some tenths of a second.
 *
 * @throws what an engine throws
 */
export async function measureBreakEven(
  gpu: Pick<Engine, 'run'>,
  processor: Pick<Engine, 'run'>,
  clock: Clock = processClock,
): Promise<number> {
  const onGpu = await speedOf(gpu, clock);
  const onProcessor = await speedOf(processor, clock);
  const gain = onProcessor.perStep - CLEARLY_FASTER * onGpu.perStep;
  if (gain <= 0) return Number.POSITIVE_INFINITY;
  const steps = (CLEARLY_FASTER * onGpu.overhead - onProcessor.overhead) / gain;
  return 2 ** Math.ceil(Math.log2(Math.max(1, steps)));
}
