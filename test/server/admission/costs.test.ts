/** What the bench says that work costs. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EngineKind } from '#src/core/engine.js';
import { weighedWork } from '#src/core/plan/work.js';
import { METHODOLOGIES } from '#src/models/methodology/methodologies.js';
import { type CalibrationSize, calibrationSeconds, predictedSeconds } from '#src/server/admission/costs.js';
import {
  ASSETS,
  FACTORS,
  MODEL_NANOSECONDS,
  NANOSECONDS,
  REPORT,
  SIMD_GAINS,
} from '#src/server/admission/measured-costs.js';
import { booksReport, costsModule, reportNamed } from '../../../bench/admission-costs.mjs';
import { type BookCase, bookPlan, unitPlan } from '../../../bench/operations/book-plans.ts';
import { planNamed } from '../../../bench/plans.ts';

const report = reportNamed(REPORT);
const ENGINES = { reference: 'cpu-1', simd: 'wasm-1', 'software-gpu': 'gpu-software' } as const;

const workOf = (plan: string | BookCase, paths: number) =>
  weighedWork(typeof plan === 'string' ? planNamed(plan).plan(paths, 0) : bookPlan(plan, paths));
const loan = (engine: keyof typeof ENGINES, assets: number, work: number, threads = 1) =>
  predictedSeconds({ engine, product: 'loan', model: 'gbm', assets, work, threads });
/** Without what every request costs. */
const milliseconds = (engine: keyof typeof ENGINES, assets: number, work: number) =>
  1000 * (loan(engine, assets, work) - loan(engine, assets, 0));

describe('the costs of admission', () => {
  it('are those of the report that they name (else: node bench/admission-costs.mjs)', () => {
    const file = new URL('../../../src/server/admission/measured-costs.ts', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(costsModule(REPORT, report, booksReport(), workOf));
  });

  it.each(Object.entries(ENGINES))('are within a tenth of the measured cost of %s', (engine, name) => {
    const series = report.growth.find(each => each.engine === name && each.axis === 'assets');
    expect(series?.points.length).toBeGreaterThan(4);
    for (const { size, milliseconds: measured } of series!.points) {
      const predicted = milliseconds(engine as keyof typeof ENGINES, size, series!.paths * 720 * size);
      expect(predicted / measured, `${size} assets: ${predicted} ms`).toBeGreaterThan(0.9);
      expect(predicted / measured, `${size} assets: ${predicted} ms`).toBeLessThan(1.1);
    }
  });

  // The software driver's times are those of a few hundred paths, too few to tell models apart.
  it.each(['reference', 'simd'] as const)(
    'of loans under every model are within a tenth of the measured cost of %s',
    engine => {
      const plans = {
        garch: 'garch',
        'student-t': 'student-t',
        'filtered-historical': 'filtered-historical',
        bootstrap: 'bootstrap-hours',
      } as const;
      for (const [model, plan] of Object.entries(plans) as [keyof typeof plans, string][]) {
        const row = report.plans.find(each => each.plan === plan && each.engine === ENGINES[engine]);
        const seconds = (work: number) =>
          predictedSeconds({ engine, product: 'loan', model, assets: 2, work, threads: 1 });
        const ratio =
          (1000 * (seconds(workOf(plan, row!.paths)) - seconds(0))) / row!.runMilliseconds!.median;
        expect(ratio, model).toBeGreaterThan(0.9);
        expect(ratio, model).toBeLessThan(1.1);
      }
    },
  );

  it.each(['reference', 'simd'] as const)('of a book by %s are those of the bench of books', engine => {
    const seconds = (product: 'book' | 'loan', of: EngineKind, work: number) =>
      predictedSeconds({ engine: of, product, model: 'gbm', assets: 10, work, threads: 1 }) -
      predictedSeconds({ engine: of, product, model: 'gbm', assets: 10, work: 0, threads: 1 });
    const unit = seconds('loan', 'reference', weighedWork(unitPlan(1000)));
    const { cases } = booksReport();
    expect(cases.length).toBeGreaterThan(4);
    // Whether baskets are shared and how often loans are called moves a case either way; their mean is what was measured.
    const ratios = cases.map(
      each => seconds('book', engine, workOf(each, 1000)) / unit / each.units[engine].median,
    );
    const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
    // Costs and factors are written with three digits.
    expect(Math.abs(mean - 1)).toBeLessThan(0.01);
  });

  it('are 20 milliseconds and the nanoseconds of each asset-step, by engine, product and model', () => {
    const seconds = (change: Partial<Parameters<typeof predictedSeconds>[0]>) =>
      predictedSeconds({
        ...{ engine: 'reference', product: 'loan', model: 'gbm', assets: ASSETS[0], work: 1e9, threads: 1 },
        ...change,
      });
    expect(seconds({ work: 0 })).toBe(0.02);
    for (const engine of ['reference', 'simd', 'gpu', 'software-gpu'] as const) {
      const like = NANOSECONDS[engine].loan * FACTORS[engine][0];
      for (const model of ['gbm', 'gbm-sobol', 'gbm-shifted', 'historical'] as const)
        expect(seconds({ engine, model }), `${engine} ${model}`).toBeCloseTo(0.02 + like, 9);
      for (const [model, more] of Object.entries(MODEL_NANOSECONDS[engine]))
        expect(seconds({ engine, model: model as 'garch' }), `${engine} ${model}`).toBeCloseTo(
          0.02 + like + more,
          9,
        );
    }
    for (const [lanes, gains] of Object.entries(SIMD_GAINS))
      expect(seconds({ engine: 'simd', lanes: Number(lanes) }) - 0.02, `${lanes} lanes`).toBeCloseTo(
        (NANOSECONDS.simd.loan * FACTORS.simd[0]) / gains.loan,
        9,
      );
    // A kernel of lanes that were not measured counts as that of WebAssembly.
    expect(seconds({ engine: 'simd', lanes: 1024 })).toBe(seconds({ engine: 'simd', lanes: 4 }));
    expect(seconds({ engine: 'simd' })).toBe(seconds({ engine: 'simd', lanes: 4 }));
    expect(seconds({ lanes: 8 })).toBe(seconds({}));
  });

  it('lie on a line between the numbers of assets that were measured', () => {
    const factor = (assets: number) =>
      (predictedSeconds({
        engine: 'reference',
        product: 'loan',
        model: 'gbm',
        assets,
        work: 1e9,
        threads: 1,
      }) -
        0.02) /
      NANOSECONDS.reference.loan;
    const { reference } = FACTORS;
    for (const [k, assets] of ASSETS.entries()) {
      expect(factor(assets), `${assets} assets`).toBeCloseTo(reference[k], 9);
      if (k === 0) continue;
      const between = (ASSETS[k - 1] + 3 * assets) / 4;
      expect(factor(between), `${between} assets`).toBeCloseTo((reference[k - 1] + 3 * reference[k]) / 4, 9);
    }
    expect(factor(ASSETS[0] / 2)).toBeCloseTo(reference[0], 9);
    expect(factor((ASSETS.at(-1) as number) * 2)).toBeCloseTo(reference.at(-1) as number, 9);
  });

  it('are shared between threads, and grow with the assets between those measured and beyond', () => {
    const alone = loan('reference', 2, 1e9) - loan('reference', 2, 0);
    expect(loan('reference', 2, 1e9, 4) - loan('reference', 2, 0)).toBeCloseTo(alone / 4, 10);
    for (let assets = 2; assets < 40; assets++)
      expect(loan('reference', assets + 1, 1e9)).toBeGreaterThanOrEqual(loan('reference', assets, 1e9));
  });
});

describe('the cost of fitting a model', () => {
  const { rows } = JSON.parse(
    readFileSync(new URL('../../../bench/results/operations/calibrations.json', import.meta.url), 'utf8'),
  ) as { rows: (Omit<CalibrationSize, 'fits'> & { model: string; seconds: number; predicted: number })[] };
  const costOf = (model: string) =>
    Object.values(METHODOLOGIES).find(({ kind, sobolKind, tailKind }) =>
      [kind, sobolKind, tailKind].some(each => each === model),
    )?.fitCost ?? { secondsPerFit: Number.NaN, secondsPerAssetDay: 0 };

  it('is the cost that the report compares with measured times (else: node build/bench/operations/calibrations.js)', () => {
    expect(rows.length).toBeGreaterThan(40);
    for (const row of rows)
      expect(calibrationSeconds({ ...row, fits: 1 }, costOf(row.model)), JSON.stringify(row)).toBeCloseTo(
        row.predicted,
        12,
      );
  });

  it('grows with the days of a back-test', () => {
    const size = { assets: 2, lookbackDays: 365 };
    const { fitCost } = METHODOLOGIES.STUDENT_T;
    expect(calibrationSeconds({ ...size, fits: 200 }, fitCost)).toBeCloseTo(
      200 * calibrationSeconds({ ...size, fits: 1 }, fitCost),
      10,
    );
    expect(calibrationSeconds({ ...size, fits: 200 }, fitCost)).toBeGreaterThan(4);
  });
});
