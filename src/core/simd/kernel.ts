/** The kernel compiled from kernel/: its functions, its exported addresses, and its memory as singles, integers and doubles. */
import { PACKET_PATHS } from '../plan/chunks.ts';

/** The exports of kernel/kernel.ts. */
export interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): unknown };
  configure(seed: number, assets: number, isPair: boolean): void;
  configureModel(model: number, table: number): void;
  configureRows(count: number, besideAt: number, driftCount: number, threshold: number): void;
  configureAccrual(at: number, areLogs: boolean): void;
  runLoans(firstPath: number, packets: number, steps: number, topUpSteps: number): void;
  simulatePaths(path: number, steps: number, amounts: boolean, topUpSteps: number): void;
  configureCounts(
    offsets: number,
    times: number,
    rows: number,
    nominal: number,
    unitOfLog: number,
    areLogs: boolean,
  ): void;
  runCountedLoans(firstPath: number, paths: number, steps: number, topUpSteps: number, lowest: number): void;
  simulateHorizons(firstPath: number, packets: number, horizons: number): void;
  placePrices(at: number, row: number, days: number, dayRow: number, bounds: number, assets: number): void;
  simulatePrices(path: number, steps: number): void;
  placeBook(
    loans: number,
    count: number,
    fronts: number,
    figures: number,
    sold: number,
    steps: number,
    squares: number,
    credits: number,
    events: number,
    eventsBytes: number,
  ): void;
  beginBook(assets: number, saleCost: number, saleDelay: number, unit: number, seed: number): void;
  beginPaths(): void;
  followBook(assets: number, firstPath: number, lanes: number, withEvents: boolean): number;
  areLoansLeft(): number;
  readonly TERM_BYTES: Address;
  readonly BOOK_LOAN_BYTES: Address;
  readonly BOOK_SUMS: Address;
  readonly BOOK_FIGURE_BYTES: Address;
  readonly BOOK_CREDIT_BYTES: Address;
  readonly BOOK_CREDIT_SUMS: Address;
  readonly BOOK_RULES_BYTES: Address;
  readonly BOOK_RULES_SUMS: Address;
  readonly BOOK_EVENT_BYTES: Address;
  runPositions(
    firstPath: number,
    paths: number,
    steps: number,
    dues: number,
    leverage: number,
    results: number,
    counted: boolean,
  ): void;
  beginAccounts(path: number, steps: number, leverage: number, lanes: number, counted: boolean): void;
  followAccounts(): number;
  readonly ACCOUNT: Address;
  readonly ACCOUNT_ROWS: Address;
  readonly ACCOUNT_ROW_BYTES: Address;
  readonly ACCOUNT_CURRENCIES: Address;
  readonly ACCOUNT_CURRENCY_BYTES: Address;
  readonly ACCOUNT_START: Address;
  readonly ACCOUNT_STATE: Address;
  readonly CORRELATION: Address;
  readonly CORRELATION_ROW_BYTES: Address;
  readonly HOUR_SCALE: Address;
  readonly DAY_ROOTS: Address;
  readonly DEVIATIONS: Address;
  readonly EARLIER_HOURS: Address;
  readonly EQUITIES: Address;
  readonly GAIN_BYTES: Address;
  readonly MAX_ROWS: Address;
  readonly PROCESS_BYTES: Address;
  readonly MAX_CURRENCIES: Address;
  readonly POSITION: Address;
  readonly POSITION_RESULT_BYTES: Address;
  readonly MODEL_GBM: Address;
  readonly MODEL_STUDENT_T: Address;
  readonly MODEL_GARCH: Address;
  readonly MODEL_FILTERED: Address;
  readonly MODEL_BOOTSTRAP_DAYS: Address;
  readonly MODEL_BOOTSTRAP_HOURS: Address;
  readonly FACTOR: Address;
  readonly FACTOR_ROW_BYTES: Address;
  readonly DRIFT: Address;
  readonly COLLATERAL_WEIGHT: Address;
  readonly LOAN_WEIGHT: Address;
  readonly OMEGA: Address;
  readonly ALPHA: Address;
  readonly BETA: Address;
  readonly FIRST_VARIANCE: Address;
  readonly SCALE: Address;
  readonly MULTIPLIER_CAP: Address;
  readonly PAIR: Address;
  readonly RULES: Address;
  readonly RESULTS: Address;
  readonly RESULT_BYTES: Address;
  readonly LOG_PRICE: Address;
  readonly LOG_RATIO: Address;
  readonly PATHS: Address;
}

/** A number that the kernel exports: an address, or the name of a model. */
export interface Address {
  readonly value: number;
}

/** The used part of WebAssembly; some hosts have no types of it. */
interface WebAssemblyRuntime {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** Bytes of a page, by which a memory grows. */
export const PAGE_BYTES = 65536;
const LANE_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** Steps of a draw group: arrays of whole paths have whole groups. */
const GROUP_STEPS = 4;

/**
 * Compiles the kernel.
 * @throws Error if the bytes are no kernel, or if this processor has no SIMD that WebAssembly can use
 */
export function compileKernel(bytes: Uint8Array): object {
  const { Module } = runtime();
  return new Module(bytes);
}

function runtime(): WebAssemblyRuntime {
  return (globalThis as unknown as { WebAssembly: WebAssemblyRuntime }).WebAssembly;
}

/** The kernel in WebAssembly. @param module from `compileKernel` */
export function instantiateKernel(module: object): Kernel {
  const { Instance } = runtime();
  return new Kernel(new Instance(module).exports as KernelExports, PACKET_PATHS);
}

export class Kernel {
  readonly vectorBytes: number;
  /** Views of the memory; replaced when it grows. */
  singles: Float32Array;
  integers: Int32Array;
  doubles: Float64Array;

  constructor(
    readonly exports: KernelExports,
    /** Lanes of a vector: the consecutive paths of a packet. */
    readonly lanes: number,
  ) {
    this.vectorBytes = lanes * LANE_BYTES;
    this.singles = new Float32Array(this.exports.memory.buffer);
    this.integers = new Int32Array(this.exports.memory.buffer);
    this.doubles = new Float64Array(this.exports.memory.buffer);
  }

  /** Writes a number to all lanes of the vector at `place` vectors behind `address`. */
  put(address: Address, place: number, value: number): void {
    const at = (address.value + place * this.vectorBytes) / Float32Array.BYTES_PER_ELEMENT;
    this.singles.fill(value, at, at + this.lanes);
  }

  /** Writes a number to the even lanes of the vector at `place` vectors behind `address`, and another to the odd ones. */
  putByTurns(address: Address, place: number, even: number, odd: number): void {
    const at = (address.value + place * this.vectorBytes) / Float32Array.BYTES_PER_ELEMENT;
    for (let lane = 0; lane < this.lanes; lane++) this.singles[at + lane] = lane % 2 === 0 ? even : odd;
  }

  /** Writes the first lanes of a vector: `first` as an integer, the others as numbers. */
  putWords(address: Address, place: number, first: number, others: readonly number[] = []): void {
    const at = (address.value + place * this.vectorBytes) / Float32Array.BYTES_PER_ELEMENT;
    this.integers[at] = first;
    this.singles.set(others, at + 1);
  }

  /** Writes a 32-bit integer to all lanes. */
  putInteger(address: Address, place: number, value: number): void {
    const at = (address.value + place * this.vectorBytes) / Int32Array.BYTES_PER_ELEMENT;
    this.integers.fill(value, at, at + this.lanes);
  }

  /** Writes a table behind `bytes` bytes of paths; returns its address. */
  putTable(bytes: number, table: Float32Array): number {
    const at = this.exports.PATHS.value + bytes;
    this.reserve(bytes + table.byteLength);
    this.singles.set(table, at / Float32Array.BYTES_PER_ELEMENT);
    return at;
  }

  /** Grows the memory to `bytes` bytes from PATHS on. */
  reserve(bytes: number): void {
    const { memory, PATHS } = this.exports;
    const missing = PATHS.value + bytes - memory.buffer.byteLength;
    if (missing <= 0) return;
    memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.singles = new Float32Array(memory.buffer);
    this.integers = new Int32Array(memory.buffer);
    this.doubles = new Float64Array(memory.buffer);
  }

  /** The path of one lane of the last `simulatePaths`: array 0 is C/L or its logarithm, 1 is C, 2 is L. */
  copyPath(array: number, lane: number, steps: number, out: Float64Array): void {
    const { singles, lanes } = this;
    const start =
      (this.exports.PATHS.value + array * this.pathArrayBytes(steps)) / Float32Array.BYTES_PER_ELEMENT;
    for (let t = 0, at = start + lane; t < steps; t++, at += lanes) out[t] = singles[at];
  }

  /** Rounds bytes up to whole vectors. */
  inVectors(bytes: number): number {
    return this.vectorBytes * Math.ceil(bytes / this.vectorBytes);
  }

  /** Bytes of one array of whole paths: whole draw groups. */
  pathArrayBytes(steps: number): number {
    return GROUP_STEPS * Math.ceil(steps / GROUP_STEPS) * this.vectorBytes;
  }

  /** Bytes of whole paths of `steps` steps. */
  pathBytes(steps: number): number {
    return PATH_ARRAYS * this.pathArrayBytes(steps);
  }
}

/** Arrays of whole paths: C/L, C and L. */
const PATH_ARRAYS = 3;
