/**
 * Loans under unlimited liquidity by the kernel, twin of the paths of src/core/product/loan.ts. The kernel returns the lowest and the final
 * value of each path, and the step of its end.
 */
import { FLAG_CLOSEOUT, FLAG_LIQUIDATION, FLAG_MARGIN_CALL } from '../engine.ts';
import { RATIO_SLOTS } from '../plan/distribution.ts';
import { assetPair, ratioThresholds } from '../plan/ratio-path.ts';
import type { PathRange } from '../plan/records.ts';
import type { LoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import type { LoanFollower } from '../product/loan.ts';
import type { LoanOnPath } from '../product/loan-under-way.ts';
import type { LoanCounts } from '../product/path-counts.ts';
import { linear } from '../product/paths.ts';
import { addEntries, FanRows } from './fan-rows.ts';
import type { Kernel } from './kernel.ts';
import { type PacketWeights, packetOf, packetWeights } from './packet-weights.ts';
import { accrualBytes, writeAccrual, writeMarket, writeRules } from './parameters.ts';

const WORD_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** Steps of a path in the kernel's memory: BLOCK_STEPS of kernel/memory.ts. */
const BLOCK_STEPS = 48;
/** Places of a packet's result in vectors: kernel/loan.ts. */
const LOWEST = 0;
const FINAL = 1;
const CLOSEOUT = 2;
const LIQUIDATION = 3;
const CALLED = 4;
/** Rows of the kernel's counts before the fan: the lowest ratio. */
const ROWS_BEFORE = 1;

/** Loans by the kernel. A class: its method is inlined into the loop over paths; a closure per chunk costs a tenth of a loan over a day. */
export class PacketLoans implements LoanFollower {
  readonly domain: LoanFollower['domain'];
  private readonly product: LoanProduct;
  private readonly marginCall: number;
  private readonly isCounted: boolean;
  private readonly weights: PacketWeights | undefined;
  /** The first path of the first packet. */
  private readonly firstPath: number;
  /** The first path of the packet whose weights the kernel has. */
  private packetOfWeights = Number.NEGATIVE_INFINITY;
  /** Places of the results, read once: an address of the kernel costs as much as ten steps. */
  private readonly results: number;
  private readonly wordsOfPacket: number;

  /** Runs the loans of a range, but weighted ones. @param counts receives the ratios of all paths */
  constructor(
    private readonly kernel: Kernel,
    { product, scenarios, seed }: SimulationPlan<LoanProduct>,
    { first, count }: PathRange,
    counts: LoanCounts | undefined,
  ) {
    const { steps, topUpSteps, portfolio } = product;
    const { exports } = kernel;
    const block = kernel.pathBytes(BLOCK_STEPS);
    const rows = counts && new FanRows(kernel, steps, ROWS_BEFORE);
    const counted = block + (rows?.bytes ?? 0);
    const domain = writeMarket(kernel, scenarios, portfolio, seed, counted + accrualBytes(kernel, product));
    writeAccrual(kernel, product, domain, counted);
    const thresholds = ratioThresholds(product, domain);
    writeRules(kernel, thresholds);
    this.domain = domain;
    this.product = product;
    this.marginCall = thresholds.marginCall;
    this.isCounted = counts !== undefined;
    this.weights = packetWeights(kernel, scenarios, assetPair(portfolio));
    this.firstPath = this.weights === undefined ? first : packetOf(first);
    this.results = exports.RESULTS.value / WORD_BYTES;
    this.wordsOfPacket = exports.RESULT_BYTES.value / WORD_BYTES;
    if (counts !== undefined && rows !== undefined) {
      kernel.reserve(counted);
      const lowest = rows.place(kernel, exports.PATHS.value + block, {
        nominal: Math.log(product.nominalRatio),
        areLogs: domain === 'ln',
        unitOfLog: 1,
      });
      exports.runCountedLoans(first, count, steps, topUpSteps, lowest);
      addRows(counts, rows.all(kernel));
    } else if (this.weights === undefined)
      exports.runLoans(first, Math.ceil(count / kernel.lanes), steps, topUpSteps);
  }

  follow(path: number, loan: LoanOnPath): void {
    const { weights } = this;
    const { lanes, singles, integers } = this.kernel;
    const { steps } = this.product;
    const place = path - this.firstPath;
    const lane = place % lanes;
    if (weights !== undefined) this.runPacket(path - lane);
    const packet = weights === undefined ? Math.floor(place / lanes) : 0;
    const at = this.results + packet * this.wordsOfPacket + lane;
    const lowest = singles[at + LOWEST * lanes];
    // Remaining steps at the event, its own included; 0 without one. Liquidation comes first in a step.
    const closeout = integers[at + CLOSEOUT * lanes];
    const liquidation = integers[at + LIQUIDATION * lanes];
    // A loan that ended was called in that step at the latest: the lowest value determines the call.
    let flags = lowest < this.marginCall ? FLAG_MARGIN_CALL : 0;
    if (liquidation > 0 && liquidation >= closeout) flags |= FLAG_LIQUIDATION;
    else if (closeout > 0) flags |= FLAG_CLOSEOUT;
    loan.flags = flags;
    loan.endStep = steps + 1 - (Math.max(closeout, liquidation) || 1);
    // The kernel finds the step of the first call of counted loans only.
    if (this.isCounted) loan.callStep = flags === 0 ? 0 : steps + 1 - integers[at + CALLED * lanes];
    loan.lowest = lowest;
    loan.finalRatio = linear(this, singles[at + FINAL * lanes]);
    if (weights !== undefined) loan.weight = weights.of(lane);
  }

  private runPacket(first: number): void {
    if (first === this.packetOfWeights) return;
    this.packetOfWeights = first;
    this.kernel.exports.runLoans(first, 1, this.product.steps, this.product.topUpSteps);
  }
}

/** Adds the ratios that the kernel has counted. */
function addRows({ counts, places }: LoanCounts, rows: Uint16Array): void {
  addEntries(counts, places.lowest.first, rows.subarray(0, RATIO_SLOTS));
  addEntries(counts, places.fan.first, rows.subarray(ROWS_BEFORE * RATIO_SLOTS));
  // The last time of the fan is the end of the term.
  addEntries(counts, places.final.first, rows.subarray(rows.length - RATIO_SLOTS));
}
