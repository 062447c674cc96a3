/** Rules between members, at the ends of the accepted values. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  enoughForecasts,
  fewDistinctSymbols,
  fewForecasts,
  fewSymbolsOfPosition,
  fixedRatioAboveLiquidation,
  fixedRatioInRange,
  lastForecastIsJudged,
  type Rule,
  searchRangeAboveLiquidation,
  searchRangeNotEmpty,
  shortIsOfOthers,
  targetFitsScore,
  withRules,
} from '#src/question/request/rules.js';
import { explain } from '#src/text/message.js';

/** The refusal of a rule: its member and its words; undefined for a valid value. */
function refusalOf<T>(rule: Rule<T>, value: T): string | undefined {
  const { error } = withRules(
    z.custom<T>(() => true),
    rule,
  ).safeParse(value, { error: explain });
  const issues = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
  expect(issues.length).toBeLessThan(2);
  return issues[0];
}

/** So many symbols of equal weight. */
const symbols = (count: number, first = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`S${first + i}`, 1 / count]));

describe('The symbols of a request', () => {
  it('are at most 32 over both maps, common ones counted once', () => {
    const two = (collateral_weights: object, loan_weights: object) =>
      refusalOf(fewDistinctSymbols, {
        collateral_weights: { ...collateral_weights },
        loan_weights: { ...loan_weights },
      });
    expect(two(symbols(20), symbols(12, 20))).toBeUndefined();
    expect(two(symbols(32), symbols(32))).toBeUndefined();
    expect(two(symbols(20), symbols(13, 20))).toMatch(/^loan_weights: .* 32 distinct symbols.*33 of them/);
  });

  it('are at most 32 over both sides of a position, which differ', () => {
    const sides = (held: object, owed?: object) =>
      refusalOf(fewSymbolsOfPosition, { weights: { ...held }, short_weights: owed && { ...owed } });
    expect(sides(symbols(32))).toBeUndefined();
    expect(sides(symbols(32), symbols(5))).toBeUndefined();
    expect(sides(symbols(32), symbols(1, 32))).toMatch(/^short_weights: .*33 of them/);
    expect(refusalOf(shortIsOfOthers, { weights: { BTC: 1 }, short_weights: { BTC: 1 } })).toMatch(
      /^short_weights: /,
    );
    expect(
      refusalOf(shortIsOfOthers, { weights: { BTC: 1 }, short_weights: { BTC: 0.9, ETH: 0.1 } }),
    ).toBeUndefined();
  });
});

describe('The days of a back-test', () => {
  const from = 20_000;
  const days = (to: number, horizon = 1) => ({ from, to, horizon });

  it('end with the forecast that the close of yesterday judges', () => {
    const rule = lastForecastIsJudged(from + 100);
    expect(refusalOf(rule, days(from + 98))).toBeUndefined();
    expect(refusalOf(rule, days(from + 99))).toMatch(/^to: .*close of 1 day later/);
    expect(refusalOf(rule, days(from + 89, 10))).toBeUndefined();
    expect(refusalOf(rule, days(from + 90, 10))).toMatch(/^to: .*close of 10 days later/);
  });

  it('have two forecasts without overlap, and at most ten years of them', () => {
    expect(refusalOf(enoughForecasts, days(from + 10, 10))).toBeUndefined();
    expect(refusalOf(enoughForecasts, days(from + 9, 10))).toMatch(/^to: .*horizon \(10\)/);
    expect(refusalOf(fewForecasts, days(from + 3649))).toBeUndefined();
    expect(refusalOf(fewForecasts, days(from + 3650))).toMatch(/^from: .*3650 days.*3651 of them/);
  });
});

describe('The search of an origination', () => {
  it('has a range that is not empty and reaches above L', () => {
    const range = (variable_min: number, variable_max: number) =>
      refusalOf(searchRangeNotEmpty, { variable_min, variable_max });
    expect(range(1.2, 1.2)).toMatch(/^variable_max: .*above variable_min \(1\.2\)/);
    expect(range(1.2, 1.21)).toBeUndefined();
    const above = (variable_max: number) =>
      refusalOf(searchRangeAboveLiquidation, { L: 1.1, opt_param: { variable_max } });
    expect(above(1.1)).toMatch(/^opt_param\.variable_max: .*above L \(1\.1\)/);
    expect(above(1.11)).toBeUndefined();
  });

  it.each([
    ['PrLiquidation', 0, true],
    ['PrLiquidation', 1, true],
    ['PrLiquidation', -0.01, false],
    ['PrLiquidation', 1.01, false],
    ['WorstCaseCCR', 0, false],
    ['WorstCaseCCR', 0.01, true],
    ['WorstCaseCCR', 1.5, true],
  ])('for a target of %s accepts %f: %s', (score_variable, score_target, allowed) => {
    const refusal = refusalOf(targetFitsScore, { score_variable, score_target });
    const bound = score_variable === 'WorstCaseCCR' ? 'above 0 for WorstCaseCCR' : 'from 0 to 1 for PrLiq';
    if (allowed) expect(refusal).toBeUndefined();
    else expect(refusal).toContain(bound);
  });

  it.each(['M', 'R'] as const)('has a fixed %s in the range of the search and above L', name => {
    const inRange = (fixed: number | string) =>
      refusalOf(fixedRatioInRange(name), { [name]: fixed, variable_min: 1.2, variable_max: 2 });
    for (const allowed of [1.2, 2, 'auto']) expect(inRange(allowed)).toBeUndefined();
    for (const refused of [1.19, 2.01])
      expect(inRange(refused)).toMatch(
        new RegExp(`^${name}: .*from variable_min \\(1.2\\) to variable_max \\(2\\)`),
      );
    const above = (fixed: number | string) =>
      refusalOf(fixedRatioAboveLiquidation(name), { L: 1.1, opt_param: { [name]: fixed } });
    for (const allowed of [1.11, 'auto']) expect(above(allowed)).toBeUndefined();
    expect(above(1.1)).toMatch(new RegExp(`^opt_param.${name}: .*above L \\(1.1\\)`));
  });
});

it('A rule is skipped if a member that it needs, or a member inside it, has a fault', () => {
  const bad = (path: string[]) =>
    z
      .custom<{ L: number; opt_param: { variable_max: number; variable_min: number } }>(() => true)
      .superRefine((_, context) => context.addIssue({ code: 'custom', path, message: 'a fault of its own' }));
  const issuesWith = (path: string[]) =>
    withRules(bad(path), searchRangeAboveLiquidation).safeParse({
      L: 2,
      opt_param: { variable_max: 1, variable_min: 1 },
    }).error?.issues.length;
  for (const path of [
    ['L'],
    ['opt_param'],
    ['opt_param', 'variable_max'],
    ['opt_param', 'variable_max', 'x'],
  ])
    expect(issuesWith(path), path.join('.')).toBe(1);
  expect(issuesWith(['opt_param', 'variable_min'])).toBe(2);
});
