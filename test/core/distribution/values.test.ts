/** Amounts at the edges of their bins. */
import { expect, it } from 'vitest';
import { AMOUNT_BINS, BINS_PER_UNIT, slotsOf } from '#src/core/distribution/bins.js';
import { valueDistribution } from '#src/core/distribution/values.js';

const SLOT_OF_ZERO = slotsOf(AMOUNT_BINS) - 1;
const bits = new BigInt64Array(1);
const double = new Float64Array(bits.buffer);
/** The next double below. */
function below(value: number): number {
  double[0] = value;
  bits[0] += value < 0 ? 1n : -1n;
  return double[0];
}

it.each([1, 7, 0.3])(
  'A value belongs to the bin that begins at it, and the next double below to the bin before: unit %d',
  unit => {
    const { lowest, highest } = AMOUNT_BINS;
    const faults: string[] = [];
    const expectSlot = (value: number, slot: number) => {
      const { first, counts } = valueDistribution(Float64Array.of(value), unit).counts;
      if (first !== slot || counts.length !== 1 || counts[0] !== 1)
        faults.push(`${value} is in slot ${first}, not ${slot}`);
    };
    // Slot 0 has what is below the bins, the slot after the last bin what is above them.
    for (const bin of [-1, 1].flatMap(sign =>
      Array.from({ length: 40 }, (_, i) => sign * (highest + 1 - i)),
    )) {
      if (bin < lowest) continue;
      const edge = unit * AMOUNT_BINS.value(bin / BINS_PER_UNIT);
      expectSlot(edge, bin - lowest + 1);
      expectSlot(below(edge), bin - lowest);
    }
    expectSlot(0, SLOT_OF_ZERO);
    expect(faults).toEqual([]);
  },
);
