/** The device on which `fma` rounds once (`node scripts/test.mjs --fused FILE`): its functions, and that every file of a kernel compiles for it. */
import { describe, expect, it } from 'vitest';
import { BOOK_KERNELS } from '#src/core/gpu/book/kernels.js';
import type { Kernel } from '#src/core/gpu/kernels.js';
import { ORDER_KERNELS } from '#src/core/gpu/order/kernels.js';
import { simulationKernels } from '#src/core/gpu/products.js';
import { CONTRACTIONS, fusedModule, isContracted } from '../support/fused-device.ts';
import { evaluateOnGpu, openNullGpu } from '../support/gpu.ts';
import { Dice } from '../support/random-plans.ts';
import { kernelsWithAll, kernelText } from '../support/wgsl.ts';

const KERNELS: readonly Kernel[] = [...simulationKernels(), ...BOOK_KERNELS, ...ORDER_KERNELS];

describe('The fused device', () => {
  it('rounds a product and a sum once', async () => {
    const dice = new Dice(5);
    const size = () => dice.pick([-1, 1]) * 2 ** dice.between(-12, 12);
    const cases = Array.from({ length: 4000 }, () => {
      const [a, b] = [Math.fround(size()), Math.fround(size())];
      // Half of them nearly cancel.
      const c = dice.pick([size(), -a * b * (1 + 2 ** -22 * dice.between(-4, 4))]);
      return [a, b, Math.fround(c)] as const;
    });
    cases.push([1 + 2 ** -12, 1 + 2 ** -12, -(1 + 2 ** -11)], [2 ** 60, 2 ** 30, 1], [2 ** -90, 2 ** -90, 1]);
    const words = new Uint32Array(Float32Array.from(cases.flatMap(each => [...each, 0])).buffer);
    const call = `fused_fma_f32(${['x', 'y', 'z'].map(place => `bitcast<f32>(input.${place})`).join(', ')})`;
    const found = await evaluateOnGpu([], `vec4(bitcast<u32>(${call}))`, words, fusedModule('', ''));
    const values = new Float32Array(found.buffer).filter((_, i) => i % 4 === 0);
    // The product of two singles is exact in double precision; of its sum, rounded twice, one in 2^29 is a tie.
    const wrong = cases.filter(([a, b, c], i) => values[i] !== Math.fround(a * b + c));
    expect(wrong).toEqual([]);
  });

  it('has a text for every file of a kernel that compiles, contracted or not, and contracts some kernels', async () => {
    const { device } = await openNullGpu();
    const texts = await Promise.all(KERNELS.map(({ files }) => kernelText(files)));
    const faults: string[] = [];
    // A file is rewritten in the same way in every kernel that is contracted, and in every other one.
    const partsOf = ({ name, files }: Kernel) => files.map(file => `${file} ${isContracted(name)}`);
    for (const { name, files } of kernelsWithAll(KERNELS, partsOf)) {
      const module = device.createShaderModule({ code: fusedModule(await kernelText(files), name) });
      const { messages } = await module.getCompilationInfo();
      faults.push(
        ...messages.filter(({ type }) => type === 'error').map(({ message }) => `${name}: ${message}`),
      );
    }
    expect(faults).toEqual([]);
    for (const [plain] of CONTRACTIONS)
      expect(
        texts.filter((text, i) => text.includes(plain) && isContracted(KERNELS[i].name)),
        plain,
      ).not.toEqual([]);
    expect(KERNELS.filter(({ name }) => !isContracted(name)).length).toBeGreaterThan(KERNELS.length / 3);
  });
});
