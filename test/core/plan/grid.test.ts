/** Durations as steps of a grid. */
import { expect, it } from 'vitest';
import { graceSteps, roundedSteps, stepsOfDays } from '#src/core/plan/grid.js';

it('A term has the nearest number of steps, at least one', () => {
  for (const [days, hourly, daily] of [
    [0.01, 0, 0],
    [0.03, 1, 0],
    [0.5, 12, 1],
    [1.49, 36, 1],
    [1.5, 36, 2],
    [30, 720, 30],
  ]) {
    expect([roundedSteps(days, 1), roundedSteps(days, 24)], `${days} days`).toEqual([hourly, daily]);
    expect([stepsOfDays(days, 1), stepsOfDays(days, 24)]).toEqual([hourly || 1, daily || 1]);
  }
});

it('A grace period has whole hours, and on a daily grid whole days, rounded up', () => {
  for (const [hours, hourly, daily] of [
    [0, 0, 0],
    [0.5, 1, 1],
    [1, 1, 1],
    [24, 24, 1],
    [24.1, 25, 2],
  ])
    expect([graceSteps(hours, 1), graceSteps(hours, 24)], `${hours} hours`).toEqual([hourly, daily]);
});
