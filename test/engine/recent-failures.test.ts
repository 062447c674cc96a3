import { describe, expect, it } from 'vitest';
import { RecentFailures } from '#src/engine/recent-failures.js';
import { randomLoanPlan } from '../support/random-plans.ts';

describe('failures of the GPU', () => {
  it('expire after a minute', () => {
    let now = 0;
    const failures = new RecentFailures(() => now);
    const plan = randomLoanPlan(1, 'gbm', 100);
    expect(failures.isRecent(plan, 1)).toBe(false);
    failures.note(plan, 1);
    now = 59_999;
    expect(failures.isRecent({ ...plan, seed: 2, paths: 5 }, 1)).toBe(true);
    const scenarios = { ...plan.scenarios, assets: plan.scenarios.assets + 1 };
    expect(failures.isRecent({ ...plan, scenarios }, 1)).toBe(false);
    now = 60_000;
    expect(failures.isRecent(plan, 1)).toBe(false);
  });
});
