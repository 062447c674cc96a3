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
    const prices = (steps + 1) * drawn.paths * scenarios.assets;
    const { byteLength } = memoryOf(new SharedDraws(), { steps }).prices;
    expect(byteLength).toBeGreaterThanOrEqual(8 * prices);
    // A quarter more for extremes, in whole doubles.
    expect(byteLength).toBe(10 * prices);
  }
  expect(memoryOf(new SharedDraws(), { paths: 3, steps: 2 }).prices.byteLength).toBe(176);
});

it('All runs of a request share at most 64 MiB', () => {
  const draws = new SharedDraws();
  expect(memoryOf(draws, { paths: 200_000 }).prices.byteLength).toBe(44_000_000);
  expect(memoryOf(draws, { paths: 200_001 }).prices.byteLength).toBe(64 * 2 ** 20 - 44_000_000);
  expect(draws.memoryOf('engine', { ...drawn, seed: 2 })).toBeUndefined();
});

it('A part that is being written is not read, nor written by another run', () => {
  const memory = memoryOf(new SharedDraws());
  const [one, other] = [new StoredDraws(memory, 4, 8), new StoredDraws(memory, 4, 8)];
  const read = [new Float64Array(1)];
  function* inTheMiddle() {
    expect(other.read(8, read)).toBe(false);
    other.write(8, [Float64Array.of(9)]);
    expect(other.read(8, read)).toBe(false);
    yield Float64Array.of(5);
  }
  one.write(8, inTheMiddle() as Iterable<Float64Array> as Float64Array[]);
  expect(other.read(8, read)).toBe(true);
  expect(read).toEqual([Float64Array.of(5)]);
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
  // A part that fills the memory to its end is stored; no path is the one after the last.
  const whole = memoryOf(new SharedDraws(160));
  const parts = new StoredDraws(whole, 4, 80);
  for (const path of [0, 4, 8]) parts.write(path, part);
  expect([0, 4, 8].map(path => parts.read(path, part))).toEqual([true, true, false]);
  new StoredDraws(whole, 40, 8).write(40, [new Float64Array(1)]);
  expect([...new Int32Array(whole.states)].flatMap((state, path) => (state === 0 ? [] : path))).toEqual([
    0, 4,
  ]);
  // Nothing is left for other paths.
  expect(draws.memoryOf('engine', { ...drawn, seed: 2 })).toBeUndefined();
});
