import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lowerNormalQuantile } from '#src/random/inverse-normal.js';
import { evaluateOnGpu } from '../support/gpu.ts';

const table = JSON.parse(
  readFileSync(new URL('../fixtures/normal/normal_table.json', import.meta.url), 'utf8'),
) as [number, number][];

/** Normals of words, as the device computes them; padded with the word 0 to whole groups of four. */
async function normalsOf(words: ArrayLike<number>): Promise<Float32Array> {
  const padded = new Uint32Array(Math.ceil(words.length / 4) * 4);
  padded.set(words);
  const bits = await evaluateOnGpu(
    ['lib/normal.wgsl'],
    'bitcast<vec4<u32>>(normal_from_words(input))',
    padded,
  );
  return new Float32Array(bits.buffer, 0, words.length);
}

/**
 * What single precision allows: the fit is good to 1.5e-7, and an evaluation rounds a few times by half a unit in the
 * last place of z (1.2e-7 below 4, 2.4e-7 above). Measured by fit_normal.py: 5.8e-7 and 1.05e-6.
 */
const bound = (z: number) => (Math.abs(z) < 3 ? 6e-7 : 1.1e-6);

describe('normal.wgsl', () => {
  it('stays within its bound of the exact quantile, tails and joints included', async () => {
    const normals = await normalsOf(table.map(([word]) => word));
    for (const [i, [word, z]] of table.entries()) {
      expect(Math.abs(normals[i] - z), `word ${word}: ${normals[i]}, exactly ${z}`).toBeLessThan(bound(z));
    }
  });

  it('gives exactly opposite normals for opposite words', async () => {
    const words = table.map(([word]) => word);
    const normals = await normalsOf(words);
    const opposite = await normalsOf(words.map(word => ~word >>> 0));
    for (const [i, word] of words.entries()) expect(opposite[i], `word ${word}`).toBe(-normals[i]);
  });

  it('has no bias on an even grid of words', async () => {
    const count = 1 << 20;
    const words = Uint32Array.from({ length: count }, (_, i) => i * 4096 + 2048);
    const normals = await normalsOf(words);
    let largest = 0;
    let square = 0;
    for (let i = 0; i < count / 2; i++) {
      const z = lowerNormalQuantile((words[i] + 0.5) / 2 ** 32);
      largest = Math.max(largest, Math.abs(normals[i] - z) / bound(z));
      square += normals[i] ** 2 - z ** 2;
    }
    expect(largest).toBeLessThan(1);
    // The error of the variance: 6e-9 by fit_normal.py, far below what any number of paths could show.
    expect(Math.abs((2 * square) / count)).toBeLessThan(5e-8);
  });
});
