/** Student's t by the day in the SIMD kernel: kernel/model.ts, kernel/multiplier.ts, kernel/day-walk.ts, kernel/day-years.ts. */
import { DAYS_PER_YEAR } from '../../plan/grid.ts';
import { type Horizons, joined, type SimdModel } from './contract.ts';
import { writeAnnualWalks, writeHourlyWalks } from './gbm.ts';

/** Words of a part of a day: day, horizon, years, and one unused. */
const PART_WORDS = 4;

export const SIMD_STUDENT_T: SimdModel<'student-t'> = {
  number: kernel => kernel.exports.MODEL_STUDENT_T,
  writeHours(kernel, scenarios, _table, pair) {
    writeHourlyWalks(kernel, scenarios, pair);
    kernel.put(kernel.exports.MULTIPLIER_CAP, 0, scenarios.multiplierCap);
  },
  writeHorizons(kernel, scenarios) {
    writeAnnualWalks(kernel, scenarios);
    kernel.put(kernel.exports.MULTIPLIER_CAP, 0, scenarios.multiplierCap);
  },
  // Rows of the multiplier; then, for horizons, the parts of days that lead to each.
  table({ multiplier }, horizons) {
    const parts = horizons === undefined ? new Float32Array(0) : partsOfDays(horizons);
    return joined([Float32Array.from(multiplier), parts]);
  },
};

/** The days, and parts of days, up to each horizon from the one before; the last one has no horizon. */
function partsOfDays({ product, count }: Horizons): Float32Array {
  const parts: (readonly [day: number, horizon: number, years: number])[] = [];
  let from = 0;
  let day = 0;
  for (let k = 0; k < count; k++) {
    const end = product.horizonYears[k] * DAYS_PER_YEAR;
    while (from < end) {
      const to = Math.min(day + 1, end);
      parts.push([day, k, (to - from) / DAYS_PER_YEAR]);
      from = to;
      if (to === day + 1) day++;
    }
  }
  const words = new Float32Array(PART_WORDS * (parts.length + 1));
  const integers = new Int32Array(words.buffer);
  for (const [i, [of, horizon, years]] of parts.entries()) {
    integers[PART_WORDS * i] = of;
    integers[PART_WORDS * i + 1] = horizon;
    words[PART_WORDS * i + 2] = years;
  }
  integers[PART_WORDS * parts.length + 1] = -1;
  return words;
}
