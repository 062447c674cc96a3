/**
 * The engines for one run that reports its progress and has more time than a request, with larger work limits.
 *
 * Must not know: jobs, what the run computes.
 */
import type { Engine } from '../core/engine.ts';
import type { QuestionEngines } from './engine-set.ts';

/**
 * @param onProgress receives the finished share of the work, 0 to 1
 * @param limitScale factor of the work limit of a request
 * @param scope a name for the work, the same if another server adopts it
 */
export function watchedEngines(
  engines: QuestionEngines,
  onProgress: (share: number) => void,
  limitScale: number,
  scope: string,
): QuestionEngines {
  const watched = (engine: Engine, { from, to }: { from: number; to: number }): Engine => ({
    description: engine.description,
    supports: plan => engine.supports(plan),
    run: (plan, options) =>
      engine.run(plan, { ...options, scope, onProgress: share => onProgress(from + share * (to - from)) }),
    trace: (plan, options) => engine.trace(plan, options),
    close: () => engine.close(),
  });
  return {
    reference: engines.reference,
    async use(plan, choice, body, options) {
      const part = options?.part ?? { from: 0, to: 1 };
      const answer = await engines.use(plan, choice, engine => body(watched(engine, part)), {
        ...options,
        limitScale,
      });
      // A small run ends before it reports progress.
      if (options?.part !== undefined) onProgress(part.to);
      return answer;
    },
  };
}
