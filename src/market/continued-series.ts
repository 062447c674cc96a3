/**
 * A series that another one continues before its first point.
 *
 * Must not know: assets, dates, requests.
 */
import { lastPoint, type Series, valueAt } from './series.ts';

/** A price that stands still before and beside a series. */
export const unchanged = (own: Series | undefined, from: number): Series | undefined =>
  own && { first: from, values: new Float64Array(Math.max(1, lastPoint(own) - from + 1)).fill(1) };

/**
 * The own points of a series, and before the first of them those of another to the power of beta, scaled to meet the first point that both
 * have. Without a point of its own it is the other one.
 *
 * @param from first point of the result where the own series begins later
 * @returns the own series where both have no point together
 */
export function continuedBack(
  own: Series | undefined,
  other: Series | undefined,
  beta: number,
  from: number,
): Series | undefined {
  if (other === undefined || (own !== undefined && own.first <= from)) return own;
  const power = (point: number) => valueAt(other, point) ** beta;
  const last = lastPoint(own ?? other);
  const scale = own === undefined ? 1 : scaleAt(own, power);
  if (Number.isNaN(scale) || last < from) return own;
  const begin = own?.first ?? last + 1;
  const values = Float64Array.from({ length: last - from + 1 }, (_, i) =>
    from + i < begin || own === undefined ? scale * power(from + i) : valueAt(own, from + i),
  );
  return { first: from, values };
}

function scaleAt(own: Series, power: (point: number) => number): number {
  for (let point = own.first; point <= lastPoint(own); point++) {
    const scale = valueAt(own, point) / power(point);
    if (!Number.isNaN(scale)) return scale;
  }
  return Number.NaN;
}
