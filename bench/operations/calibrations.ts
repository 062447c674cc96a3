/**
 * How long models take to be fitted, beside what admission adds for it (src/server/admission/costs.ts).
 *
 * `node build/bench/operations/calibrations.js`. Processor time of this process, on windows of Student's t with four degrees of
 * freedom; GARCH(1,1) finds little to explain in them, and searches as long as on real returns.
 */

import type { ModelKind } from '../../src/core/plan/models.ts';
import { lowerNormalQuantile } from '../../src/core/random/inverse-normal.ts';
import { threefry4x32 } from '../../src/core/random/threefry.ts';
import { bootstrapScenarios } from '../../src/models/calibration/bootstrap.ts';
import {
  calibrateConstantVolatility,
  gbmScenarios,
} from '../../src/models/calibration/constant-volatility.ts';
import { sobolScenarios } from '../../src/models/calibration/correlation-factor.ts';
import { fitDegreesOfFreedom } from '../../src/models/calibration/degrees-of-freedom.ts';
import { filteredHistoricalScenarios } from '../../src/models/calibration/filtered-historical.ts';
import { fitGarchModel } from '../../src/models/calibration/garch.ts';
import { shiftedScenarios } from '../../src/models/calibration/shifted-scenarios.ts';
import { varianceMultiplier } from '../../src/models/calibration/variance-multiplier.ts';
import { METHODOLOGIES } from '../../src/models/methodology/methodologies.ts';
import type { FitCost } from '../../src/models/methodology/methodology.ts';
import { calibrationSeconds } from '../../src/server/admission/costs.ts';
import { quantileOf, report } from './figures.ts';

const ASSETS = [1, 2, 8];
const LOOKBACKS = [90, 365, 1000];
const ROUNDS = 9;
/** Fits of real windows differ as much among themselves. */
const FACTOR = 3;
/** Below this a fit does not matter to admission. */
const MIN_SECONDS = 0.005;
const DEGREES = 4;

let block = 0;
const normal = (word: number): number => {
  const u = (word + 0.5) / 2 ** 32;
  return u <= 0.5 ? lowerNormalQuantile(u) : -lowerNormalQuantile(1 - u);
};
/** Heavy-tailed returns of a scale; new ones with each call, so that no fit is remembered. */
function window(length: number, scale: number): Float64Array {
  return Float64Array.from({ length }, () => {
    block++;
    const words = [0, 1].flatMap(half => threefry4x32([block, half, 0, 0], [1, 2, 3, 4]));
    const [z, ...others] = words.slice(0, DEGREES + 1).map(normal);
    return (scale * z) / Math.sqrt(others.reduce((sum, x) => sum + x * x, 0) / DEGREES);
  });
}

type Fit = (symbols: readonly string[], days: number) => void;
const daily = (symbols: readonly string[], days: number) => symbols.map(() => window(days, 0.03));
const FITS: Readonly<Record<Exclude<ModelKind, 'historical'>, Fit>> = {
  gbm: (symbols, days) => void calibrateConstantVolatility(symbols, daily(symbols, days), 365, 0),
  'gbm-sobol': (symbols, days) =>
    void sobolScenarios(gbmScenarios(calibrateConstantVolatility(symbols, daily(symbols, days), 365, 0))),
  'gbm-shifted': (symbols, days) => {
    const gbm = gbmScenarios(calibrateConstantVolatility(symbols, daily(symbols, days), 365, 0));
    const equal = new Float64Array(symbols.length).fill(1);
    shiftedScenarios(gbm, { collateral: equal, debt: equal.map((each, i) => (i === 0 ? each : 0)) }, 720, 1);
  },
  garch: (symbols, days) => void fitGarchModel(symbols, daily(symbols, days)),
  'student-t': (symbols, days) =>
    void varianceMultiplier(fitDegreesOfFreedom(symbols, daily(symbols, days)).degreesOfFreedom),
  'filtered-historical': (symbols, days) =>
    void filteredHistoricalScenarios(fitGarchModel(symbols, daily(symbols, days)), 0),
  bootstrap: (symbols, days) =>
    void bootstrapScenarios(
      symbols.map(() => window(24 * days, 0.006)),
      1,
      0,
    ),
};

/** Of the first methodology with these scenarios. */
function costOf(model: string): FitCost {
  const found = Object.values(METHODOLOGIES).find(({ kind, sobolKind, tailKind }) =>
    [kind, sobolKind, tailKind].some(each => each === model),
  );
  if (found === undefined) throw new RangeError(`no methodology of ${model}`);
  return found.fitCost;
}

const processorSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const rows = Object.entries(FITS).flatMap(([model, fitTo]) =>
  ASSETS.flatMap(assets =>
    LOOKBACKS.map(lookbackDays => {
      const symbols = Array.from({ length: assets }, (_, i) => `asset ${i + 1}`);
      const making = Array.from({ length: ROUNDS }, () => {
        const begin = processorSeconds();
        fitTo(symbols, lookbackDays);
        return processorSeconds() - begin;
      });
      const drawing = Array.from({ length: ROUNDS }, () => {
        const begin = processorSeconds();
        for (const _ of symbols) window(model === 'bootstrap' ? 24 * lookbackDays : lookbackDays, 1);
        return processorSeconds() - begin;
      });
      const seconds = Math.max(0, quantileOf(making, 0.5) - quantileOf(drawing, 0.5));
      const predicted = calibrationSeconds({ fits: 1, assets, lookbackDays }, costOf(model));
      return { model, assets, lookbackDays, seconds, predicted };
    }),
  ),
);
const near = (a: number, b: number) => {
  const ratio = Math.max(a, MIN_SECONDS) / Math.max(b, MIN_SECONDS);
  return ratio < FACTOR && ratio > 1 / FACTOR;
};
report(
  'calibrations',
  'node build/bench/operations/calibrations.js',
  { rows },
  {
    [`every fit takes what is predicted, within a factor of ${FACTOR}`]: rows.every(row =>
      near(row.seconds, row.predicted),
    ),
  },
);
