/** The engines of tests on noiseless GBM plans, and in which view their numbers are exact for which shape. */
import { ENGINES, type TestEngine } from './engines.ts';
import type { Shape, View } from './exact-paths.ts';

/** Loans alone follow a ratio of two prices, loans of a book the prices themselves. */
type Followed = 'loan' | 'book';

interface Exactness {
  /** Views in which the powers of two of a falling or rising path are exact; a path that stays at 1 always is. */
  readonly views: Readonly<Record<Followed, readonly View[]>>;
  /** Whether the quick run takes a market; the others are left to the full one. */
  isQuick(shape: Shape, view: View, followed: Followed): boolean;
}

const EXACTNESS: Readonly<Record<TestEngine['name'], Exactness>> = {
  // Its exponential of a natural logarithm: falling and rising paths are tested as history.
  reference: { views: { loan: [], book: [] }, isQuick: () => true },
  // Baskets in powers of two, pairs of a loan in natural logarithms.
  simd: { views: { loan: ['basket'], book: ['pair', 'basket'] }, isQuick: () => true },
  gpu: {
    views: { loan: ['pair', 'basket'], book: ['pair', 'basket'] },
    // The software driver takes seconds for each view, and for a book.
    isQuick: (shape, view, followed) => followed === 'loan' && shape === 'falling' && view === 'pair',
  },
};

export type ExactEngine = TestEngine & { readonly exactness: Exactness };

export const EXACT_ENGINES: readonly ExactEngine[] = ENGINES.map(engine => ({
  ...engine,
  exactness: EXACTNESS[engine.name],
}));

/** The markets on which an engine is exact, with the tags of their tests. */
export function exactMarkets<S extends Shape>(
  { exactness }: ExactEngine,
  shapes: readonly S[],
  followed: Followed = 'loan',
): { shape: S; view: View; tags: string[] }[] {
  return (['pair', 'basket'] as const).flatMap(view =>
    shapes
      .filter(shape => shape === 'still' || exactness.views[followed].includes(view))
      .map(shape => ({ shape, view, tags: exactness.isQuick(shape, view, followed) ? [] : ['slow'] })),
  );
}
