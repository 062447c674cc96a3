/** Sobol points against published ones and SciPy's, and the properties of each scramble. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JOE_KUO_DIMENSIONS } from '#src/core/random/joe-kuo.js';
import { normalFromWord } from '#src/core/random/normal.js';
import { directionNumbers, reversedBits, ScrambledSobol } from '#src/core/random/sobol.js';
import { Dice } from '../../support/random-plans.ts';

/** By test/fixtures/sobol/make_sobol.py: SciPy's points in the order of Gray codes, and one point of all dimensions. */
const scipy = JSON.parse(
  readFileSync(new URL('../../fixtures/sobol/sobol.json', import.meta.url), 'utf8'),
) as { first: number[][]; index: number; words: number[] };

/** The word of a point that is not scrambled, in natural order. */
function plainWord(index: number, dimension: number): number {
  const numbers = directionNumbers(dimension);
  let word = 0;
  for (let k = 0; k < 32; k++) if ((index >>> k) & 1) word ^= numbers[k];
  return word >>> 0;
}

/** The first ten points of three dimensions, as the notes of Joe and Kuo print them. */
const PUBLISHED = [
  [0, 0, 0],
  [0.5, 0.5, 0.5],
  [0.75, 0.25, 0.25],
  [0.25, 0.75, 0.75],
  [0.375, 0.375, 0.625],
  [0.875, 0.875, 0.125],
  [0.625, 0.125, 0.875],
  [0.125, 0.625, 0.375],
  [0.1875, 0.3125, 0.9375],
  [0.6875, 0.8125, 0.4375],
];

describe('Sobol points', () => {
  it('are the published ones', () => {
    PUBLISHED.forEach((point, rank) => {
      const index = rank ^ (rank >>> 1);
      expect([0, 1, 2].map(d => plainWord(index, d) / 2 ** 32)).toEqual(point);
    });
  });

  it('are those of SciPy', () => {
    scipy.first.forEach((words, rank) => {
      const index = rank ^ (rank >>> 1);
      expect(
        words.map((_, d) => plainWord(index, d)),
        `point ${index}`,
      ).toEqual(words);
    });
  });

  it('have every dimension of the table of SciPy', () => {
    expect(scipy.words).toHaveLength(JOE_KUO_DIMENSIONS);
    scipy.words.forEach((word, d) => {
      expect(plainWord(scipy.index, d), `dimension ${d}`).toBe(word);
    });
  });

  it('have no dimension beyond the table', () => {
    for (const dimension of [-1, JOE_KUO_DIMENSIONS, Number.NaN])
      expect(() => directionNumbers(dimension)).toThrow(`dimension is ${dimension}`);
  });
});

describe('the reversal of bits', () => {
  it('reverses a word', () => {
    const dice = new Dice(1);
    for (let i = 0; i < 1000; i++) {
      const word = dice.whole(0, 2 ** 32 - 1);
      const text = word.toString(2).padStart(32, '0');
      expect(reversedBits(word) >>> 0, text).toBe(Number.parseInt([...text].reverse().join(''), 2));
    }
  });
});

describe('a scramble', () => {
  const POINTS = 1024;
  const DIMENSIONS = 100;

  it('has one point in each interval of every dimension', () => {
    for (const seed of [0, 1, 2 ** 32 - 1]) {
      const points = new ScrambledSobol(seed, DIMENSIONS, POINTS);
      for (const scramble of [0, 1, 15]) {
        const taken = Array.from({ length: DIMENSIONS }, () => new Set<number>());
        for (let i = 0; i < POINTS; i++)
          points.words(scramble * POINTS + i).forEach((word, d) => {
            taken[d].add(Math.floor((word / 2 ** 32) * POINTS));
          });
        expect(
          taken.map(({ size }) => size),
          `seed ${seed}, scramble ${scramble}`,
        ).toEqual(taken.map(() => POINTS));
      }
    }
  });

  it('has one point in each box of equal area of the first two dimensions', () => {
    const points = new ScrambledSobol(7, 2, POINTS);
    for (const scramble of [0, 9])
      for (let columns = 1; columns <= POINTS; columns *= 2) {
        const rows = POINTS / columns;
        const boxes = new Set<number>();
        for (let i = 0; i < POINTS; i++) {
          const [x, y] = points.words(scramble * POINTS + i);
          boxes.add(Math.floor((x / 2 ** 32) * columns) * rows + Math.floor((y / 2 ** 32) * rows));
        }
        expect(boxes.size, `scramble ${scramble}, ${columns} columns`).toBe(POINTS);
      }
  });

  it('has the same points in any order and in any number of dimensions', () => {
    const rising = new ScrambledSobol(5, 9, 64);
    const known = Array.from({ length: 160 }, (_, p) => rising.words(p));
    const dice = new Dice(2);
    const mixed = new ScrambledSobol(5, 9, 64);
    for (let i = 0; i < 300; i++) {
      const path = dice.whole(0, 159);
      expect(mixed.words(path), `path ${path}`).toEqual(known[path]);
    }
    // The first point that is asked for is any.
    for (const path of [0, 1, 2, 3, 64, 65, 66, 128, 129])
      expect(new ScrambledSobol(5, 9, 64).words(path), `path ${path}`).toEqual(known[path]);
    const fewer = new ScrambledSobol(5, 4, 64);
    known.forEach((words, p) => {
      expect(fewer.words(p), `path ${p}`).toEqual(words.subarray(0, 4));
    });
  });

  it('differs from every other, and from those of other seeds', () => {
    const first = (seed: number, scramble: number) => new ScrambledSobol(seed, 3, 1).words(scramble).join();
    const seen = new Set<string>();
    for (let seed = 0; seed < 20; seed++)
      for (let scramble = 0; scramble < 16; scramble++) seen.add(first(seed, scramble));
    expect(seen.size).toBe(20 * 16);
  });

  it('has uniform words of each point over seeds', () => {
    // 4,000 seeds in 16 cells: chi-square with 15 degrees of freedom, 56.5 at a chance of 1e-6; ten points.
    const CELLS = 16;
    const SEEDS = 4000;
    const counts = Array.from({ length: 10 }, () => new Float64Array(CELLS));
    for (let seed = 0; seed < SEEDS; seed++) {
      const points = new ScrambledSobol(seed, 5, 64);
      counts.forEach((cells, i) => {
        cells[points.words(67 * i)[i % 5] >>> 28] += 1;
      });
    }
    counts.forEach((cells, i) => {
      const expected = SEEDS / CELLS;
      const chiSquare = cells.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      expect(chiSquare, `point ${67 * i}: ${cells}`).toBeLessThan(56.5);
    });
  });

  it('has the normals of its words', () => {
    const points = new ScrambledSobol(3, 6, 32);
    const normals = new Float64Array(6);
    for (const path of [0, 1, 31, 32, 500]) {
      points.fillNormals(path, normals);
      expect(Array.from(normals)).toEqual(Array.from(points.words(path), normalFromWord));
    }
  });
});
