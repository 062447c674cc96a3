/**
 * The bench itself: right answers pass, wrong ones are refused, and what is known belongs to the plans.
 *
 * @module-tag slow
 */
import { describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import { compareExactly, compareShare, isRight, refuseWrongAnswers, WrongAnswer } from '../../bench/judge.ts';
import { timeOfPass } from '../../bench/kernel-clock.ts';
import { KNOWN_FIGURES, type KnownPlan } from '../../bench/known-figures.ts';
import { measure } from '../../bench/measure.ts';
import { readOptions } from '../../bench/options.ts';
import { planFingerprint } from '../../bench/plan-text.ts';
import { recursion, W1_EXACT } from '../../bench/plans/w1.ts';
import { PLANS, planNamed, stretchedPlan } from '../../bench/plans.ts';
import { growth, median } from '../../bench/statistics.ts';
import { sharedSimd } from '../support/threads.ts';

const engine = sharedSimd(2);

const effort = (paths: number) => ({ paths, seed: 1, warmUpRuns: 0, leastRuns: 2, leastMilliseconds: 0 });

/** An engine whose figure `figure` is three percent too large: far beyond chance, and still plausible. */
function wrongEngine(figure: string): Engine {
  return {
    description: engine.description,
    supports: plan => engine.supports(plan),
    trace: (plan, options) => engine.trace(plan, options),
    close: async () => {},
    run: async (plan, options) => {
      const outcome = await engine.run(plan, options);
      return { ...outcome, [figure]: 1.03 * (outcome as unknown as Record<string, number>)[figure] };
    },
  };
}

describe('The bench', () => {
  it.each(PLANS.map(plan => plan.name))('times %s once its answer has passed', async name => {
    const plan = planNamed(name);
    const found = await measure({ engine }, plan, effort(plan.paths.quick));
    expect(found.comparisons.length).toBeGreaterThan(1);
    expect(found.comparisons.every(isRight)).toBe(true);
    expect(found.runMilliseconds).toBeGreaterThan(0);
    expect(found.timedRuns).toBe(2);
  });

  // With these paths three percent are at least ten standard errors; the judge's bound is below six.
  it.each([
    ['w1', 'marginCalls', 50_000],
    ['loan-five-assets', 'openSteps', 10_000],
    ['low-liquidity', 'soldAmount', 80_000],
    ['garch', 'marginCalls', 20_000],
    ['perpetual-linear', 'liquidations', 50_000],
  ])('gives no time for %s with %s three percent too large', async (name, figure, paths) => {
    const wrong = wrongEngine(figure);
    await expect(measure({ engine: wrong }, planNamed(name), effort(paths))).rejects.toThrow(WrongAnswer);
  });

  it('gives no time if the state of the answer is unknown', () => {
    expect(() => refuseWrongAnswers('a plan', [])).toThrow('nothing is known');
  });

  it('takes no figure that is not a number for right', () => {
    const comparison = { figure: 'share', got: Number.NaN, known: 0.5, standardError: 0.1, allowance: 1 };
    expect(isRight(comparison)).toBe(false);
  });

  it('judges a share of rare events by the tail of its law', () => {
    // Of a Poisson law with mean 0.83, seven events or more have probability 2.6e-5, eight 2.7e-6; 4.5 standard errors 3.4e-6.
    const of = (events: number) => compareShare('share', events, 100_000, 8.3e-6);
    expect([0, 1, 5, 7, 8].map(events => isRight(of(events)))).toEqual([true, true, true, true, false]);
  });

  it('judges as many runs as it was asked for, and compares each further one with the run of its seed', async () => {
    let runs = 0;
    const changing: Engine = {
      ...wrongEngine('paths'),
      run: async (plan, options) => {
        const outcome = await engine.run(plan, options);
        runs++;
        return runs > 3 ? { ...outcome, marginCalls: -1 } : outcome;
      },
    };
    const seen: number[] = [];
    const plan = {
      ...planNamed('w1'),
      judge: async (all: readonly unknown[]) => [compareExactly('runs', seen.push(all.length), 1)],
    };
    await measure({ engine: changing }, plan, effort(1_000));
    expect(seen).toEqual([3]);
    const longer = { ...effort(1_000), leastMilliseconds: Number.POSITIVE_INFINITY };
    runs = 0;
    await expect(measure({ engine: changing }, plan, longer)).rejects.toThrow('seed 1 gave two answers');
  });

  it('knows the same of W1 by two independent recursions', () => {
    const known = recursion(720);
    for (const figure of ['marginCalls', 'liquidations', 'underwater'] as const) {
      // Six digits of the one, about 1e-9 of the other.
      expect(Math.abs(known[figure] - W1_EXACT[figure]), figure).toBeLessThan(6e-7);
    }
  });

  it('stretches W1 along its axes without changing what is known of it', async () => {
    for (const plan of [stretchedPlan('steps', 96), stretchedPlan('assets', 6)]) {
      const { comparisons } = await measure({ engine }, plan, effort(4_000));
      expect(comparisons.every(isRight), JSON.stringify(comparisons)).toBe(true);
    }
  });

  it.each(Object.keys(KNOWN_FIGURES) as KnownPlan[])(
    'holds figures that were made for the %s of today',
    name => {
      expect(planFingerprint(planNamed(name))).toBe(KNOWN_FIGURES[name].fingerprint);
    },
  );

  it('sees where a cost begins to grow linearly', () => {
    const cost = (size: number) => ({ size, milliseconds: 1 + size / 100 });
    const { slope, localSlopes, linearFrom } = growth([1, 10, 100, 1_000, 10_000, 100_000].map(cost));
    expect(localSlopes[0]).toBeLessThan(0.1);
    expect(slope).toBeLessThan(1);
    expect(linearFrom).toBe(1_000);
    expect(growth([1, 2, 4].map(size => ({ size, milliseconds: size ** 2 }))).linearFrom).toBeUndefined();
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });

  it('counts the time of passes that overlap once', () => {
    // The begin of a queued pass may be stamped while the one before still runs.
    const stamps: [bigint, bigint][] = [
      [0n, 10n],
      [2n, 20n],
      [20n, 30n],
      [5n, 25n],
    ];
    let previousEnd = 0n;
    const times = stamps.map(([begin, end]) => {
      const time = timeOfPass(begin, end, previousEnd);
      previousEnd = end > previousEnd ? end : previousEnd;
      return time;
    });
    expect(times).toEqual([10n, 10n, 10n, 0n]);
  });

  it('reads its options and refuses what it does not know', () => {
    expect(readOptions([])).toMatchObject({
      sections: ['plans', 'growth', 'kernels', 'workgroups', 'http'],
      processes: 5,
      peers: undefined,
    });
    expect(readOptions(['--quick'])).toMatchObject({
      processes: 1,
      out: undefined,
      sections: ['plans', 'http'],
    });
    expect(readOptions(['--peers'])).toMatchObject({ peers: '../shared/peers' });
    expect(readOptions(['--peers', 'programs', '--section', 'plans'])).toMatchObject({
      peers: 'programs',
      sections: ['plans', 'peers'],
    });
    expect(() => readOptions(['--only', 'w7'])).toThrow('There is no plan "w7"');
    expect(() => readOptions(['--engine', 'tpu'])).toThrow('There is no engine "tpu"');
    expect(() => readOptions(['--processes', '0'])).toThrow('--processes');
    expect(() => readOptions(['programs'])).toThrow('Not understood');
  });
});
