/**
 * Perpetual positions by the kernel; twin of src/core/product/perpetual.ts.
 *
 * Takes: a plan and a range of its paths. Gives: the figures of every path, turned into the margin's currency in double precision.
 */
import { FLAG_LIQUIDATION, FLAG_MARGIN_CALL, type PerpetualOutcome } from '../engine.ts';
import { initialEquityOf, positionStart, positionTerms } from '../plan/position-terms.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { PerpetualProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import { distributionOf } from '../product/path-counts.ts';
import { addEntries, FanRows } from './fan-rows.ts';
import type { Kernel } from './kernel.ts';
import { writePriceMarket } from './parameters.ts';

/** Places of a packet's result in vectors: wasm/position.ts, wasm/median.ts. */
const CHANGE = 0;
const SETTLED = 1;
const DRAWDOWN = 2;
const FLAGS = 3;
const LOWER_LEVERAGE = 4;
const UPPER_LEVERAGE = 5;

const WORD_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Runs the position on a range of paths. */
export function runPositions(
  kernel: Kernel,
  plan: SimulationPlan<PerpetualProduct>,
  range: PathRange,
  records: RecordSink | undefined,
  tally?: Uint32Array,
): PerpetualOutcome {
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
  const fan = plan.distribution && new FanRows(kernel, steps);
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

  const { singles, integers } = kernel;
  const equity = initialEquityOf(product);
  const funding = equity * terms.funding;
  const leverageAtStart = Math.abs(terms.exposure);
  const finalEquity = new Float64Array(range.count);
  const accumulatedFunding = new Float64Array(range.count);
  const maxEquityDrawdown = new Float64Array(range.count);
  const medianLeverage = new Float64Array(range.count);
  let marginCalls = 0;
  let liquidations = 0;
  for (let i = 0; i < range.count; i++) {
    const at = (start + results + Math.floor(i / lanes) * resultBytes) / WORD_BYTES + (i % lanes);
    const flags = integers[at + FLAGS * lanes];
    if (flags & FLAG_MARGIN_CALL) marginCalls++;
    if (flags & FLAG_LIQUIDATION) liquidations++;
    finalEquity[i] = equity * (1 + singles[at + CHANGE * lanes]);
    accumulatedFunding[i] = funding * singles[at + SETTLED * lanes];
    maxEquityDrawdown[i] = equity * singles[at + DRAWDOWN * lanes];
    medianLeverage[i] =
      (leverageAtStart * (singles[at + LOWER_LEVERAGE * lanes] + singles[at + UPPER_LEVERAGE * lanes])) / 2;
    records?.write(range.first + i, [
      finalEquity[i],
      accumulatedFunding[i],
      maxEquityDrawdown[i],
      medianLeverage[i],
      flags,
    ]);
  }
  return {
    kind: 'perpetual',
    paths: range.count,
    marginCalls,
    liquidations,
    finalEquity,
    accumulatedFunding,
    maxEquityDrawdown,
    medianLeverage,
    // The fan is all that is counted: its rows are the counts in their order.
    ...(fan && distributionOf(withRows(tally, fan.all(kernel)), tally)),
  };
}

function withRows(tally: Uint32Array | undefined, rows: Uint16Array): Uint32Array {
  const counts = tally ?? new Uint32Array(rows.length);
  addEntries(counts, 0, rows);
  return counts;
}

/** Writes the terms in the order of wasm/position.ts. */
function writeTerms(
  kernel: Kernel,
  product: PerpetualProduct,
  { exposure, funding, maintenance, marginCall, fee }: ReturnType<typeof positionTerms>,
): void {
  const direction = product.contract === 'linear' ? 1 : -1;
  const { peak, called } = positionStart(product);
  const terms = [exposure, funding, maintenance, marginCall, fee, direction, peak, Number(called)];
  for (const [place, value] of terms.entries()) kernel.put(kernel.exports.POSITION, place, value);
}
