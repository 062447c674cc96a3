/** Simulated GARCH(1,1) returns for estimator tests, from a generator that is not the product's. */

/** Standard normals: 32-bit xorshift (Marsaglia 2003) and the polar method. The same seed gives the same draws. */
export function normals(seed: number): () => number {
  let state = Math.imul(seed, 2654435761) >>> 0 || 1;
  const uniform = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
  for (let i = 0; i < 20; i++) uniform();
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const ready = spare;
      spare = undefined;
      return ready;
    }
    for (;;) {
      const u = 2 * uniform() - 1;
      const v = 2 * uniform() - 1;
      const s = u * u + v * v;
      if (s === 0 || s >= 1) continue;
      const radius = Math.sqrt((-2 * Math.log(s)) / s);
      spare = v * radius;
      return u * radius;
    }
  };
}

/** Parameters in the unit of the returns. */
export interface GarchParameters {
  readonly mu: number;
  readonly omega: number;
  readonly alpha: number;
  readonly beta: number;
}

/** `length` returns after 500 that are thrown away, so that the variance starts from its stationary distribution. */
export function simulateGarch(parameters: GarchParameters, length: number, seed: number): Float64Array {
  const { mu, omega, alpha, beta } = parameters;
  const draw = normals(seed);
  const returns = new Float64Array(length);
  let h = omega / (1 - alpha - beta);
  for (let t = -500; t < length; t++) {
    const e = Math.sqrt(h) * draw();
    if (t >= 0) returns[t] = mu + e;
    h = omega + alpha * e * e + beta * h;
  }
  return returns;
}
