/**
 * Classes of a book's tail paths: all paths of a class have the same weight in every tail of the loss. With D levels
 * v_1 < v_2 < ..., class 2 i - 1 has losses of v_i, class 2 i those between v_i and the next level.
 */
import type { UpperTail } from '../../book/tail-weights.ts';

export function tailClasses(tails: readonly UpperTail[]) {
  const levels = [...new Set(tails.map(({ level }) => level))].sort((a, b) => a - b);
  return {
    /** Number of classes; they count from 1. */
    count: 2 * levels.length,
    /** The class of a loss; 0 below every level. */
    of(loss: number): number {
      const reached = levels.filter(level => loss >= level).length;
      if (reached === 0) return 0;
      return loss > levels[reached - 1] ? 2 * reached : 2 * reached - 1;
    },
    /** Weight of each class in a tail, in the weight of a path above its level. */
    shares({ level, above, at }: UpperTail): Float64Array {
      const ofLevel = 2 * levels.indexOf(level) + 1;
      return Float64Array.from({ length: 2 * levels.length }, (_, i) => {
        const own = i + 1;
        if (own < ofLevel) return 0;
        return own === ofLevel ? at / above : 1;
      });
    },
  };
}
