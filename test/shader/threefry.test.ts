import { describe, expect, it } from 'vitest';
import { EXTRA_KEY, ExtraWords } from '#src/core/random/extra-words.js';
import { threefry4x32 } from '#src/core/random/threefry.js';
import { evaluateOnGpu } from '../support/gpu.ts';

const rotateLeft = (x: number, bits: number) => ((x << bits) | (x >>> (32 - bits))) >>> 0;
const hex = (words: Iterable<number>) => [...words].map(word => (word >>> 0).toString(16).padStart(8, '0'));

/** Counter words 0..2 and the key; counter word 3 is the stream 0. */
const block = 'threefry_4x32_12(vec4(input.xyz, 0u), vec2(input.w, 0u))';

describe('threefry.wgsl', () => {
  it('has the published words of 13 rounds for counter and key zero', async () => {
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

  it('equals its twin with a key of two words, and so do the words beside the normals', async () => {
    const words = Uint32Array.from({ length: 4 * 100 }, (_, i) => Math.imul(i + 3, 0x9e3779b9) ^ (i << 9));
    const keyed = await evaluateOnGpu(
      ['lib/threefry.wgsl'],
      'threefry_4x32_12(vec4(input.xy, 5u, 9u), input.zw)',
      words,
    );
    const extra = await evaluateOnGpu(
      ['lib/threefry.wgsl', 'lib/extra_words.wgsl'],
      'vec4(extra_word(input.x, input.y, input.z), extra_words(input.x, input.y, input.z).yzw)',
      words,
    );
    for (let at = 0; at < words.length; at += 4) {
      const [a, b, c, d] = words.subarray(at, at + 4);
      const message = `${a} ${b} ${c} ${d}`;
      expect(hex(keyed.subarray(at, at + 4)), message).toEqual(hex(threefry4x32([a, b, 5, 9], [c, d, 0, 0])));
      const stream = new ExtraWords(c);
      stream.start(a);
      const block = threefry4x32([a, b, 0, 0], [c, EXTRA_KEY, 0, 0]);
      expect(hex(extra.subarray(at, at + 4)), message).toEqual(hex([stream.word(b), ...block.slice(1)]));
    }
  });
});
