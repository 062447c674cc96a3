/** The draws: words and normals against an independent program, the hot loops against the plain forms. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ANGLE_BITS, COSINES, projectionOn, RADIUS_COLUMNS, SINES } from '#src/core/random/box-muller.js';
import { fillPair, fillProjected } from '#src/core/random/draws.js';
import { BLOCK_STEPS } from '#src/core/random/stream.js';
import { normalsOfWords } from '#src/core/random/word-normals.js';
import { wordsOfStep } from '#src/core/rules/draws.js';
import { Dice } from '../../support/random-plans.ts';

interface Known {
  /** Seed, path, pair, step; then radius word, angle word, both normals. */
  readonly draws: readonly (readonly number[])[];
  /** Radius word, angle word, both normals. */
  readonly words: readonly (readonly number[])[];
}
/** By test/fixtures/draws/make_known.py. */
const known = JSON.parse(
  readFileSync(new URL('../../fixtures/draws/known_draws.json', import.meta.url), 'utf8'),
) as Known;

/** The tables' polynomials are good to 2.5e-12. */
const TABLE_ERROR = 5e-12;

/** The normals of a pair over the first `count` steps of a block. */
function pairOf(seed: number, path: number, pair: number, block: number, count = BLOCK_STEPS) {
  const [first, second] = [new Float64Array(count), new Float64Array(count)];
  fillPair(seed, path, pair, block, count, first, second);
  return { first, second };
}

describe('the words of a step', () => {
  it('are those of an independent program', () => {
    for (const [seed, path, pair, step, radius, angle] of known.draws) {
      const told = JSON.stringify({ seed, path, pair, step });
      expect(wordsOfStep(seed, path, pair, step), told).toEqual([radius, angle]);
    }
  });
});

describe('the normals of two words', () => {
  it('are exact radius, cosine and sine, to the accuracy of the tables', () => {
    const cases = [...known.words, ...known.draws.map(draw => draw.slice(4))];
    for (const [radius, angle, first, second] of cases) {
      const [z0, z1] = normalsOfWords(radius, angle);
      const told = `words ${radius}, ${angle}: ${z0}, ${z1}; exactly ${first}, ${second}`;
      expect(Math.abs(z0 - first), told).toBeLessThan(TABLE_ERROR);
      expect(Math.abs(z1 - second), told).toBeLessThan(TABLE_ERROR);
    }
  });

  it('are opposite after half a turn', () => {
    const dice = new Dice(5);
    for (let i = 0; i < 2000; i++) {
      const [radius, angle] = [dice.whole(0, 2 ** 32 - 1), dice.whole(0, 2 ** 31 - 1)];
      const [[a, b], [c, d]] = [normalsOfWords(radius, angle), normalsOfWords(radius, angle + 2 ** 31)];
      expect(Math.abs(a + c) + Math.abs(b + d), `words ${radius}, ${angle}`).toBeLessThan(1e-14);
    }
  });
});

describe('the draw loops', () => {
  it('repeat the sizes of their tables as numbers', () => {
    for (const column of RADIUS_COLUMNS) expect(column.length).toBe(2 * 33 * 256);
    expect(ANGLE_BITS).toBe(10);
    expect([COSINES.length, SINES.length]).toEqual([1024, 1024]);
  });

  const SEEDS = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff];
  it.each(SEEDS)('draw with seed %i the normals of the plain form, bit for bit', seed => {
    for (const [path, pair, block] of [
      [0, 0, 0],
      [4_294_967_295, 15, 0],
      [123_456, 3, 7],
      [9_999_999, 1, 912],
    ]) {
      const { first, second } = pairOf(seed, path, pair, block);
      for (let t = 0; t < BLOCK_STEPS; t++) {
        const told = JSON.stringify({ seed, path, pair, step: BLOCK_STEPS * block + t });
        const plain = normalsOfWords(...wordsOfStep(seed, path, pair, BLOCK_STEPS * block + t));
        expect([first[t], second[t]], told).toEqual(plain);
      }
    }
  });

  it('draw the same first steps of a block for any number of steps', () => {
    const whole = pairOf(7, 12, 2, 3);
    for (const count of [1, 2, 3, 47, 95]) {
      const { first, second } = pairOf(7, 12, 2, 3, count);
      expect(first).toEqual(whole.first.slice(0, count));
      expect(second).toEqual(whole.second.slice(0, count));
    }
  });

  it('project a pair on any direction as the sum of its two normals', () => {
    const dice = new Dice(6);
    const directions = [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
      [0, 0],
      ...Array.from({ length: 60 }, () => [dice.between(-1, 1), dice.between(-1, 1)]),
    ];
    for (const [i, [a, b]] of directions.entries()) {
      const { first, second } = pairOf(i, 3 * i, i % 16, i % 9);
      const out = new Float64Array(BLOCK_STEPS);
      fillProjected(i, 3 * i, i % 16, i % 9, BLOCK_STEPS, projectionOn(a, b), out);
      for (let t = 0; t < BLOCK_STEPS; t++) {
        const expected = a * first[t] + b * second[t];
        expect(Math.abs(out[t] - expected), JSON.stringify({ a, b, i, t })).toBeLessThan(2 * TABLE_ERROR);
      }
    }
  });
});

describe('many draws', () => {
  const n = 384_000;

  function draws(seed: number, pair: number, firstPath: number, which: 'first' | 'second'): Float64Array {
    const out = new Float64Array(n);
    for (let p = 0; p < n / BLOCK_STEPS; p++) {
      out.set(pairOf(seed, firstPath + p, pair, 0)[which], p * BLOCK_STEPS);
    }
    return out;
  }

  it('have the moments of a standard normal', () => {
    for (const which of ['first', 'second'] as const) {
      const z = draws(1, 0, 0, which);
      // Standard errors of the first four moments of n normals: sqrt(1, 2, 15, 96 over n).
      for (const [k, truth, variance] of [
        [1, 0, 1],
        [2, 1, 2],
        [3, 0, 15],
        [4, 3, 96],
      ]) {
        const moment = z.reduce((sum, x) => sum + x ** k, 0) / n;
        expect(Math.abs(moment - truth) / Math.sqrt(variance / n), `moment ${k}, ${which}`).toBeLessThan(4.5);
      }
    }
  });

  it('are uncorrelated, and so are their squares, across steps, assets, pairs, paths and seeds', () => {
    const z = draws(1, 0, 0, 'first');
    const others = {
      'the next step': Float64Array.from(z, (_, i) => z[(i + 1) % n]),
      'the other asset of the pair': draws(1, 0, 0, 'second'),
      'another pair': draws(1, 1, 0, 'first'),
      'the next path': draws(1, 0, 1, 'first'),
      'another seed': draws(2, 0, 0, 'first'),
    };
    for (const [what, other] of Object.entries(others)) {
      const product = z.reduce((sum, x, i) => sum + x * other[i], 0);
      expect(Math.abs(product) / Math.sqrt(n), what).toBeLessThan(4.5);
      const squares = z.reduce((sum, x, i) => sum + (x * x - 1) * (other[i] * other[i] - 1), 0);
      expect(Math.abs(squares) / Math.sqrt(4 * n), `squares, ${what}`).toBeLessThan(4.5);
    }
  });
});
