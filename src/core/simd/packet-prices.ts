/**
 * The prices of all assets along a packet of paths by the kernel, in single precision, for books; twin of SimulatedPrices in
 * src/core/reference/asset-prices.ts.
 */
import { HOURS_PER_DAY } from '../plan/grid.ts';
import { type DrawMemory, StoredDraws } from '../plan/shared-draws.ts';
import type { Scenarios } from '../plan/simulation-plan.ts';
import type { AssetPrices } from '../product/paths.ts';
import type { Kernel } from './kernel.ts';
import { type PacketWeights, packetWeights } from './packet-weights.ts';
import { writePriceMarket } from './parameters.ts';

const SINGLE_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Prices by the kernel; cheapest when simulated one path after the other. */
export class PacketPrices implements AssetPrices {
  /** First free address behind the prices. */
  readonly end: number;
  private readonly assets: number;
  private readonly row: number;
  private readonly at: number;
  private readonly weights: PacketWeights | undefined;
  private readonly stored: StoredDraws | undefined;
  private firstOfPacket = Number.NEGATIVE_INFINITY;
  private lane = 0;

  /** @param draws store of prices of the same paths, shared with other runs */
  constructor(
    private readonly kernel: Kernel,
    scenarios: Scenarios,
    seed: number,
    private readonly steps: number,
    draws?: DrawMemory,
  ) {
    const { assets } = scenarios;
    this.assets = assets;
    this.row = kernel.inVectors(SINGLE_BYTES * steps);
    const dayRow = kernel.inVectors(SINGLE_BYTES * Math.ceil(steps / HOURS_PER_DAY));
    const tableBytes = writePriceMarket(kernel, scenarios, seed);
    const paths = kernel.exports.PATHS.value;
    const at = paths + kernel.inVectors(tableBytes);
    const days = at + kernel.lanes * assets * this.row;
    const bounds = days + kernel.lanes * 2 * assets * dayRow;
    this.at = at;
    this.weights = packetWeights(kernel, scenarios, undefined);
    this.end = bounds + 2 * assets * kernel.vectorBytes;
    kernel.reserve(this.end - paths);
    kernel.exports.placePrices(at, this.row, days, dayRow, bounds, assets);
    // Weights depend on the state of the kernel at the end of a path, which is not stored.
    const isShared = draws !== undefined && this.weights === undefined;
    this.stored = isShared ? new StoredDraws(draws, kernel.lanes, this.end - at) : undefined;
  }

  /** Makes the packet of a path, unless it is the current one. @returns the lane of the path */
  moveTo(path: number): number {
    const { kernel, stored } = this;
    if (path < this.firstOfPacket || path >= this.firstOfPacket + kernel.lanes) {
      // Packets begin with a multiple of their length, in every range.
      const first = path - (path % kernel.lanes);
      this.firstOfPacket = first;
      if (stored === undefined) kernel.exports.simulatePrices(first, this.steps);
      else {
        const packet = [kernel.singles.subarray(this.at / SINGLE_BYTES, this.end / SINGLE_BYTES)];
        if (!stored.read(first, packet)) {
          kernel.exports.simulatePrices(first, this.steps);
          stored.write(first, packet);
        }
      }
    }
    return path - this.firstOfPacket;
  }

  /** The weight of a lane of the current packet; 1 where all paths weigh the same. */
  weightOf(lane: number): number {
    return this.weights?.of(lane) ?? 1;
  }

  /** The weight of the path that was simulated last. */
  get weight(): number | undefined {
    return this.weights?.of(this.lane);
  }

  simulate(path: number, prices: readonly Float64Array[]): void {
    this.lane = this.moveTo(path);
    this.copyTo(this.lane, prices);
  }

  /** Copies the prices of a lane of the current packet. */
  copyTo(lane: number, prices: readonly Float64Array[]): void {
    for (let i = 0; i < this.assets; i++) {
      const from = this.placeOf(lane, i);
      prices[i].set(this.kernel.singles.subarray(from, from + this.steps));
    }
  }

  /** S_i at a step index of a lane of the current packet. */
  price(lane: number, asset: number, index: number): number {
    return this.kernel.singles[this.placeOf(lane, asset) + index];
  }

  private placeOf(lane: number, asset: number): number {
    return (this.at + (lane * this.assets + asset) * this.row) / SINGLE_BYTES;
  }
}
