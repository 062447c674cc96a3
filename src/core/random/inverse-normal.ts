/**
 * The inverse of the standard normal distribution function in double precision, relative accuracy about 1e-16.
 * Source: Wichura, "Algorithm AS 241: the percentage points of the normal distribution",
 * Applied Statistics 37 (1988), 477-484, routine PPND16.
 */

const CENTRE_NUMERATOR = [
  3.387132872796366608, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
  4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3,
];
const CENTRE_DENOMINATOR = [
  1, 4.2313330701600911252e1, 6.871870074920579083e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
  3.930789580009271061e4, 2.8729085735721942674e4, 5.226495278852854561e3,
];
const MIDDLE_NUMERATOR = [
  1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
  1.27045825245236838258, 2.4178072517745061177e-1, 2.27238449892691845833e-2, 7.7454501427834140764e-4,
];
const MIDDLE_DENOMINATOR = [
  1, 2.05319162663775882187, 1.6763848301838038494, 6.8976733498510000455e-1, 1.4810397642748007459e-1,
  1.51986665636164571966e-2, 5.475938084995344946e-4, 1.05075007164441684324e-9,
];
const FAR_NUMERATOR = [
  6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 2.9656057182850489123e-1,
  2.6532189526576123093e-2, 1.2426609473880784386e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
];
const FAR_DENOMINATOR = [
  1, 5.9983220655588793769e-1, 1.3692988092273580531e-1, 1.48753612908506148525e-2, 7.868691311456132591e-4,
  1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15,
];

/** Beyond this distance from 1/2 the tail form is used. */
const CENTRE_HALF_WIDTH = 0.425;
/** Beyond this sqrt(-ln p) the far tail form is used. */
const FAR_TAIL = 5;

/**
 * Lower-half quantile: z with Phi(z) = p.
 *
 * @param p probability, 0 < p <= 1/2
 * @returns z <= 0
 */
export function lowerNormalQuantile(p: number): number {
  const q = p - 0.5;
  if (q >= -CENTRE_HALF_WIDTH) {
    const r = CENTRE_HALF_WIDTH * CENTRE_HALF_WIDTH - q * q;
    return (q * polynomial(CENTRE_NUMERATOR, r)) / polynomial(CENTRE_DENOMINATOR, r);
  }
  const r = Math.sqrt(-Math.log(p));
  if (r <= FAR_TAIL) {
    return -polynomial(MIDDLE_NUMERATOR, r - 1.6) / polynomial(MIDDLE_DENOMINATOR, r - 1.6);
  }
  return -polynomial(FAR_NUMERATOR, r - FAR_TAIL) / polynomial(FAR_DENOMINATOR, r - FAR_TAIL);
}

function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) value = value * x + coefficients[i];
  return value;
}
