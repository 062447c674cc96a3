/**
 * Splits a run into dispatches of tens of milliseconds: a long dispatch cannot be cancelled, and the watchdog of a driver may
 * reset the device. No result may depend on the split.
 */
import { HOURS_PER_DAY } from '../plan/grid.ts';
import type { StepRates } from './step-rates.ts';

/** Most slices of one run in flight at a time. */
export const SLICES_IN_FLIGHT = 2;

/** The paths and steps of one dispatch. */
export interface Slice {
  readonly firstPath: number;
  readonly pathCount: number;
  /** A multiple of STEP_UNIT. */
  readonly firstStep: number;
  /** One past the last step; a multiple of STEP_UNIT or the last step of the run. */
  readonly endStep: number;
}

/** Limits of the slices of a run. */
export interface SliceLimits {
  readonly paths: number;
  readonly steps: number;
  /** Paths that one dispatch can take. */
  readonly maxPaths: number;
  /** Fewest paths of a dispatch, if the run has as many: steps are split instead, unless STEP_UNIT of them take too long. */
  readonly parallelPaths: number;
  /** Target duration of the next dispatch in nanoseconds; read before each. */
  readonly targetNanoseconds: () => number;
}

/** Steps of a day: the state of a path is stored at the end of a day (shaders/model/garch.wgsl). */
export const STEP_UNIT = HOURS_PER_DAY;

/** Most nanoseconds of STEP_UNIT steps: a block of more has fewer paths. Watchdogs reset a device after two seconds. */
const LONGEST_UNIT = 1e8;
/** Largest growth of work from one slice to the next: rates become more exact with longer slices. */
const GROWTH = 8;

/** The slices of a run in order, each sized by the current rates. */
export class SliceSchedule {
  private readonly limits: SliceLimits;
  private readonly rates: StepRates;
  private firstPath = 0;
  private pathCount = 0;
  private step = 0;
  private previousWork = Number.POSITIVE_INFINITY;

  constructor(limits: SliceLimits, rates: StepRates) {
    this.limits = limits;
    this.rates = rates;
  }

  /** The next slice, or undefined after the last. */
  next(): Slice | undefined {
    const { paths, steps } = this.limits;
    if (this.pathCount === 0) {
      if (this.firstPath === paths) return undefined;
      this.pathCount = this.blockPaths();
    }
    const endStep = this.endStep();
    const slice = { firstPath: this.firstPath, pathCount: this.pathCount, firstStep: this.step, endStep };
    this.previousWork = slice.pathCount * (endStep - slice.firstStep);
    this.step = endStep;
    if (endStep === steps) {
      this.firstPath += this.pathCount;
      this.pathCount = 0;
      this.step = 0;
    }
    return slice;
  }

  /** Paths of the next block: the target time, in blocks of equal size. */
  private blockPaths(): number {
    const { paths, steps, maxPaths, parallelPaths } = this.limits;
    const targetNanoseconds = this.limits.targetNanoseconds();
    const left = paths - this.firstPath;
    const most = Math.min(left, maxPaths);
    /** Paths of which a step takes a nanosecond. */
    const perNanosecond = most / this.rates.estimate(most);
    const fitting = Math.min(perNanosecond * targetNanoseconds, this.previousWork * GROWTH) / steps;
    const fewest = Math.min(parallelPaths, (perNanosecond * LONGEST_UNIT) / Math.min(steps, STEP_UNIT));
    const block = Math.min(most, Math.max(1, Math.floor(Math.max(fewest, fitting))));
    return Math.ceil(left / Math.ceil(left / block));
  }

  private endStep(): number {
    const { steps } = this.limits;
    const targetNanoseconds = this.limits.targetNanoseconds();
    const fitting = Math.min(
      targetNanoseconds / this.rates.estimate(this.pathCount),
      (this.previousWork * GROWTH) / this.pathCount,
    );
    const whole = Math.max(1, Math.floor(fitting / STEP_UNIT)) * STEP_UNIT;
    // A remainder of less than half a slice joins this one.
    return this.step + 1.5 * whole >= steps ? steps : this.step + whole;
  }
}
