/** Horizons on a grid of history. */
import type { Fault } from '../../core/errors.ts';
import { type GridHours, roundedSteps } from '../../core/plan/grid.ts';
import { counted } from '../../text/counted.ts';
import type { Horizon } from './methodology.ts';

/**
 * Faults of the horizons that a grid of history does not resolve: those that round to no step, or to the step of an earlier one
 * (methodology 3.4). Their figures would describe another horizon.
 */
export function unresolvedHorizons(horizons: readonly Horizon[], gridHours: GridHours): Fault[] {
  const grid = gridHours === 1 ? 'hourly' : 'daily';
  const unit = gridHours === 1 ? 'hour' : 'day';
  const firstAt = new Map<number, Horizon>();
  return horizons.flatMap((horizon): Fault[] => {
    const { path, days, hours } = horizon;
    const sent = (each: Horizon) => each.hours ?? each.days;
    const steps = roundedSteps(days, gridHours);
    if (steps === 0) {
      const message =
        `${memberName(path)} must be at least half a step of the ${grid} history of this portfolio, ` +
        `${hours === undefined ? `${gridHours / 48} days` : `${gridHours / 2} hours`}; got ${sent(horizon)}`;
      return [{ code: 'out_of_range', path, message }];
    }
    const first = firstAt.get(steps);
    if (first === undefined) {
      firstAt.set(steps, horizon);
      return [];
    }
    const message =
      `${memberName(path)} must differ from ${memberName(first.path)} by a step of the ${grid} history of this portfolio; ` +
      `got ${sent(horizon)} and ${sent(first)}, which both round to ${counted(steps, unit)}`;
    return [{ code: 'out_of_range', path, message }];
  });
}

/** A member in messages: without the envelope's `params`. */
const memberName = (path: string) => path.replace(/^params\./, '');
