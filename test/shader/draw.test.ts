import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectionOn } from '#src/core/random/box-muller.js';
import { wordsOfStep } from '#src/core/rules/draws.js';
import { evaluateOnGpu, openTestGpu } from '../support/gpu.ts';

const LIBRARY = ['lib/threefry.wgsl', 'lib/four_steps.wgsl', 'lib/draw.wgsl'];

/** Radius word, angle word, both normals: by test/fixtures/draws/make_known.py. */
const { words: KNOWN } = JSON.parse(
  readFileSync(new URL('../fixtures/draws/known_draws.json', import.meta.url), 'utf8'),
) as { words: [number, number, number, number][] };

/**
 * Errors of a normal by fit_draws.py: 4.8e-6 with a rounded logarithm and root, which the software driver has; at the
 * limits of what WGSL promises of log2 (2^-21 near 1) the smallest radius that takes it, 0.022, adds 1.6e-5.
 */
async function errorOfDevice(): Promise<number> {
  return (await openTestGpu()).description.software ? 6e-6 : 2.2e-5;
}

const PAIR = 'draw_pair(DrawWords(vec4(input.x), vec4(input.y)))';

/** The words of four steps as a kernel comes to them: group by group. */
const WORDS_AT = `
  fn words_at(path: u32, step: u32, pair: u32, seed: u32) -> DrawWords {
    var stream = vec4<u32>();
    for (var before = 0u; before < step; before += 4u) {
      _ = draw_words(&stream, seed, path, before, pair);
    }
    return draw_words(&stream, seed, path, step, pair);
  }`;

/** Values of an expression of the two words `input.x` and `input.y`, a vector of bits per pair of words. */
async function evaluate(expression: string, words: readonly (readonly number[])[]): Promise<Uint32Array> {
  const input = Uint32Array.from(words.flatMap(([radius, angle]) => [radius, angle, 0, 0]));
  return evaluateOnGpu(LIBRARY, expression, input);
}

describe('the words of draw.wgsl', () => {
  it('are those of the plain generator, bit for bit, in every group of four steps of two blocks', async () => {
    const starts = [0, 4, 44, 92, 96, 188];
    for (const [path, pair, seed] of [
      [0, 0, 0],
      [4_294_967_295, 15, 0xffffffff],
      [123_456, 1, 0x80000000],
    ]) {
      for (const kind of ['radius', 'angle'] as const) {
        const expression = `words_at(input.x, input.y, input.z, input.w).${kind}`;
        const input = Uint32Array.from(starts.flatMap(step => [path, step, pair, seed]));
        const drawn = await evaluateOnGpu(LIBRARY, expression, input, WORDS_AT);
        for (const [i, step] of starts.entries()) {
          const expected = [0, 1, 2, 3].map(
            t => wordsOfStep(seed, path, pair, step + t)[kind === 'radius' ? 0 : 1],
          );
          const told = JSON.stringify({ path, pair, seed, step, kind });
          expect([...drawn.subarray(4 * i, 4 * i + 4)], told).toEqual(expected);
        }
      }
    }
  });
});

describe('the normals of draw.wgsl', () => {
  it('are within their bound of exact ones, smallest and largest radii included', async () => {
    const bound = await errorOfDevice();
    const first = new Float32Array((await evaluate(`bitcast<vec4<u32>>(${PAIR}.first)`, KNOWN)).buffer);
    const second = new Float32Array((await evaluate(`bitcast<vec4<u32>>(${PAIR}.second)`, KNOWN)).buffer);
    for (const [i, [radius, angle, z0, z1]] of KNOWN.entries()) {
      const told = `words ${radius}, ${angle}: ${first[4 * i]}, ${second[4 * i]}; exactly ${z0}, ${z1}`;
      expect(Math.abs(first[4 * i] - z0), told).toBeLessThan(bound);
      expect(Math.abs(second[4 * i] - z1), told).toBeLessThan(bound);
    }
  });

  it('are as accurate in relative terms for small radii', async () => {
    const small = KNOWN.filter(([radius]) => radius > 2 ** 32 - 2 ** 20);
    expect(small.length).toBeGreaterThan(30);
    const first = new Float32Array((await evaluate(`bitcast<vec4<u32>>(${PAIR}.first)`, small)).buffer);
    const second = new Float32Array((await evaluate(`bitcast<vec4<u32>>(${PAIR}.second)`, small)).buffer);
    for (const [i, [radius, angle, z0, z1]] of small.entries()) {
      const told = `words ${radius}, ${angle}`;
      const drawn = Math.hypot(first[4 * i], second[4 * i]);
      // The series is good to 2e-8, the polynomials of the angle to 6e-7, the root of a device to a few units.
      expect(Math.abs(drawn / Math.hypot(z0, z1) - 1), told).toBeLessThan(2e-6);
    }
  });

  it('have the projection on a direction of both of them', async () => {
    const bound = await errorOfDevice();
    for (const [a, b] of [
      [1, 0],
      [-1, 0],
      [0.6, -0.8],
      [-0.28, 0.96],
    ]) {
      const { scale, phase } = projectionOn(a, b);
      const direction = `DrawDirection(${-2 * Math.LN2 * scale * scale}, ${phase >>> 0}u)`;
      const projected = `draw_projected(DrawWords(vec4(input.x), vec4(input.y)), ${direction}, 0.0)`;
      const drawn = new Float32Array((await evaluate(`bitcast<vec4<u32>>(${projected})`, KNOWN)).buffer);
      for (const [i, [radius, angle, z0, z1]] of KNOWN.entries()) {
        const told = JSON.stringify({ a, b, radius, angle, drawn: drawn[4 * i] });
        expect(Math.abs(drawn[4 * i] - (a * z0 + b * z1)), told).toBeLessThan(bound);
      }
    }
  });
});
