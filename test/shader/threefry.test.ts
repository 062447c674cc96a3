import { describe, expect, it } from 'vitest';
import { threefry4x32 } from '#src/core/random/threefry.js';
import { evaluateOnGpu } from '../support/gpu.ts';

const rotateLeft = (x: number, bits: number) => ((x << bits) | (x >>> (32 - bits))) >>> 0;
const hex = (words: Iterable<number>) => [...words].map(word => (word >>> 0).toString(16).padStart(8, '0'));

/** Counter words 0..2 and the key; counter word 3 is the stream 0. */
const block = 'threefry_4x32_12(vec4(input.xyz, 0u), input.w)';

describe('threefry.wgsl', () => {
  it('leads to the published answer of 13 rounds for counter and key zero', async () => {
    const [x0, x1, x2, x3] = await evaluateOnGpu(['lib/threefry.wgsl'], block, new Uint32Array(4));
    // Random123 publishes 13 rounds, not 12: the thirteenth (rotations 6 and 20) is done here.
    const y0 = (x0 + x1) >>> 0;
    const y2 = (x2 + x3) >>> 0;
    const thirteen = [y0, rotateLeft(x1, 6) ^ y0, y2, rotateLeft(x3, 20) ^ y2];
    expect(hex(thirteen)).toEqual(['531c7e4f', '39491ee5', '2c855a92', '3d6abf9a']);
  });

  it('equals its twin bit for bit', async () => {
    const words = new Uint32Array(4 * 1000);
    // Any spread of words will do as counters and keys; the edges are put in front.
    for (let i = 0; i < words.length; i++) words[i] = Math.imul(i + 1, 0x9e3779b9) ^ (i << 7);
    words.set([
      0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0, 0, 0, 1, 1, 0, 0, 0, 0x80000000, 179, 31, 0,
    ]);
    const drawn = await evaluateOnGpu(['lib/threefry.wgsl'], block, words);
    for (let at = 0; at < words.length; at += 4) {
      const [path, group, asset, seed] = words.subarray(at, at + 4);
      const expected = threefry4x32([path, group, asset, 0], [seed, 0, 0, 0]);
      const message = `counter ${path} ${group} ${asset} 0, key ${seed}`;
      expect(hex(drawn.subarray(at, at + 4)), message).toEqual(hex(expected));
    }
  });
});
