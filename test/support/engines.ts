/**
 * The engines of tests with their products and models: a new product or model of an engine is tested without an edit of a test.
 */
import { beforeAll } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import { gpuProduct } from '#src/core/gpu/products.js';
import type { ModelKind } from '#src/core/plan/models.js';
import type { ProductKind } from '#src/core/plan/product/kinds.js';
import { hasSimdKernel } from '#src/core/simd/products.js';
import { openTestGpuEngine } from './gpu.ts';
import { sharedReference, sharedSimd } from './threads.ts';

export interface TestEngine {
  readonly name: 'reference' | 'simd' | 'gpu';
  /** Tags of its tests: the software driver of a GPU is slow, a GPU is not. */
  readonly tags: string[];
  /** Part of the paths of a test that run on it: the software driver takes a hundred times as long for one as a processor. */
  readonly partOfPaths: number;
  /** @param threads of an engine on processors; 2 unless they are given */
  open(threads?: number): Promise<Engine>;
  /** Whether it runs a product under a model. */
  has(product: ProductKind, model: ModelKind): boolean;
}

/** One whose runs are spread over threads. */
export interface CpuTestEngine extends TestEngine {
  readonly name: 'reference' | 'simd';
}

const REFERENCE: CpuTestEngine = {
  name: 'reference',
  tags: [],
  partOfPaths: 1,
  open: async (threads = 2) => sharedReference(threads),
  has: () => true,
};

const SIMD: CpuTestEngine = {
  name: 'simd',
  tags: [],
  partOfPaths: 1,
  open: async (threads = 2) => sharedSimd(threads),
  has: hasSimdKernel,
};

const ownsGpu = process.env.TEST_GPU === 'own';

const GPU: TestEngine = {
  name: 'gpu',
  tags: ownsGpu ? [] : ['slow'],
  partOfPaths: ownsGpu ? 1 : 0.25,
  open: () => openTestGpuEngine(),
  has: (product, model) => gpuProduct(product, model) !== undefined,
};

export const ENGINES: readonly TestEngine[] = [REFERENCE, SIMD, GPU];
/** Those with threads. The SIMD kernels of all widths give the same bytes: test/engine/native/native-kernels.test.ts. */
export const CPU_ENGINES: readonly CpuTestEngine[] = [REFERENCE, SIMD];
/** Those in single precision, which are compared with the reference. */
export const SINGLE_ENGINES: readonly TestEngine[] = [SIMD, GPU];

/** The engine for the tests of the calling suite, opened before the first of them. The engines of tests are shared: none is closed. */
export function engineForTests({ open }: Pick<TestEngine, 'open'>): Engine {
  let opened: Engine;
  beforeAll(async () => {
    opened = await open();
  });
  return {
    get description() {
      return opened.description;
    },
    supports: plan => opened.supports(plan),
    run: (plan, options) => opened.run(plan, options),
    trace: (plan, options) => opened.trace(plan, options),
    close: async () => {},
  };
}

const ORDINALS = { 3: 'third', 4: 'fourth', 5: 'fifth', 7: 'seventh', 11: 'eleventh' } as const;

/** Cases of a test, in parts: the short suite runs every nth, the full one the others as well. */
export const everyNth = <T>(n: keyof typeof ORDINALS, all: readonly T[]) => [
  { part: `for every ${ORDINALS[n]} case`, tags: [], some: all.filter((_, i) => i % n === 0) },
  { part: 'for the other cases', tags: ['slow'], some: all.filter((_, i) => i % n !== 0) },
];

/** The same of seeds or plans of a test on an engine, which are not divided on the GPU: all of them are slow, or none. */
export function inParts<T>(engine: TestEngine, all: readonly T[], n: keyof typeof ORDINALS = 4) {
  if (engine.name === 'gpu') return [{ part: 'for all cases', tags: engine.tags, some: all }];
  return everyNth(n, all);
}

/** An engine under a model. */
export interface EngineCase<M extends ModelKind> {
  readonly engine: TestEngine;
  readonly model: M;
}

/** The engines of a list that run a product, under each of some models. */
export function engineCases<M extends ModelKind>(
  engines: readonly TestEngine[],
  product: ProductKind,
  models: readonly M[],
): readonly EngineCase<M>[] {
  return engines.flatMap(engine =>
    models.filter(model => engine.has(product, model)).map(model => ({ engine, model })),
  );
}
