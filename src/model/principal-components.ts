/**
 * The principal components of a covariance: another factor of it, with the most variance in the first columns, for points whose first
 * dimensions are the best.
 */
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import type { GbmSobolScenarios } from '../core/plan/model/gbm-sobol.ts';
import type { GbmScenarios } from '../core/plan/simulation-plan.ts';

/** Share of the largest variance below which a variance is zero. */
const ROUNDING = 1e-14;

/**
 * B with B B' = F F' within rounding: column j is eigenvector j times the root of its eigenvalue, by falling eigenvalue. The
 * entry of a column that is largest in size is positive. The same input gives the same bits.
 *
 * @param factor n x n row-major
 * @returns n x n row-major
 */
export function principalComponents(factor: Float64Array, assets: number): Float64Array {
  const rows = Matrix.from1DArray(assets, assets, Array.from(factor));
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(rows.mmul(rows.transpose()), {
    assumeSymmetric: true,
  });
  const order = realEigenvalues.map((_, j) => j).sort((a, b) => realEigenvalues[b] - realEigenvalues[a]);
  const largest = realEigenvalues[order[0]];
  const components = new Float64Array(assets * assets);
  for (const [column, j] of order.entries()) {
    const value = realEigenvalues[j];
    if (!(value > ROUNDING * largest)) continue;
    const vector = eigenvectorMatrix.getColumn(j);
    const leading = vector.reduce((most, entry) => (Math.abs(entry) > Math.abs(most) ? entry : most), 0);
    const scale = Math.sign(leading) * Math.sqrt(value);
    // Adding 0 turns -0 into 0, so that equal factors are equal bytes.
    for (let i = 0; i < assets; i++) components[i * assets + column] = scale * vector[i] + 0;
  }
  return components;
}

/** The law of GBM scenarios at Sobol points. */
export function sobolScenarios({ assets, annualVolatility, factor }: GbmScenarios): GbmSobolScenarios {
  return { kind: 'gbm-sobol', assets, annualVolatility, components: principalComponents(factor, assets) };
}
