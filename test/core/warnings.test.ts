/** The sentences of warnings, and the figures that they concern. */
import { describe, expect, it } from 'vitest';
import { concerns, WARNING_CODES, WARNINGS, warningTopic } from '#src/core/warnings.js';

const TAILS = ['LossCVar', '1 d, 0.99: NetExposureVar', 'Roi q01', 'PeakDayUsd', 'CVarContribution'];
const STATES = ['PrCloseout', 'ExpectedLoss', 'Unsold ExpectedLoss', 'AvgLossPct'];

describe('A warning', () => {
  it.each(WARNING_CODES)('has a sentence: %s', code => {
    expect(WARNINGS[code]).toMatch(/^[A-Z].*[.:)]$/);
  });

  it.each([
    ['few-paths', 'all', []],
    ['gbm-tail', 'losses', TAILS],
    ['few-rows', 'losses', [...TAILS, ...STATES]],
    ['grace-covers-term', 'all', ['PrCloseout']],
    ['replay-proxy', 'replay', []],
  ] as const)('concerns its figures: %s', (code, topic, figures) => {
    expect(warningTopic(code)).toBe(topic);
    const all = [...TAILS, ...STATES, 'AvgSurvivalRate', 'WorstCaseCCR', 'Loss'];
    expect(all.filter(figure => concerns(code, figure))).toEqual(figures);
  });
});
