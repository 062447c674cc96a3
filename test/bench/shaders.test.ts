/** The look at machine code: loops and the stretches of them, and how many warps a multiprocessor holds. */
import { describe, expect, it } from 'vitest';
import { residentWarps } from '../../bench/shaders/cuda.ts';
import { longestLoop } from '../../bench/shaders/machine-code.ts';
import { chosenVariants } from '../../bench/shaders/variants.ts';

const OTHER = 0x223n;

/** A branch from one instruction to another: the distance from the next one, in four bytes, in bits 16..23 and 34..63. */
function branch(from: number, to: number): bigint {
  const distance = BigInt.asUintN(38, BigInt((to - from - 1) * 4));
  return 0x947n | ((distance & 0xffn) << 16n) | ((distance >> 8n) << 34n);
}

/** Instructions without effect, and some branches. */
function kernel(length: number, jumps: readonly (readonly [from: number, to: number])[]): readonly bigint[] {
  const words = Array.from({ length }, () => OTHER);
  for (const [from, to] of jumps) words[from] = branch(from, to);
  return words;
}

describe('machine code', () => {
  it('has its longest loop, without the stretches that branches jump over', () => {
    const words = kernel(400, [
      [390, 20],
      [380, 350],
      [30, 100],
      // Inside the first stretch, and too short for one.
      [40, 60],
      [110, 115],
      [200, 300],
    ]);
    expect(longestLoop(words)).toEqual({ instructions: 371, stretches: [69, 99], always: 203 });
  });

  it('may have no loop', () => {
    expect(longestLoop(kernel(50, [[3, 30]]))).toBeUndefined();
  });

  // CUDA's occupancy calculator, compute capability 9.0.
  it.each([
    [32, 0, 128, 64],
    [40, 56, 128, 48],
    [80, 32_784, 128, 24],
    [255, 0, 256, 8],
    [18, 16_016, 128, 52],
  ])(
    'of %i registers and %i bytes in workgroups of %i fills a multiprocessor',
    (registers, bytes, group, warps) => {
      expect(residentWarps(registers, bytes, group)).toBe(warps);
    },
  );
});

it('The kernels that are looked at exist, and every kernel can be', () => {
  expect(chosenVariants(false, ['loan gbm log-ratio']).map(({ assets }) => assets)).toEqual([2]);
  const all = chosenVariants(true, []).map(({ kernel }) => kernel.name);
  for (const { kernel } of chosenVariants(false, [])) expect(all).toContain(kernel.name);
});
