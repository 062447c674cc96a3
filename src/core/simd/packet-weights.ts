/**
 * The weights of a packet of paths with every second one shifted, from the log prices of the kernel at the end of its paths; twin of
 * ShiftedPaths in src/core/reference/shifted-paths.ts.
 */
import { type Shift, shiftOf } from '../plan/model/gbm-shifted.ts';
import type { AssetPair } from '../plan/ratio-path.ts';
import type { GbmShiftedScenarios, Scenarios } from '../plan/simulation-plan.ts';
import type { Kernel } from './kernel.ts';

const SINGLE_BYTES = Float32Array.BYTES_PER_ELEMENT;

export class PacketWeights {
  private readonly shift: Shift;
  /** ln(C/L) at the start of a pair; undefined for assets one by one. */
  private readonly logStart: number | undefined;
  private readonly logRatio: number;
  private readonly logPrice: number;

  constructor(
    private readonly kernel: Kernel,
    private readonly scenarios: GbmShiftedScenarios,
    pair: AssetPair | undefined,
  ) {
    this.shift = shiftOf(scenarios);
    this.logStart = pair && Math.log(pair.startRatio);
    this.logRatio = kernel.exports.LOG_RATIO.value / SINGLE_BYTES;
    this.logPrice = kernel.exports.LOG_PRICE.value / SINGLE_BYTES;
  }

  /** The weight of a lane of the packet that was run last. */
  of(lane: number): number {
    const { singles, lanes } = this.kernel;
    if (this.logStart !== undefined)
      return this.shift.weightOf(singles[this.logRatio + lane] - this.logStart);
    const { exposures } = this.scenarios;
    let logReturn = 0;
    for (let i = 0; i < exposures.length; i++)
      logReturn += exposures[i] * singles[this.logPrice + i * lanes + lane];
    return this.shift.weightOf(Math.LN2 * logReturn);
  }
}

/** The weights of the packets of a plan; `undefined` where all paths weigh the same. */
export function packetWeights(
  kernel: Kernel,
  scenarios: Scenarios,
  pair: AssetPair | undefined,
): PacketWeights | undefined {
  return scenarios.kind === 'gbm-shifted' ? new PacketWeights(kernel, scenarios, pair) : undefined;
}

/** The first path of the packet of a path: even, so that the same lanes are the shifted ones. */
export const packetOf = (path: number): number => path - (path % 2);
