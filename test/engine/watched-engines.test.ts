/** Engines of a job: their progress and their work limits. */
import { expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import type { QuestionEngines } from '#src/engine/engine-set.js';
import { watchedEngines } from '#src/engine/watched-engines.js';

function watched() {
  const shares: number[] = [];
  const options: unknown[] = [];
  const runs: Record<string, unknown>[] = [];
  let closed = 0;
  const engine = {
    description: { device: 'd' },
    supports: (plan: unknown) => plan === 'plan',
    run: async (_: unknown, given: { onProgress(share: number): void }) => {
      runs.push({ ...given });
      for (const share of [0.25, 1]) given.onProgress(share);
      return 'outcome';
    },
    trace: async (plan: unknown, given: unknown) => [plan, given],
    close: async () => {
      closed += 1;
    },
  } as unknown as Engine;
  const engines = {
    reference: 'reference',
    use: async (plan: unknown, _choice: unknown, body: (engine: Engine) => unknown, given: unknown) => {
      options.push(given);
      return [plan, await body(engine)];
    },
  } as unknown as QuestionEngines;
  const ofJob = watchedEngines(engines, share => shares.push(share), 7, 'job');
  const use = (given?: object) =>
    ofJob.use(
      'plan' as never,
      'cpu',
      (each: Engine) => each.run('plan' as never, { signal: 's' } as never),
      given as never,
    );
  return { ofJob, shares, options, runs, use, closed: () => closed };
}

it('A run has the scope of its job and larger limits, and tells its share of the whole', async () => {
  const { ofJob, shares, options, runs, use } = watched();
  expect(ofJob.reference).toBe('reference');
  expect(await use()).toEqual(['plan', 'outcome']);
  expect(shares).toEqual([0.25, 1]);
  expect(options).toEqual([{ limitScale: 7 }]);
  expect(runs).toEqual([{ signal: 's', scope: 'job', onProgress: expect.any(Function) }]);
});

it('A part of the work tells its share of the whole, and its end', async () => {
  const { shares, options, use } = watched();
  const part = { from: 0.5, to: 0.75 };
  await use({ part, other: 1 });
  expect(shares).toEqual([0.5625, 0.75, 0.75]);
  expect(options).toEqual([{ part, other: 1, limitScale: 7 }]);
});

it('An engine of a job is otherwise the engine itself', async () => {
  const { ofJob, closed } = watched();
  await ofJob.use(
    'plan' as never,
    'cpu',
    async (engine: Engine) => {
      expect(engine.description).toEqual({ device: 'd' });
      expect([engine.supports('plan' as never), engine.supports('x' as never)]).toEqual([true, false]);
      expect(await engine.trace('plan' as never, 'options' as never)).toEqual(['plan', 'options']);
      await engine.close();
    },
    undefined,
  );
  expect(closed()).toBe(1);
});
