/** The member `Plan`: the simulation plan of an answer as JSON, written in a calibration thread. */
import { refuseIfFaulty } from '../core/errors.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { Asker } from '../core/turns.ts';
import { calibrateInThread } from '../model/calibration-pool.ts';

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
    refuseIfFaulty([{ path: 'query.include', message }]);
  }
  return text;
}
