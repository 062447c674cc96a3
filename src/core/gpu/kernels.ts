/**
 * Compute kernels as data: files, entry point and bindings. A variant is another list of files; no text is substituted. The simulation
 * kernel is made of a product's program and a market model.
 */
import type { Scenarios } from '../plan/models.ts';
import type { GpuMarket, MarketView } from './model/market.ts';
import { type SumKinds, sumPlaces, sumWords } from './results.ts';
import { SLICE, type StructLayout } from './struct-layout.ts';

/** A compute kernel. Bind group 0 is the same for all kernels of a kind, group 1 differs. */
export interface Kernel {
  /** Name for labels and messages. */
  readonly name: string;
  /** Paths under shaders/, in any order. */
  readonly files: readonly string[];
  readonly entryPoint: string;
  /** Simulation kernels have group 0 of kernel/bindings.wgsl; others leave group 0 empty. */
  readonly shared: 'simulation' | 'none';
  /** Types of the bindings of group 1, in order. */
  readonly bindings: readonly GPUBufferBindingType[];
  /** Structs that the host writes, in the order of their WGSL (test/shader/layout.test.ts). */
  readonly structs: readonly StructLayout[];
  /** Constants of the host and the WGSL, which must be equal (test/shader/layout.test.ts). */
  readonly constants: Constants;
}

export type Constants = Readonly<Record<string, number>>;

/** Fields of a path's record in their order, and their types. */
export type RecordKinds = Readonly<Record<string, 'real' | 'count'>>;

/** A product's part of a simulation kernel. */
export interface Program {
  /** Name for labels and messages. */
  readonly name: string;
  /** Possible views of the market; the plan determines one of them. */
  readonly views: readonly MarketView[];
  /** Paths under shaders/ of the product and its entry point `simulate`. */
  readonly files: readonly string[];
  /** `Terms`, the first binding of group 1. */
  readonly terms: StructLayout;
  /** Sums over the paths in their order. */
  readonly sums: SumKinds;
  /** Fields of a record in their order; empty for a program that writes none. */
  readonly records: RecordKinds;
  /** Words of a path's product state between two time slices. */
  readonly stateWords: number;
  /** Words of a path's counts between two time slices; absent for a program that does not count. */
  readonly countWords?: number;
  /** Whether it adds up paths under their weights: a program of models whose paths have weights. */
  readonly weighs?: true;
  /** Bindings of group 1 after the terms. */
  readonly own: readonly GPUBufferBindingType[];
  /** Structs of these bindings, as in `Kernel`. */
  readonly structs?: readonly StructLayout[];
  /** Pipeline constants beside those of every simulation kernel; of a program that is made for a plan, those of a usual one. */
  readonly overrides?: Constants;
  /** Bytes of workgroup memory per invocation, if they limit the size of a workgroup. */
  readonly invocationBytes?: number;
  /** Further constants, as in `Kernel`. */
  readonly constants: Constants;
}

/** A program on a market. */
export interface SimulationKernel extends Kernel {
  readonly program: Program;
  readonly market: GpuMarket<Scenarios>;
  /** Words of the sums. */
  readonly sumWords: number;
  /** Words of a path's state between two time slices. */
  stateWords(assets: number): number;
}

const LIBRARY = [
  'lib/four_steps.wgsl',
  'lib/limits.wgsl',
  'lib/threefry.wgsl',
  'lib/draw.wgsl',
  'lib/order.wgsl',
  'lib/u64.wgsl',
  'kernel/bindings.wgsl',
];

/** The kernel of a program on a model under a view. */
export function simulationKernel(
  program: Program,
  model: string,
  view: MarketView,
  market: GpuMarket<Scenarios>,
): SimulationKernel {
  const sums = Object.keys(program.sums).length > 0 ? ['kernel/sums.wgsl'] : [];
  return {
    name: `${program.name} ${model} ${view}`,
    files: [...new Set([...LIBRARY, ...sums, ...market.files, ...program.files])],
    entryPoint: 'simulate',
    shared: 'simulation',
    bindings: ['uniform', ...program.own],
    structs: [SLICE, market.parameters, program.terms, ...(program.structs ?? [])],
    constants: { ...program.constants, ...orders(program) },
    program,
    market,
    sumWords: sumWords(program.sums),
    stateWords: assets => market.stateWords(assets) + program.stateWords + (program.countWords ?? 0),
  };
}

/** The places of sums and records, and the state words, by their WGSL names. */
function orders({ sums, records, stateWords, countWords }: Program): Constants {
  const { places, count } = sumPlaces(sums);
  return {
    ...named('SUM', places),
    ...(count > 0 ? { SUM_COUNT: count } : {}),
    ...named('RECORD', placesOf(Object.keys(records))),
    ...(stateWords > 0 ? { PRODUCT_STATE_WORDS: stateWords } : {}),
    ...(countWords === undefined ? {} : { COUNT_STATE_WORDS: countWords }),
  };
}

/** The place of each name in a list. */
export function placesOf(names: readonly string[]): Constants {
  return Object.fromEntries(names.map((name, place) => [name, place]));
}

/** Constants under the names of the WGSL: `marginCalls` becomes PREFIX_MARGIN_CALLS. */
export function named(prefix: string, constants: Constants): Constants {
  const inWgsl = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase();
  return Object.fromEntries(
    Object.entries(constants).map(([name, value]) => [`${prefix}_${inWgsl(name)}`, value]),
  );
}
