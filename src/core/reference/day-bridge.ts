/**
 * The hours of a day with a given shock: a Brownian bridge, step by step. With m hours and R of the shock left, the next hour has mean R / m
 * and variance (a^2 / 24)(m - 1) / m: the last hour has exactly the rest.
 */
import { HOURS_PER_DAY } from '../plan/grid.ts';

/** Standard deviation of the hour with m hours left, itself included, over the deviation of a day; index m. */
const HOUR_DEVIATION = Float64Array.from({ length: HOURS_PER_DAY + 1 }, (_, m) =>
  m === 0 ? 0 : Math.sqrt((m - 1) / m / HOURS_PER_DAY),
);

/**
 * Turns normals into log prices over the first hours of a day.
 *
 * @param values indices `from..end - 1` have correlated standard normals, and receive ln S
 * @param x ln S at the start of the day
 * @param shock the day's shock
 * @param deviation a, the standard deviation of a day
 * @param drift of an hour
 * @returns ln S at the end of the last of these hours
 */
export function bridgeDay(
  values: Float64Array,
  from: number,
  end: number,
  x: number,
  shock: number,
  deviation: number,
  drift: number,
): number {
  let price = x;
  let left = shock;
  for (let t = from, hours = HOURS_PER_DAY; t < end; t++, hours--) {
    const move = left / hours + deviation * HOUR_DEVIATION[hours] * values[t];
    left -= move;
    price += move + drift;
    values[t] = price;
  }
  return price;
}
