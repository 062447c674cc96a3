/**
 * Simulated days whose value at risk and expected shortfall are known, and how often each test rejects forecasts of them.
 */

import { esrTests } from '#src/core/stats/shortfall/esr.js';
import { compareScores, fz0Scores } from '#src/core/stats/shortfall/fz0.js';
import type { JudgedTails } from '#src/core/stats/shortfall/judged.js';
import { z2Test } from '#src/core/stats/shortfall/z2.js';
import { normalQuantile } from '#src/core/stats/special-functions.js';

export interface ShortfallCase {
  readonly shocks: 'normal' | 't5';
  readonly days: number;
  readonly probability: number;
}

export const SHORTFALL_CASES: readonly ShortfallCase[] = (['normal', 't5'] as const).flatMap(shocks =>
  [0.025, 0.01].map(probability => ({ shocks, days: 2500, probability })),
);

/** Shares of the repetitions that a test rejects at 5 %. */
export interface RejectionRates {
  readonly z2: number;
  readonly strict: number;
  readonly intercept: number;
  readonly oneSided: number;
  readonly fz0: number;
}

const LEVEL = 0.05;
const TWO_SIDED = 1.959964;
/** Variance of a day: 0.05 + 0.1 x the squared return before + 0.85 x the variance before, of mean 1; times 0.03^2. */
const [OMEGA, ALPHA, BETA, SCALE] = [0.05, 0.1, 0.85, 0.03];
const RESAMPLES = 1000;
/** Deviation of ln of the errors of the two forecasts of equal worth that FZ0 compares. */
const FORECAST_ERROR = 0.2;
const DEGREES = 5;
/** Points of the integrals of the law of t5 beyond its level. */
const POINTS = 200_000;

/** Level, shortfall and spread of a shock of variance 1. */
interface ShockTail {
  readonly level: number;
  readonly shortfall: number;
  readonly spread: number;
}

/**
 * @param repetitions simulated samples, one or more
 */
export function measureTests(
  { shocks, days, probability }: ShortfallCase,
  repetitions: number,
): { readonly size: RejectionRates; readonly power: RejectionRates } {
  const draw = generator(20_261_123);
  const tail = shocks === 'normal' ? normalTail(probability) : studentTail(probability);
  const shock = shocks === 'normal' ? draw.normal : draw.student;
  const size = { z2: 0, strict: 0, intercept: 0, oneSided: 0, fz0: 0 };
  const power = { ...size };
  for (let r = 0; r < repetitions; r++) {
    const deviations = new Float64Array(days);
    const returns = new Float64Array(days);
    let variance = 1;
    for (let t = 0; t < days; t++) {
      deviations[t] = SCALE * Math.sqrt(variance);
      const z = shock();
      returns[t] = deviations[t] * z;
      variance = OMEGA + ALPHA * variance * z * z + BETA * variance;
    }
    const forecast = (of: (t: number) => number): JudgedTails => {
      const by = (figure: number) => deviations.map((deviation, t) => of(t) * deviation * figure);
      return {
        returns,
        levels: by(tail.level),
        shortfalls: by(tail.shortfall),
        spreads: by(tail.spread),
        probability,
      };
    };
    const right = forecast(() => 1);
    const half = forecast(() => 0.5);
    count(size, right, r);
    count(power, half, r);
    const [first, second] = [0, 1].map(() => {
      const errors = Float64Array.from({ length: days }, () => Math.exp(FORECAST_ERROR * draw.normal()));
      return fz0Scores(forecast(t => errors[t]));
    });
    if (Math.abs(compareScores(first, second).t as number) > TWO_SIDED) size.fz0++;
    if (Math.abs(compareScores(fz0Scores(half), fz0Scores(right)).t as number) > TWO_SIDED) power.fz0++;
  }
  const shares = (counts: RejectionRates) =>
    Object.fromEntries(
      Object.entries(counts).map(([name, n]) => [name, n / repetitions]),
    ) as unknown as RejectionRates;
  return { size: shares(size), power: shares(power) };
}

/** Adds what the tests of one sample reject. */
function count(
  counts: { z2: number; strict: number; intercept: number; oneSided: number },
  judged: JudgedTails,
  seed: number,
): void {
  const { strict, intercept } = esrTests(judged);
  if (strict === undefined || intercept === undefined) throw new Error('a regression is not determined');
  if (z2Test(judged, { resamples: RESAMPLES, seed, stream: 0 }).pValue <= LEVEL) counts.z2++;
  if (strict.pValue <= LEVEL) counts.strict++;
  if (intercept.pValue <= LEVEL) counts.intercept++;
  if (intercept.oneSidedPValue <= LEVEL) counts.oneSided++;
}

const density = (x: number) => Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI);

/** Closed form: the mean beyond the level q is -f(q)/a, the mean square 1 - q f(q)/a. */
function normalTail(probability: number): ShockTail {
  const level = normalQuantile(probability);
  const shortfall = -density(level) / probability;
  return { level, shortfall, spread: Math.sqrt(1 - (level * density(level)) / probability - shortfall ** 2) };
}

/** By midpoints of x = -tan, over which the density of Student's t is a power of the cosine. */
function studentTail(probability: number): ShockTail {
  const unit = Math.sqrt((DEGREES - 2) / DEGREES);
  const width = Math.PI / 2 / POINTS;
  // t = -sqrt(nu) tan(angle): the mass is cos^(nu - 1).
  const masses = Float64Array.from(
    { length: POINTS },
    (_, i) => Math.cos((i + 0.5) * width) ** (DEGREES - 1),
  );
  const half = masses.reduce((a, b) => a + b, 0);
  let [mass, mean, square] = [0, 0, 0];
  for (let i = POINTS - 1; i >= 0; i--) {
    const x = -unit * Math.sqrt(DEGREES) * Math.tan((i + 0.5) * width);
    const share = masses[i] / (2 * half);
    const taken = Math.min(share, probability - mass);
    mass += taken;
    mean += taken * x;
    square += taken * x * x;
    if (mass >= probability) {
      const shortfall = mean / probability;
      return { level: x, shortfall, spread: Math.sqrt(square / probability - shortfall ** 2) };
    }
  }
  throw new RangeError(`probability is ${probability}, must be below 0.5`);
}

/** Normals by Box and Muller, and t5 of variance 1, on the generator mulberry32, which is not that of the product. */
function generator(seed: number) {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const student = () => {
    let sum = 0;
    for (let k = 0; k < DEGREES; k++) sum += normal() ** 2;
    return normal() * Math.sqrt((DEGREES - 2) / sum);
  };
  return { normal, student };
}
