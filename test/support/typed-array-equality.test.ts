import { describe, expect, it } from 'vitest';

const bytes = Float64Array.of(0, 1, 2, 1);

describe('typed arrays', () => {
  it.each([
    [Float64Array.of(1, NaN, -0), Float64Array.of(1, NaN, -0)],
    [bytes.subarray(1, 2), bytes.subarray(3)],
    [{ a: [Uint32Array.of(1)] }, { a: [Uint32Array.of(1)] }],
    [new Float64Array(0), new Float64Array(0)],
  ])('are equal where they have the same numbers: %j, %j', (a, b) => {
    expect(a).toEqual(b);
    expect(a).toStrictEqual(b);
  });

  it.each([
    [Float64Array.of(1, 2), Float64Array.of(1, 3)],
    [Float64Array.of(0), Float64Array.of(-0)],
    [Float64Array.of(1), Float64Array.of(1, 1)],
    [Int32Array.of(1), Uint32Array.of(1)],
    [Float64Array.of(0), Uint32Array.of(0, 0)],
    [Uint32Array.of(1), [1]],
    [{ a: [Uint32Array.of(1)] }, { a: [Uint32Array.of(2)] }],
  ])('differ in a number, their length or their kind: %j, %j', (a, b) => {
    expect(a).not.toEqual(b);
    expect(a).not.toStrictEqual(b);
  });
});
