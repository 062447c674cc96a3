import { expect, it } from 'vitest';
import { MODELS } from '#src/core/plan/models.js';
import { SharedDraws, StoredDraws } from '#src/core/plan/shared-draws.js';

const scenarios = MODELS.gbm.usual(2);
const drawn = { scenarios, seed: 1, paths: 40, steps: 10 };

function memoryOf(draws: SharedDraws, more: Partial<typeof drawn> = {}) {
  const memory = draws.memoryOf('engine', { ...drawn, ...more });
  if (memory === undefined) throw new Error('no memory');
  return memory;
}

it('Runs share memory only with equal paths on one engine', () => {
  const draws = new SharedDraws();
  const memory = memoryOf(draws);
  expect(memoryOf(draws)).toBe(memory);
  expect(memoryOf(draws, { seed: 2 })).not.toBe(memory);
  expect(memoryOf(draws, { steps: 11 })).not.toBe(memory);
  expect(memoryOf(draws, { paths: 41 })).not.toBe(memory);
  // Equal numbers of another object are other scenarios.
  expect(memoryOf(draws, { scenarios: { ...scenarios } })).not.toBe(memory);
  expect(draws.memoryOf('another engine', drawn)).not.toBe(memory);
});

it('The memory of a run has room for the prices of the start and of every step, in double precision', () => {
  for (const steps of [1, 2, 24]) {
    const doubles = (steps + 1) * drawn.paths * scenarios.assets;
    expect(memoryOf(new SharedDraws(), { steps }).prices.byteLength).toBeGreaterThanOrEqual(8 * doubles);
  }
});

it('A part is read as it was written, by its number', () => {
  const memory = memoryOf(new SharedDraws());
  const [one, other] = [new StoredDraws(memory, 4, 80), new StoredDraws(memory, 4, 80)];
  const part = (first: number) => [Float32Array.of(first, first + 1), new Float64Array(9).fill(first)];
  const read = part(0);
  expect(other.read(8, read)).toBe(false);
  expect(read).toEqual(part(0));
  one.write(8, part(5));
  one.write(0, part(7));
  expect(other.read(8, read)).toBe(true);
  expect(read).toEqual(part(5));
  expect(other.read(0, read)).toBe(true);
  expect(read).toEqual(part(7));
  // The part that was written first remains.
  other.write(8, part(9));
  one.read(8, read);
  expect(read).toEqual(part(5));
});

it('Parts beyond the memory and paths beyond the last are not stored', () => {
  const draws = new SharedDraws(180);
  const memory = memoryOf(draws);
  expect(memory.prices.byteLength).toBe(176);
  const stored = new StoredDraws(memory, 1, 80);
  const part = [new Float64Array(10).fill(3)];
  for (const path of [0, 1, 2, 39, 40]) stored.write(path, part);
  expect([0, 1, 2, 39, 40].map(path => stored.read(path, part))).toEqual([true, true, false, false, false]);
  // Nothing is left for other paths.
  expect(draws.memoryOf('engine', { ...drawn, seed: 2 })).toBeUndefined();
});
