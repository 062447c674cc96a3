/** Composite Gauss-Legendre quadrature. */

/** Nodes and weights on an interval. */
export interface Rule {
  readonly nodes: Float64Array;
  readonly weights: Float64Array;
}

/** The n-point rule on [-1, 1]: Newton steps on the Legendre recurrence (Abramowitz and Stegun 25.4.29). */
export function legendreRule(n: number): Rule {
  const nodes = new Float64Array(n);
  const weights = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 0;
    for (let round = 0; round < 100; round++) {
      let previous = 1;
      let value = x;
      for (let k = 2; k <= n; k++) {
        const next = ((2 * k - 1) * x * value - (k - 1) * previous) / k;
        previous = value;
        value = next;
      }
      slope = (n * (x * value - previous)) / (x * x - 1);
      const step = value / slope;
      x -= step;
      if (Math.abs(step) < 1e-16) break;
    }
    nodes[i] = -x;
    weights[i] = 2 / ((1 - x * x) * slope * slope);
  }
  return { nodes, weights };
}

/** The rule of `points` nodes repeated on `panels` equal panels of [from, to]. */
export function compositeRule(from: number, to: number, panels: number, points: number): Rule {
  const base = legendreRule(points);
  const half = (to - from) / panels / 2;
  const nodes = new Float64Array(panels * points);
  const weights = new Float64Array(panels * points);
  for (let panel = 0; panel < panels; panel++) {
    const centre = from + (2 * panel + 1) * half;
    for (let i = 0; i < points; i++) {
      nodes[panel * points + i] = centre + half * base.nodes[i];
      weights[panel * points + i] = half * base.weights[i];
    }
  }
  return { nodes, weights };
}

/** Integral of f over a rule. */
export function integrate(rule: Rule, f: (x: number) => number): number {
  let sum = 0;
  for (let i = 0; i < rule.nodes.length; i++) sum += rule.weights[i] * f(rule.nodes[i]);
  return sum;
}
