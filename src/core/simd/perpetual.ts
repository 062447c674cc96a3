/**
 * Perpetual positions by the kernel, twin of src/core/product/perpetual.ts: the figures of every path, converted to the margin currency in
 * double precision.
 */
import { initialEquityOf, positionStart, positionTerms } from '../plan/product/perpetual.ts';
import type { PathRange } from '../plan/records.ts';
import type { PerpetualProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import type { MarkCounts } from '../product/path-counts.ts';
import type { PositionFollower } from '../product/perpetual.ts';
import { addEntries, FanRows } from './fan-rows.ts';
import type { Kernel } from './kernel.ts';
import { writePriceMarket } from './parameters.ts';

/** Places of a packet's result in vectors: kernel/position.ts, kernel/median.ts. */
const CHANGE = 0;
const SETTLED = 1;
const DRAWDOWN = 2;
const FLAGS = 3;
const LOWER_LEVERAGE = 4;
const UPPER_LEVERAGE = 5;

const WORD_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Runs the position of a range by the kernel. @param counts receives the prices of all paths */
export function packetPositions(
  kernel: Kernel,
  plan: SimulationPlan<PerpetualProduct>,
  range: PathRange,
  counts: MarkCounts | undefined,
): PositionFollower {
  const { product } = plan;
  const { steps } = product;
  const { lanes } = kernel;
  const packets = Math.ceil(range.count / lanes);
  const resultBytes = kernel.exports.POSITION_RESULT_BYTES.value;
  const dues = kernel.inVectors(writePriceMarket(kernel, plan.scenarios, plan.seed));
  const leverage = dues + kernel.inVectors(WORD_BYTES * steps);
  const results = leverage + kernel.pathArrayBytes(steps + 1);
  const behind = results + packets * resultBytes;
  const start = kernel.exports.PATHS.value;
  const fan = counts && new FanRows(kernel, steps);
  kernel.reserve(behind + (fan?.bytes ?? 0));
  kernel.singles.set(product.settlements, (start + dues) / WORD_BYTES);
  const terms = positionTerms(product);
  writeTerms(kernel, product, terms);
  // The kernel counts the logarithms of the price in base 2.
  fan?.place(kernel, start + behind, { nominal: 0, areLogs: true, unitOfLog: Math.LN2 });
  kernel.exports.runPositions(
    range.first,
    range.count,
    steps,
    start + dues,
    start + leverage,
    start + results,
    fan !== undefined,
  );
  // The counts are the rows of the fan.
  if (counts !== undefined && fan !== undefined) addEntries(counts.counts, 0, fan.all(kernel));

  const { singles, integers } = kernel;
  const equity = initialEquityOf(product);
  const funding = equity * terms.funding;
  const leverageAtStart = Math.abs(terms.exposure);
  return {
    follow(path, position) {
      const i = path - range.first;
      const at = (start + results + Math.floor(i / lanes) * resultBytes) / WORD_BYTES + (i % lanes);
      position.flags = integers[at + FLAGS * lanes];
      position.finalEquity = equity * (1 + singles[at + CHANGE * lanes]);
      position.accumulatedFunding = funding * singles[at + SETTLED * lanes];
      position.maxEquityDrawdown = equity * singles[at + DRAWDOWN * lanes];
      const [lower, upper] = [singles[at + LOWER_LEVERAGE * lanes], singles[at + UPPER_LEVERAGE * lanes]];
      position.medianLeverage = (leverageAtStart * (lower + upper)) / 2;
    },
  };
}

/** Writes the terms in the order of kernel/position.ts. */
function writeTerms(
  kernel: Kernel,
  product: PerpetualProduct,
  { exposure, funding, maintenance, marginCall, fee, exempt }: ReturnType<typeof positionTerms>,
): void {
  const direction = product.contract === 'linear' ? 1 : -1;
  const { peak, called } = positionStart(product);
  const terms = [exposure, funding, maintenance, marginCall, fee, direction, peak, Number(called), exempt];
  for (const [place, value] of terms.entries()) kernel.put(kernel.exports.POSITION, place, value);
}
