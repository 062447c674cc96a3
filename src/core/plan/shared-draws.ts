/** Prices of paths of several books, drawn once in bounded memory; prices beyond it are drawn again. */
import type { Scenarios } from './simulation-plan.ts';

/** Memory of threads: prices, and the state of each part. */
export interface DrawMemory {
  readonly prices: SharedArrayBuffer;
  /** Per first path of a part: 0 absent, 1 in writing, 2 present. */
  readonly states: SharedArrayBuffer;
}

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

/** Common draws of the runs of one request; scenarios are compared by identity. */
export class SharedDraws {
  private readonly known = new Map<Scenarios, Map<string, DrawMemory>>();
  private left: number;

  constructor(mostBytes = MAX_SHARED_BYTES) {
    this.left = mostBytes;
  }

  /** @param engine distinguishes the prices of engines; @returns undefined where no memory is left */
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

const IN_WRITING = 1;
const PRESENT = 2;

/** Parts of equal length in that memory, for one thread. */
export class StoredDraws {
  private readonly prices: Uint8Array;
  private readonly states: Int32Array;
  private readonly pathsOfPart: number;
  private readonly bytes: number;

  /** @param pathsOfPart paths of a part, whose first is a multiple of it; @param bytes of a part */
  constructor({ prices, states }: DrawMemory, pathsOfPart: number, bytes: number) {
    this.prices = new Uint8Array(prices);
    this.states = new Int32Array(states);
    this.pathsOfPart = pathsOfPart;
    this.bytes = bytes;
  }

  /** Copies the part that begins with a path. @returns whether it was present */
  read(path: number, to: readonly ArrayBufferView[]): boolean {
    if (path >= this.states.length || Atomics.load(this.states, path) !== PRESENT) return false;
    let from = this.placeOf(path);
    for (const part of to) {
      bytesOf(part).set(this.prices.subarray(from, from + part.byteLength));
      from += part.byteLength;
    }
    return true;
  }

  /** Stores the part for other runs, if there is room and no other run stores it. */
  write(path: number, from: readonly ArrayBufferView[]): void {
    if (path >= this.states.length || this.placeOf(path) + this.bytes > this.prices.length) return;
    if (Atomics.compareExchange(this.states, path, 0, IN_WRITING) !== 0) return;
    let to = this.placeOf(path);
    for (const part of from) {
      this.prices.set(bytesOf(part), to);
      to += part.byteLength;
    }
    Atomics.store(this.states, path, PRESENT);
  }

  private placeOf(path: number): number {
    return (path / this.pathsOfPart) * this.bytes;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength);
