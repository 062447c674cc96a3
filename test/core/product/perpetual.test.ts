/** Positions on the paths of the reference against the rules. */

import { describe, expect, it } from 'vitest';
import { FLAG_LIQUIDATION, FLAG_MARGIN_CALL } from '#src/core/engine.js';
import { pricesOnPath } from '#src/core/rules/models.js';
import { positionOnPath } from '#src/core/rules/perpetual.js';
import { flagsOf } from '../../support/flags.ts';
import { runHere, traceHere } from '../../support/in-process.ts';
import { type ModelKind, randomPerpetualPlan } from '../../support/random-plans.ts';

const MODELS: readonly ModelKind[] = ['gbm', 'garch', 'historical'];
const PATHS = 40;
const CASES = Array.from({ length: 12 }, (_, i) => i + 1);
/** Both sides are doubles and differ in the order of operations only: a few hundred roundings of 1e-16. */
const ROUNDING = 1e-11;

describe.each(MODELS)('Positions under %s', model => {
  it.each(CASES)('have the figures of the rules for position %i', seed => {
    const plan = randomPerpetualPlan(seed, model, PATHS);
    const records = traceHere(plan);
    const scale = plan.product.initialMargin;
    for (let p = 0; p < PATHS; p++) {
      const relative = pricesOnPath(plan, p, plan.product.steps).map(prices => prices[0]);
      const plain = positionOnPath(plan.product, relative);
      const inputs = `case ${seed}, path ${p}, ${JSON.stringify(plan.product)}`;
      const { marginCall, liquidation } = plain;
      const events = { marginCall, liquidation, closeout: false, underwater: false };
      expect(records.flags[p] & (FLAG_MARGIN_CALL | FLAG_LIQUIDATION), inputs).toBe(flagsOf(events));
      for (const name of ['finalEquity', 'accumulatedFunding', 'maxEquityDrawdown'] as const) {
        const [got, wanted] = [records[name][p] / scale, plain[name] / scale];
        expect(Math.abs(got - wanted), `${name}; ${inputs}`).toBeLessThanOrEqual(
          ROUNDING * Math.max(1, Math.abs(wanted)),
        );
      }
      // Near liquidation leverage is 1 / (a small equity): its rounding grows with it.
      expect(records.medianLeverage[p] / plain.medianLeverage, inputs).toBeCloseTo(1, 7);
    }
  });

  it('have the numbers and columns of their records', () => {
    for (const seed of CASES) {
      const plan = randomPerpetualPlan(seed, model, PATHS);
      const records = traceHere(plan);
      const withFlag = (flag: number) => records.flags.filter(each => each & flag).length;
      expect(runHere(plan)).toMatchObject({
        kind: 'perpetual',
        paths: PATHS,
        marginCalls: withFlag(FLAG_MARGIN_CALL),
        liquidations: withFlag(FLAG_LIQUIDATION),
        finalEquity: records.finalEquity,
        accumulatedFunding: records.accumulatedFunding,
        maxEquityDrawdown: records.maxEquityDrawdown,
        medianLeverage: records.medianLeverage,
      });
    }
  });
});
