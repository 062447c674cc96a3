/**
 * Loans under unlimited liquidity by the kernel; twin of src/core/product/loan.ts.
 *
 * Takes: a plan and a range of its paths. Gives: its sums. The kernel steps the paths and tells of each its lowest and
 * final value and when it ended; what follows from that once per path is done here, in double precision.
 */

import {
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
  type LoanOutcome,
} from '../engine.ts';
import { assetPair, ratioThresholds } from '../plan/ratio-path.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { LoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import { distributionOf } from '../product/path-counts.ts';
import { linear } from '../product/paths.ts';
import { WeightedLoans } from '../product/weighted-loans.ts';
import type { Kernel } from './kernel.ts';
import { countedBytes, PacketLoans } from './packet-loans.ts';
import { packetOf, packetWeights } from './packet-weights.ts';
import { accrualBytes, writeAccrual, writeMarket, writeRules } from './parameters.ts';

/** Steps that the kernel walks at a time, BLOCK_STEPS of wasm/memory.ts: it keeps no more of a path. */
const BLOCK_STEPS = 48;
/** Places of a packet's result in vectors: wasm/loan.ts. */
const LOWEST = 0;
const FINAL = 1;
const CLOSEOUT = 2;
const LIQUIDATION = 3;
const CALLED = 4;

/** Runs the loans of a range of paths and sums what became of them. */
export function runLoans(
  kernel: Kernel,
  plan: SimulationPlan<LoanProduct>,
  range: PathRange,
  records: RecordSink | undefined,
  tally?: Uint32Array,
): LoanOutcome {
  const { product, scenarios } = plan;
  const { steps, nominalRatio } = product;
  const { lanes } = kernel;
  const block = kernel.pathBytes(BLOCK_STEPS);
  const counted = block + (plan.distribution === undefined ? 0 : countedBytes(kernel, steps));
  const kept = counted + accrualBytes(kernel, product);
  const domain = writeMarket(kernel, scenarios, product.portfolio, plan.seed, kept);
  writeAccrual(kernel, product, domain, counted);
  const toRatio = (value: number) => linear({ domain }, value);
  const thresholds = ratioThresholds(product, domain);
  writeRules(kernel, thresholds);
  const counter =
    plan.distribution && new PacketLoans(kernel, product, domain === 'ln', plan.distribution, block, tally);
  const weights = packetWeights(kernel, scenarios, assetPair(product.portfolio));
  const weighted = weights && new WeightedLoans();
  // Packets of weighted paths begin with an even number, and their weights are read packet by packet.
  const skipped = weights === undefined ? 0 : range.first - packetOf(range.first);
  if (counter !== undefined) counter.run(range);
  else if (weights === undefined)
    kernel.exports.runLoans(range.first, Math.ceil(range.count / lanes), steps, product.topUpSteps);
  const { singles, integers } = kernel;
  // Read once: to ask the kernel for an address costs as much as ten steps.
  const results = kernel.exports.RESULTS.value / Int32Array.BYTES_PER_ELEMENT;
  const wordsOfPacket = kernel.exports.RESULT_BYTES.value / Int32Array.BYTES_PER_ELEMENT;
  let marginCalls = 0;
  let liquidations = 0;
  let closeouts = 0;
  let underwater = 0;
  let openSteps = 0;
  let loss = 0;
  let closedStepSquares = 0;
  let losses = 0;
  let lossSquares = 0;
  let worst = Number.POSITIVE_INFINITY;
  for (let i = 0; i < range.count; i++) {
    const place = i + skipped;
    if (weights !== undefined && (i === 0 || place % lanes === 0))
      kernel.exports.runLoans(range.first + i - (place % lanes), 1, steps, product.topUpSteps);
    const packet = weights === undefined ? Math.floor(i / lanes) : 0;
    const at = results + packet * wordsOfPacket + (place % lanes);
    const lowest = singles[at + LOWEST * lanes];
    // Steps left when it happened, the step itself included; 0 if it did not. Liquidation comes first in a step.
    const closeout = integers[at + CLOSEOUT * lanes];
    const liquidation = integers[at + LIQUIDATION * lanes];
    const endStep = steps + 1 - (Math.max(closeout, liquidation) || 1);
    let flags = lowest < thresholds.underwater ? FLAG_UNDERWATER : 0;
    // A loan that ended was called in that step at the latest, so the lowest value tells the call.
    if (lowest < thresholds.marginCall) flags |= FLAG_MARGIN_CALL;
    if (liquidation > 0 && liquidation >= closeout) flags |= FLAG_LIQUIDATION;
    else if (closeout > 0) flags |= FLAG_CLOSEOUT;
    if (flags & FLAG_MARGIN_CALL) marginCalls++;
    if (flags & FLAG_LIQUIDATION) liquidations++;
    if (flags & FLAG_CLOSEOUT) closeouts++;
    if (flags & FLAG_UNDERWATER) underwater++;
    openSteps += endStep;
    closedStepSquares += (steps - endStep) * (steps - endStep);
    const finalRatio = toRatio(singles[at + FINAL * lanes]);
    const pathLoss = Math.max(0, 1 - nominalRatio * finalRatio);
    loss += pathLoss;
    if (pathLoss > 0) losses++;
    lossSquares += pathLoss * pathLoss;
    worst = Math.min(worst, lowest);
    weighted?.add(range.first + i, weights?.of(place % lanes) ?? 1, {
      flags,
      closedSteps: steps - endStep,
      loss: pathLoss,
      topUps: 0,
      topUpAmount: 0,
    });
    // The kernel finds the step of the first call of counted loans only.
    if (counter !== undefined && flags !== 0)
      counter.addEvents({
        callStep: flags & FLAG_MARGIN_CALL ? steps + 1 - integers[at + CALLED * lanes] : 0,
        liquidationStep: flags & FLAG_LIQUIDATION ? endStep : 0,
        closeoutStep: flags & FLAG_CLOSEOUT ? endStep : 0,
      });
    records?.write(range.first + i, [toRatio(lowest), finalRatio, endStep, flags]);
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
    closedStepSquares,
    losses,
    lossSquares,
    worstCcr: nominalRatio * toRatio(worst),
    ...(weighted && { weighted: weighted.sums }),
    ...(counter && distributionOf(counter.together(), tally)),
  };
}
