/** The tests of expected shortfall as members of the answer. */
import type { InterceptTest, StrictTest } from '../../core/stats/shortfall/esr.ts';
import type { ShortfallTests } from '../../core/stats/shortfall/tests.ts';

/** null where a level of the forecasts is no loss; a test without a decision is null. */
export function shortfallMembers(tests: ShortfallTests | undefined) {
  if (tests === undefined) return null;
  const { z2, score, againstGbm, esr } = tests;
  return {
    Z2: { Statistic: z2.statistic, PValue: z2.pValue },
    FZ0: {
      Score: score,
      AgainstGbm:
        againstGbm === undefined ? null : { Difference: againstGbm.difference, T: againstGbm.t ?? null },
    },
    EsrStrict: strictMembers(esr.strict),
    EsrIntercept: interceptMembers(esr.intercept),
  };
}

const strictMembers = (test: StrictTest | undefined) =>
  test === undefined
    ? null
    : {
        Intercept: test.intercept,
        Slope: test.slope,
        Statistic: test.statistic,
        DegreesOfFreedom: 2,
        PValue: test.pValue,
      };

const interceptMembers = (test: InterceptTest | undefined) =>
  test === undefined
    ? null
    : {
        Intercept: test.intercept,
        T: test.t,
        PValue: test.pValue,
        OneSidedPValue: test.oneSidedPValue,
      };
