/**
 * A loan under unlimited liquidity along one path (methodology part 4); twin of shaders/product/loan.wgsl.
 *
 * Takes: the ratio r_t = C_t / L_t of every step and the thresholds in its domain. Gives: what became of the loan.
 */

import { ratioThresholds } from '../../plan/ratio-path.ts';
import type { LoanProduct, SimulationPlan } from '../../plan/simulation-plan.ts';
import {
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
  type LoanOutcome,
} from '../engine.ts';
import type { PathRange } from './chunks.ts';
import { openPortfolioPaths, type PortfolioPaths } from './portfolio-paths.ts';
import type { RecordSink } from './record-sink.ts';

/** What became of a loan: its flags and the step it ended at, T if it did not. */
export interface LoanEnd {
  flags: number;
  endStep: number;
}

/** The four thresholds of a loan and its grace period, in the domain of the path. */
export interface LoanRules {
  readonly liquidation: number;
  readonly marginCall: number;
  readonly recovery: number;
  readonly topUpSteps: number;
}

/** Runs the loans of a range of paths and sums what became of them. */
export function runLoans(
  plan: SimulationPlan<LoanProduct>,
  range: PathRange,
  records: RecordSink | undefined,
): LoanOutcome {
  const { product } = plan;
  const paths = openPortfolioPaths(plan.scenarios, plan.seed, product.portfolio, product.steps, false);
  const thresholds = ratioThresholds(product, paths.log);
  const rules: LoanRules = { ...thresholds, topUpSteps: product.topUpSteps };
  const end: LoanEnd = { flags: 0, endStep: 0 };
  let marginCalls = 0;
  let liquidations = 0;
  let closeouts = 0;
  let underwater = 0;
  let openSteps = 0;
  let loss = 0;
  let worst = Number.POSITIVE_INFINITY;
  for (let p = range.first; p < range.first + range.count; p++) {
    paths.simulate(p);
    followLoan(paths, rules, end);
    if (paths.minimum < thresholds.underwater) end.flags |= FLAG_UNDERWATER;
    if (end.flags & FLAG_MARGIN_CALL) marginCalls++;
    if (end.flags & FLAG_LIQUIDATION) liquidations++;
    if (end.flags & FLAG_CLOSEOUT) closeouts++;
    if (end.flags & FLAG_UNDERWATER) underwater++;
    openSteps += end.endStep;
    const finalRatio = linear(paths, paths.ratio[product.steps - 1]);
    loss += Math.max(0, 1 - product.nominalRatio * finalRatio);
    worst = Math.min(worst, paths.minimum);
    records?.write(p, [linear(paths, paths.minimum), finalRatio, end.endStep, end.flags]);
  }
  return {
    kind: 'loan',
    paths: range.count,
    marginCalls,
    liquidations,
    closeouts,
    underwater,
    openSteps,
    loss,
    worstCcr: product.nominalRatio * linear(paths, worst),
  };
}

/**
 * Follows the states of a loan over its full term, in the order of methodology part 4: liquidation, cure, call,
 * closeout.
 *
 * @param end receives the flags (without underwater) and the step of the end, 1..T
 */
export function followLoan(paths: PortfolioPaths, rules: LoanRules, end: LoanEnd): void {
  const { ratio } = paths;
  const steps = ratio.length;
  end.flags = 0;
  end.endStep = steps;
  // A path that never falls below M (nor below L < M) has no event.
  if (paths.minimum >= rules.marginCall) return;
  const { liquidation, marginCall, recovery, topUpSteps } = rules;
  let t = 1;
  for (;;) {
    // No call is open: only a fall below M > L matters.
    while (t <= steps && ratio[t - 1] >= marginCall) t++;
    if (t > steps) return;
    end.flags = FLAG_MARGIN_CALL;
    const deadline = t + topUpSteps;
    // A call is open until it is cured; a cure below M opens the next one in the same step.
    let r = ratio[t - 1];
    do {
      if (r < liquidation || t >= deadline) {
        end.flags |= r < liquidation ? FLAG_LIQUIDATION : FLAG_CLOSEOUT;
        end.endStep = t;
        return;
      }
      if (++t > steps) return;
      r = ratio[t - 1];
    } while (r < recovery);
  }
}

/** A value of the path's domain as a ratio. */
export function linear(paths: PortfolioPaths, value: number): number {
  return paths.log ? Math.exp(value) : value;
}
