/** STUDENT_T: GBM with a random multiplier of the variance of each day: the returns of a day are multivariate t. */
import type { AlignedPrices } from '../../market/market-data.ts';
import { calibrateInThread } from '../calibration/calibration-pool.ts';
import { logReturns } from '../calibration/log-returns.ts';
import { degreesMembers, degreesWarnings } from './fitted-model.ts';
import { brownianSet, constantVolatility, GBM } from './gbm.ts';
import type { Methodology } from './methodology.ts';
import { closesOfMarks, lookbackCloses, type MarkCloses, mergeFilled } from './window.ts';

interface Prices {
  /** Daily closes, for the degrees of freedom. */
  readonly daily: AlignedPrices;
  /** The closes of the simulated volatility; a mark's closes are hourly. */
  readonly ofVolatility: MarkCloses;
}

export const STUDENT_T: Methodology<'STUDENT_T', Prices> = {
  name: 'STUDENT_T',
  title: 'Student t: heavy tails',
  words:
    'GBM with heavy tails: a random multiplier of the variance of each day makes its returns multivariate t.',
  assumption: 'heavy tails, one volatility',
  kind: 'student-t',
  questions: GBM.questions,
  draws: true,
  takesShock: true,
  // Each fit makes a table of its multiplier.
  fitCost: { secondsPerFit: 0.025, secondsPerAssetDay: 1e-6 },
  async read(need, context) {
    const daily = await lookbackCloses(need, context);
    return { daily, ofVolatility: need.ofMarks ? await closesOfMarks(need, context) : daily };
  },
  async fit({ daily, ofVolatility }, need, context) {
    const { symbols } = need.portfolio;
    const returns = daily.prices.map(logReturns);
    const { fit, multiplier } = await calibrateInThread('student-t', { symbols, returns }, context);
    context.log.info(fit, "degrees of freedom of Student's t");
    const { markVolatility: _, ...set } = brownianSet(
      constantVolatility(ofVolatility, need),
      ofVolatility,
      need,
    );
    return {
      ...set,
      scenarios: {
        ...set.scenarios,
        kind: 'student-t',
        degreesOfFreedom: fit.degreesOfFreedom,
        multiplier: multiplier.table,
        multiplierCap: multiplier.cap,
      },
      filled: mergeFilled(daily.filled, ofVolatility.filled),
      fitted: {
        ...set.fitted,
        members: { ...set.fitted.members, ...degreesMembers(fit) },
        warnings: degreesWarnings(fit),
      },
    };
  },
};
