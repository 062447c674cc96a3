/**
 * The lower-triangular factor of a correlation matrix that may be singular: A with A A' = rho turns independent normals into correlated ones.
 *
 * With fewer returns than assets, or two equal assets, rho is singular; plain Cholesky then divides by rounding noise. So:
 * rho = V D V' (symmetric eigenvalues), B = V sqrt(D), B' = Q R, A = R'.
 * Both steps are backward stable whatever the rank (Golub and Van Loan, Matrix Computations, 4th ed., 5.2 and 8.3).
 */
import { EigenvalueDecomposition, Matrix, QrDecomposition } from 'ml-matrix';

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
