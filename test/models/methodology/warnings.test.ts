/** Warnings about windows and tails, up to their bounds. */
import { describe, expect, it } from 'vitest';
import {
  fewRowsWarnings,
  filledWarnings,
  gbmTailWarnings,
  graceWarnings,
  historicalWarnings,
  needWarnings,
  sharesBelow,
  tailWarnings,
} from '#src/models/methodology/warnings.js';

const messagesOf = (warnings: readonly { readonly message: string }[]) =>
  warnings.map(({ message }) => message);

describe('A window', () => {
  it('has a warning from a quarter of carried closes on', () => {
    const carried = (count: number, of: number | undefined, unit: 'day' | 'hour' = 'day') =>
      messagesOf(filledWarnings([{ symbol: 'BTC', count, unit, ...(of === undefined ? {} : { of }) }]));
    expect(carried(24, 100)).toEqual([]);
    expect(carried(99, undefined)).toEqual([]);
    expect(carried(25, 100)).toEqual([
      expect.stringMatching(/^25 of the 100 daily closes of BTC were missing/),
    ]);
    expect(carried(30, 100, 'hour')[0]).toMatch(/^30 of the 100 hourly closes/);
  });

  it('of history has a warning of days, and of fewer than ten windows without overlap', () => {
    const few = (count: number, independent: string) =>
      `The ${count} windows overlap: their information is that of about ${independent} windows without overlap, and figures of fewer than 10 are not reliable.`;
    expect(historicalWarnings(100, 10, 1)).toEqual([]);
    expect(messagesOf(historicalWarnings(99, 10, 1))).toEqual([few(99, '9.9')]);
    expect(historicalWarnings(100, 10, 24).map(({ code }) => code)).toEqual(['daily-grid']);
    expect(historicalWarnings(7, 2, 24).map(({ code }) => code)).toEqual(['daily-grid', 'few-windows']);
  });

  it('or a sample that is short has a warning with its size', () => {
    const messages = (changes: object) =>
      messagesOf(needWarnings({ lookbackDays: 10, volatilityShock: 5, paths: 100, ...changes } as never));
    expect(messages({ paths: 1 })).toEqual([
      '1 path was simulated: with fewer than 100 every figure has a large sampling error.',
    ]);
    expect(messages({ paths: 2 })[0]).toMatch(/^2 paths were simulated/);
    expect(messages({ lookbackDays: 9 })).toEqual([
      'The window has 9 days: volatilities and correlations from fewer than 10 have large errors.',
    ]);
    expect(messages({ volatilityShock: 5.5 })).toEqual([
      'volatility_shock is 5.5, a fraction: volatilities are 6.5 times those of the window.',
    ]);
  });
});

describe('A quantile', () => {
  it('has a warning where fewer than ten paths lie beyond the furthest one', () => {
    const beyond = (count: string, paths: number, level: number) =>
      `${count} of ${paths} scenarios lie beyond the quantile ${level}: with fewer than 10 the figure is an extreme of the sample.`;
    expect(tailWarnings(100, [0.5, 0.9])).toEqual([]);
    expect(tailWarnings(100, [0.1, 0.5])).toEqual([]);
    expect(messagesOf(tailWarnings(99, [0.5, 0.9, 0.8]))).toEqual([beyond('9.9', 99, 0.9)]);
    expect(messagesOf(tailWarnings(99, [0.8, 0.1]))).toEqual([beyond('9.9', 99, 0.1)]);
    // Of two that are as far the first.
    expect(messagesOf(tailWarnings(8, [0.75, 0.25]))).toEqual([beyond('2.0', 8, 0.75)]);
  });

  it('of normal returns has a warning from a hundredth beyond it on', () => {
    const far = (kind: Parameters<typeof gbmTailWarnings>[0], ...levels: number[]) =>
      messagesOf(gbmTailWarnings(kind, levels)).map(message => /at (.*) losses/.exec(message)?.[1]);
    for (const kind of ['gbm', 'gbm-sobol', 'gbm-shifted'] as const) {
      expect(far(kind, 0.95, 0.99), kind).toEqual(['the quantile 0.99']);
      expect(far(kind, 0.01, 0.999), kind).toEqual(['the quantiles 0.01, 0.999']);
      expect(far(kind, 0.9899, 0.0101), kind).toEqual([]);
    }
    expect(far('student-t', 0.99)).toEqual([]);
  });
});

describe('Figures of rows of a window', () => {
  const few = (rows: number | undefined, days: number, shares: Readonly<Record<string, number>>) =>
    messagesOf(fewRowsWarnings(rows, days, shares)).map(message =>
      /^Scenarios are drawn from (\d+ rows) .* determine (.*?): more paths/.exec(message)?.slice(1),
    );

  it('have a warning up to a horizon of five days where fewer than thirty rows are on either side', () => {
    expect(few(100, 5, { A: 0.29, B: 0.3, C: 0.7, D: 0.71, E: 0 })).toEqual([['100 rows', 'A, D, E']]);
    expect(few(99, 1, { A: 0.5, B: 0.3 })).toEqual([['99 rows', 'B']]);
    expect(few(100, 5, { A: 0.3, B: 0.7 })).toEqual([]);
    expect(few(100, 5.01, { A: 0.01 })).toEqual([]);
    expect(few(undefined, 1, { A: 0.01 })).toEqual([]);
  });

  it('name each quantile by its level', () => {
    expect(sharesBelow([0.01, 0.5])).toEqual({ 'the quantile 0.01': 0.01, 'the quantile 0.5': 0.5 });
  });
});

it('A grace period has a warning from the length of the term on, with the first five ids', () => {
  const covered = (...topUpSteps: number[]) =>
    messagesOf(
      graceWarnings(
        topUpSteps.map(() => 24),
        topUpSteps,
        topUpSteps.map((_, k) => `L${k}`),
      ),
    );
  const all = 'is as long as the term: no call can end in a closeout, and PrCloseout is 0.';
  expect(covered(23, 0)).toEqual([]);
  expect(covered(23, 24, 25)).toEqual([`The grace period of 2 of the 3 loans (L1, L2) ${all}`]);
  expect(covered(0, 24, 24, 24, 24, 24)).toEqual([
    `The grace period of 5 of the 6 loans (L1, L2, L3, L4, L5) ${all}`,
  ]);
  expect(covered(24, 24, 24, 24, 24, 24)).toEqual([
    `The grace period of 6 of the 6 loans (L0, L1, L2, L3, L4, ...) ${all}`,
  ]);
  expect(messagesOf(graceWarnings([24], [24]))).toEqual([`The grace period ${all}`]);
});
