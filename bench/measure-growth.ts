/**
 * Cost of W1 against paths, steps and assets: how it grows, and from where on it grows linearly.
 */
import type { SizeClass } from './bench-plan.ts';
import type { BenchEngine } from './engines.ts';
import { type Asked, ask } from './jobs.ts';
import { type Diligence, effort, sizeOf, summarise } from './measure-plans.ts';
import type { Axis } from './plans.ts';
import { type CostPoint, type Growth, growth } from './statistics.ts';

/** The cost along one axis on one engine. */
export interface GrowthSeries {
  readonly axis: Axis;
  readonly engine: string;
  /** Paths of every run, where they are not the axis. */
  readonly paths: number | undefined;
  /** Kernel time where the engine has that clock, else run time. */
  readonly clock: 'kernel' | 'run';
  readonly points: readonly CostPoint[];
  /** Absent where a point could not be measured. */
  readonly growth?: Growth;
  readonly message?: string;
}

interface AxisSizes {
  readonly axis: Axis;
  /** Paths of the other axes. */
  readonly paths?: number;
  readonly sizes: readonly number[];
}

const STEPS = [24, 72, 168, 360, 720, 1440, 2880];
const ASSETS = [2, 3, 5, 8, 16, 32];

const SIZES: Readonly<Record<SizeClass, readonly AxisSizes[]>> = {
  quick: [{ axis: 'paths', sizes: [500, 1000, 2000] }],
  cpu: [
    { axis: 'paths', sizes: [250, 1_000, 4_000, 16_000, 64_000] },
    { axis: 'steps', paths: 10_000, sizes: STEPS },
    { axis: 'assets', paths: 2_000, sizes: ASSETS },
  ],
  software: [
    { axis: 'paths', sizes: [250, 1_000, 4_000, 16_000] },
    { axis: 'steps', paths: 2_000, sizes: STEPS },
    { axis: 'assets', paths: 250, sizes: ASSETS },
  ],
  gpu: [
    { axis: 'paths', sizes: [10_000, 100_000, 1_000_000, 4_000_000, 16_000_000, 64_000_000] },
    { axis: 'steps', paths: 4_000_000, sizes: STEPS },
    { axis: 'assets', paths: 1_000_000, sizes: ASSETS },
  ],
};

/** Measures all axes on one engine, one process per point. */
export async function measureGrowth(engine: BenchEngine, diligence: Diligence): Promise<GrowthSeries[]> {
  const series: GrowthSeries[] = [];
  for (const axis of SIZES[sizeOf(engine, diligence)])
    series.push(await measureAxis(engine, axis, diligence));
  return series;
}

async function measureAxis(
  engine: BenchEngine,
  { axis, paths, sizes }: AxisSizes,
  diligence: Diligence,
): Promise<GrowthSeries> {
  const points: CostPoint[] = [];
  let clock: 'kernel' | 'run' = 'run';
  for (const [at, size] of sizes.entries()) {
    const runPaths = axis === 'paths' ? size : (paths ?? size);
    const asked: Asked = await ask({
      kind: 'measure',
      engine: engine.name,
      axis,
      size,
      effort: effort(runPaths, at, diligence),
    });
    const row = summarise([asked], runPaths);
    if (row.status !== 'measured') {
      const message = row.status === 'unsupported' ? 'not supported' : row.message;
      return { axis, engine: engine.name, paths, clock, points, message };
    }
    if (row.kernelMilliseconds !== undefined) clock = 'kernel';
    points.push({ size, milliseconds: (row.kernelMilliseconds ?? row.runMilliseconds).median });
  }
  return { axis, engine: engine.name, paths, clock, points, growth: growth(points) };
}
