/** Pearson correlation of several samples. */
import { dot, mean } from './moments.ts';
import { requireFinite } from './preconditions.ts';

/** Largest deviation over largest value below which a sample is constant in double precision: four units in the last place. */
const CONSTANT_SPREAD = 4 * Number.EPSILON;

/**
 * Pearson correlation matrix, rho_ij = sum_t x_it x_jt / sqrt(sum_t x_it^2 sum_t x_jt^2), x centred.
 *
 * A constant sample (spread within rounding of zero) is uncorrelated with every other: 0.
 * @param samples n samples of the same length T >= 2, finite
 * @returns n x n row-major, symmetric, diagonal exactly 1, entries in [-1, 1]; identical samples give exactly 1
 * @throws RangeError for no samples, unequal lengths, fewer than two values, or values that are not finite
 */
export function correlationMatrix(samples: readonly ArrayLike<number>[]): Float64Array {
  const n = samples.length;
  if (n === 0) throw new RangeError('samples is empty, at least one needed');
  const centred = samples.map((sample, i) => {
    if (sample.length !== samples[0].length) {
      throw new RangeError(`samples[${i}] has ${sample.length} values, samples[0] has ${samples[0].length}`);
    }
    return centre(sample, `samples[${i}]`);
  });
  const squares = centred.map(x => (x === undefined ? 0 : dot(x, x)));
  const rho = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    rho[i * n + i] = 1;
    const xi = centred[i];
    if (xi === undefined) continue;
    for (let j = 0; j < i; j++) {
      const xj = centred[j];
      if (xj === undefined) continue;
      const r = dot(xi, xj) / Math.sqrt(squares[i] * squares[j]);
      rho[i * n + j] = rho[j * n + i] = Math.max(-1, Math.min(1, r));
    }
  }
  return rho;
}

/** Deviations from the mean, scaled to a largest size of 1 so that no square underflows; undefined if constant. */
function centre(sample: ArrayLike<number>, name: string): Float64Array | undefined {
  requireFinite(name, sample, 2);
  const m = mean(sample);
  const deviations = Float64Array.from(sample, x => x - m);
  let size = 0;
  let largest = 0;
  for (let i = 0; i < sample.length; i++) {
    size = Math.max(size, Math.abs(sample[i]));
    largest = Math.max(largest, Math.abs(deviations[i]));
  }
  if (largest <= CONSTANT_SPREAD * size) return undefined;
  for (let i = 0; i < deviations.length; i++) deviations[i] /= largest;
  return deviations;
}
