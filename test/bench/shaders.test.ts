/** The look at machine code: loops and the stretches of them, and how many warps a multiprocessor holds. */
import { describe, expect, it } from 'vitest';
import { residentWarps } from '../../bench/shaders/cuda.ts';
import { longestLoop } from '../../bench/shaders/machine-code.ts';
import { longestLoop as longestAmdLoop } from '../../bench/shaders/radv.ts';
import {
  machineCodeTable,
  type RecordedKernel,
  readRecorded,
  withMachineCode,
  worseKernels,
} from '../../bench/shaders/recorded.ts';
import { chosenVariants, nameOf } from '../../bench/shaders/variants.ts';
import { readDocument } from '../../docs/tools/examples.mjs';

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

it('The longest loop of AMD code ends at the last branch back to its label', () => {
  const code = ['BB0:', '\ts_mov', 'BB1:', '\tv_add', '\ts_cbranch_scc1 BB2   ; bf85', 'BB2:', '\tv_mul'];
  const jumps = ['\ts_cbranch_vccnz BB1 ; bf86', '\ts_branch BB2 ; bf82', '\ts_endpgm'];
  // v_add to s_cbranch_vccnz; the loop of s_branch is shorter.
  expect(longestAmdLoop([...code, ...jumps].join('\n'))).toBe(4);
  expect(longestAmdLoop('BB0:\n\ts_endpgm')).toBe(0);
});

describe('what is recorded of the kernels', () => {
  const amd = {
    ...{ vectorRegisters: 40, spilled: 0, scratchBytes: 0, workgroupBytes: 512, waves: 24 },
    ...{ instructions: 800, loopInstructions: 300, deviceAtomics: 7 },
  };
  const sm_90 = {
    ...{ registers: 37, localBytes: 0, workgroupBytes: 60, warps: 48, codeBytes: 2048 },
    ...{ loop: 330, always: 159, shader: 'a' },
  };

  it('names a kernel that is worse, and what, and one that is not recorded', () => {
    const found = new Map([
      ['a', { ...amd, spilled: 3, waves: 18, instructions: 790 }],
      ['b', { ...amd, waves: 32, loopInstructions: 299 }],
      ['c', amd],
    ]);
    expect(
      worseKernels({ a: { text: '', shader: '', amd }, b: { text: '', shader: '', amd } }, found),
    ).toEqual(['a: spilled 0 -> 3, waves 24 -> 18', 'c: not recorded']);
  });

  it('says which rows of sm_90 are of an earlier text of the shader', () => {
    const name = nameOf(chosenVariants(false, [])[0]);
    const tableOf = (kernel: RecordedKernel) =>
      machineCodeTable({ compilers: { amd: '', sm_90: '' }, kernels: { [name]: kernel } });
    expect(tableOf({ text: '', shader: 'a', amd, sm_90 })).not.toContain('stale');
    expect(tableOf({ text: '', shader: 'b', amd, sm_90 })).toContain('| 37, stale');
  });

  it('has every kernel, and is what docs/performance.md shows (else: npm run bench:shaders -- --write)', () => {
    const recorded = readRecorded();
    expect(Object.keys(recorded.kernels)).toEqual(chosenVariants(true, []).map(nameOf));
    const text = readDocument('docs/performance.md');
    expect(withMachineCode(text, recorded)).toBe(text);
  });
});
