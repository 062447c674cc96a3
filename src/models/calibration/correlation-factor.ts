/**
 * The lower-triangular factor of a correlation matrix that may be singular: A with A A' = rho turns independent normals into correlated ones.
 *
 * With fewer returns than assets, or two equal assets, rho is singular; plain Cholesky then divides by rounding noise. So:
 * rho = V D V' (symmetric eigenvalues), B = V sqrt(D), B' = Q R, A = R'.
 * Both steps are backward stable whatever the rank (Golub and Van Loan, Matrix Computations, 4th ed., 5.2 and 8.3).
 */
import { EigenvalueDecomposition, Matrix, QrDecomposition } from 'ml-matrix';
import type { GbmSobolScenarios } from '../../core/plan/model/gbm-sobol.ts';
import type { GbmScenarios } from '../../core/plan/simulation-plan.ts';

/** Largest size of a negative eigenvalue by rounding: correlations of returns have no others. */
const LARGEST_NEGATIVE_EIGENVALUE = 1e-10;
/** Units in the last place per asset below which an eigenvalue is zero. */
const ZERO_EIGENVALUE_ULPS = 4;

/**
 * Lower-triangular A with A A' = rho within about 1e-14 per entry, and rows of norm 1.
 *
 * Asset i loads on the normals 0..i. Diagonal entries are >= 0; they are 0, or rounding, where an asset is a combination of those before
 * it. The same input gives the same bits.
 * @param correlation n x n row-major, symmetric, unit diagonal, positive semidefinite
 * @param assets n >= 1
 * @returns n x n row-major
 * @throws RangeError for a wrong size, an entry that is not finite, a matrix that is not symmetric with unit
 *   diagonal, or an eigenvalue below -1e-10: no returns have such correlations
 */
export function correlationFactor(correlation: Float64Array, assets: number): Float64Array {
  requireCorrelation(correlation, assets);
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(
    Matrix.from1DArray(assets, assets, correlation),
    { assumeSymmetric: true },
  );
  const zero = ZERO_EIGENVALUE_ULPS * assets * Number.EPSILON;
  const roots = realEigenvalues.map(value => {
    if (value < -LARGEST_NEGATIVE_EIGENVALUE) {
      throw new RangeError(`correlation has the eigenvalue ${value}: it is not positive semidefinite`);
    }
    return value < zero ? 0 : Math.sqrt(value);
  });
  const upper = new QrDecomposition(eigenvectorMatrix.mulRowVector(roots).transpose()).upperTriangularMatrix;
  return unitRows(upper, assets);
}

/** Transposes R, turns its columns so that the diagonal is not negative, and scales each row to norm 1. */
function unitRows(upper: Matrix, assets: number): Float64Array {
  const factor = new Float64Array(assets * assets);
  for (let i = 0; i < assets; i++) {
    let squares = 0;
    for (let j = 0; j <= i; j++) squares += upper.get(j, i) ** 2;
    const norm = Math.sqrt(squares);
    for (let j = 0; j <= i; j++) {
      const sign = upper.get(j, j) < 0 ? -1 : 1;
      // Adding 0 turns -0 into 0, so that equal factors are equal bytes.
      factor[i * assets + j] = (sign * upper.get(j, i)) / norm + 0;
    }
  }
  return factor;
}

function requireCorrelation(correlation: Float64Array, assets: number): void {
  if (!(assets >= 1) || correlation.length !== assets * assets) {
    throw new RangeError(
      `correlation has ${correlation.length} entries, ${assets} assets need ${assets ** 2}`,
    );
  }
  for (let i = 0; i < assets; i++) {
    if (correlation[i * assets + i] !== 1) {
      throw new RangeError(`correlation[${i}][${i}] is ${correlation[i * assets + i]}, must be 1`);
    }
    for (let j = 0; j < i; j++) {
      const value = correlation[i * assets + j];
      if (!(Math.abs(value) <= 1) || value !== correlation[j * assets + i]) {
        throw new RangeError(
          `correlation[${i}][${j}] is ${value} and [${j}][${i}] is ${correlation[j * assets + i]}: ` +
            'equal numbers between -1 and 1 needed',
        );
      }
    }
  }
}

/** Share of the largest variance below which a variance is zero in the principal components. */
const ROUNDING = 1e-14;

/**
 * The principal components of a covariance, another factor of it, with the most variance in the first columns, for points whose first
 * dimensions are the best: B with B B' = F F' within rounding; column j is eigenvector j times the root of its eigenvalue, by falling eigenvalue. The
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
