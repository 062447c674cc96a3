/**
 * Prices of paths that several books are followed along: drawn once, read by every run that comes after.
 *
 * Takes: parts of prices by a number. Gives: the same parts, where another run of the same paths has left them. Memory is bounded:
 * what does not fit is drawn again. Must not know: models, loans, what a part is.
 */
import type { Scenarios } from './simulation-plan.ts';

/** Memory of threads: prices, and how far each part is. */
export interface DrawMemory {
  readonly prices: SharedArrayBuffer;
  /** Per path, of those that begin a part: 0 not there, 1 being written, 2 there. */
  readonly states: SharedArrayBuffer;
}

/** What decides on the prices of a run, beside the engine. */
export interface DrawnPaths {
  readonly scenarios: Scenarios;
  readonly seed: number;
  readonly paths: number;
  readonly steps: number;
}

/** Most bytes of all prices that the runs of a request share. */
const MAX_SHARED_BYTES = 2 ** 26;
/** Bytes of a price, with room for extremes by day and for rows in whole vectors. */
const PRICE_BYTES = 10;

/** Draws that the runs of one request share; scenarios are compared by identity. */
export class SharedDraws {
  private readonly known = new Map<Scenarios, Map<string, DrawMemory>>();
  private left: number;

  constructor(mostBytes = MAX_SHARED_BYTES) {
    this.left = mostBytes;
  }

  /** @param engine distinguishes the prices of different engines; @returns undefined where no memory is left */
  memoryOf(engine: string, { scenarios, seed, paths, steps }: DrawnPaths): DrawMemory | undefined {
    const runs = this.known.get(scenarios) ?? new Map<string, DrawMemory>();
    this.known.set(scenarios, runs);
    const key = `${engine} ${seed} ${paths} ${steps}`;
    const known = runs.get(key);
    if (known !== undefined) return known;
    const wanted = PRICE_BYTES * paths * (steps + 1) * scenarios.assets;
    const bytes = 8 * Math.floor(Math.min(wanted, this.left) / 8);
    if (bytes === 0) return undefined;
    this.left -= bytes;
    const memory = {
      prices: new SharedArrayBuffer(bytes),
      states: new SharedArrayBuffer(paths * Int32Array.BYTES_PER_ELEMENT),
    };
    runs.set(key, memory);
    return memory;
  }
}

const BEING_WRITTEN = 1;
const THERE = 2;

/** Parts of equal length in that memory, as one thread sees them. */
export class StoredDraws {
  private readonly prices: Uint8Array;
  private readonly states: Int32Array;
  private readonly pathsOfPart: number;
  private readonly bytes: number;

  /** @param pathsOfPart paths of a part, the first of which is a multiple of it; @param bytes of a part */
  constructor({ prices, states }: DrawMemory, pathsOfPart: number, bytes: number) {
    this.prices = new Uint8Array(prices);
    this.states = new Int32Array(states);
    this.pathsOfPart = pathsOfPart;
    this.bytes = bytes;
  }

  /** Copies the part that begins with a path to where it belongs. @returns whether it was there */
  read(path: number, to: readonly ArrayBufferView[]): boolean {
    if (path >= this.states.length || Atomics.load(this.states, path) !== THERE) return false;
    let from = this.placeOf(path);
    for (const part of to) {
      bytesOf(part).set(this.prices.subarray(from, from + part.byteLength));
      from += part.byteLength;
    }
    return true;
  }

  /** Stores the part for other runs, where there is room and no other run stores it. */
  write(path: number, from: readonly ArrayBufferView[]): void {
    if (path >= this.states.length || this.placeOf(path) + this.bytes > this.prices.length) return;
    if (Atomics.compareExchange(this.states, path, 0, BEING_WRITTEN) !== 0) return;
    let to = this.placeOf(path);
    for (const part of from) {
      this.prices.set(bytesOf(part), to);
      to += part.byteLength;
    }
    Atomics.store(this.states, path, THERE);
  }

  private placeOf(path: number): number {
    return (path / this.pathsOfPart) * this.bytes;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength);
