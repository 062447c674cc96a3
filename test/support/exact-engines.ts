/** The engines that run noiseless GBM plans, and in which view their numbers are exact for which shape. */
import type { Engine } from '#src/core/engine.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import type { Shape, View } from './exact-paths.ts';
import { openTestGpuEngine } from './gpu.ts';

export interface ExactEngine {
  readonly name: string;
  open(): Promise<Engine>;
  /** Views in which the powers of two of a falling or rising path are exact; a path that stays at 1 always is. */
  readonly exactViews: readonly View[];
  /** The market that the quick run takes; the others are left to the full one. All, unless it is given. */
  readonly quick?: { readonly shape: Shape; readonly view: View };
}

export const EXACT_ENGINES: readonly ExactEngine[] = [
  // Its exponential of a natural logarithm: falling and rising paths are tested as history.
  { name: 'the reference', open: async () => openReferenceEngine({ threads: 1 }), exactViews: [] },
  // Baskets in powers of two, pairs in natural logarithms.
  { name: 'WebAssembly', open: async () => openSimdThreads(openThreadPool(1)), exactViews: ['basket'] },
  {
    name: 'the GPU',
    open: () => openTestGpuEngine(),
    exactViews: ['pair', 'basket'],
    quick: { shape: 'falling', view: 'pair' },
  },
];

/** The markets on which an engine is exact, with the tags of their tests. */
export function exactMarkets<S extends Shape>(
  { exactViews, quick }: ExactEngine,
  shapes: readonly S[],
): { shape: S; view: View; tags: string[] }[] {
  return (['pair', 'basket'] as const).flatMap(view =>
    shapes
      .filter(shape => shape === 'still' || exactViews.includes(view))
      .map(shape => {
        const isQuick = quick === undefined || (quick.shape === shape && quick.view === view);
        return { shape, view, tags: isQuick ? [] : ['slow'] };
      }),
  );
}
