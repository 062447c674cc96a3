/**
 * Functions of WGSL on the range in which kernels call them, within the errors that WGSL allows ("Floating Point Accuracy"), and powers of
 * two exactly, which it does not promise: paths of powers of two meet thresholds exactly (test/support/exact-paths.ts).
 */
import { expect, it } from 'vitest';
import { evaluateOnGpu } from '../support/gpu.ts';
import { Dice } from '../support/random-plans.ts';

const dice = new Dice(11);
/** Units in the last place of single precision. */
const unit = (x: number) => 2 ** (Math.floor(Math.log2(Math.abs(x))) - 23);
const many = (draw: () => number) => Array.from({ length: 4000 }, draw);
const whole = Array.from({ length: 200 }, (_, i) => i - 100);

interface FunctionCase {
  /** Of `x`, a vector. */
  readonly text: string;
  readonly inputs: readonly number[];
  readonly exact: (x: number) => number;
  /** Largest error. */
  readonly bound: (x: number, exact: number) => number;
}

const CASES: readonly FunctionCase[] = [
  {
    text: 'exp2(x)',
    inputs: many(() => dice.between(-60, 60)),
    exact: x => 2 ** x,
    bound: (x, exact) => (3 + 2 * Math.abs(x)) * unit(exact),
  },
  { text: 'exp2(x)', inputs: whole, exact: x => 2 ** x, bound: () => 0 },
  {
    // The word of a radius is a share from 2^-33 to 1.
    text: 'log2(x)',
    inputs: many(() => 2 ** dice.between(-33, 0)),
    exact: Math.log2,
    bound: (x, exact) => (x >= 0.5 ? 2 ** -21 : 3 * unit(exact)),
  },
  {
    // As 1 / inverseSqrt(x): two units of that and two and a half of the quotient.
    text: 'sqrt(x)',
    inputs: many(() => dice.between(0, 50)),
    exact: Math.sqrt,
    bound: (_, exact) => 4.5 * unit(exact),
  },
  {
    text: '1.5 / x',
    inputs: many(() => 2 ** dice.between(-60, 60)),
    exact: x => 1.5 / x,
    bound: (_, exact) => 2.5 * unit(exact),
  },
  {
    // Once or twice rounded, half a unit each; the difference cancels at 4/3.
    text: 'fma(x, vec4(0.75), vec4(-1.0))',
    inputs: many(() => dice.between(0.5, 2)),
    exact: x => 0.75 * x - 1,
    bound: (x, exact) => (unit(0.75 * x) + unit(exact)) / 2,
  },
];

for (const { text, inputs, exact, bound } of CASES) {
  const range = `${Math.min(...inputs).toPrecision(3)} to ${Math.max(...inputs).toPrecision(3)}`;
  it(`${text} is within its bound from ${range}`, async () => {
    const given = Float32Array.from(inputs);
    const expression = `bitcast<vec4<u32>>(at(bitcast<vec4<f32>>(input)))`;
    const functions = `fn at(x: vec4<f32>) -> vec4<f32> { return ${text}; }`;
    const words = await evaluateOnGpu([], expression, new Uint32Array(given.buffer), functions);
    const values = new Float32Array(words.buffer);
    const wrong = [...given].filter((x, i) => {
      const wanted = exact(x);
      return !(Math.abs(values[i] - wanted) <= bound(x, wanted));
    });
    expect(wrong).toEqual([]);
  });
}
