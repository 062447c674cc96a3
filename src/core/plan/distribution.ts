/** The optional distribution of a plan: its counts, and their places in one list. */
import { RATIO_BINS, slotsOf } from '../distribution/bins.ts';
import { type Declared, oneOf } from './fields.ts';

export const DISTRIBUTION_FIELDS = {
  /** Steps of a day: 24, or 1 on a daily grid. */
  daySteps: oneOf(1, 24),
};
export interface DistributionOption extends Declared<typeof DISTRIBUTION_FIELDS> {}

/**
 * Counts of a section: all paths' ratios in bins, paths by the day of an event, or ratios at each time of the fan.
 */
export type SectionKind = 'ratio' | 'days' | 'fan';

/** Sections in the order of their counts. */
export type Sections = Readonly<Record<string, SectionKind>>;

const MAX_FAN_TIMES = 64;

export const RATIO_SLOTS = slotsOf(RATIO_BINS);

/** The steps of a fan, evenly spaced and rising; the last is the last step. */
export function fanSteps(steps: number): Uint32Array {
  const times = Math.min(MAX_FAN_TIMES, steps);
  return Uint32Array.from({ length: times }, (_, i) => Math.floor((steps * (i + 1)) / times));
}

/** Days of a term, including an incomplete last one. */
export function daysOf(steps: number, { daySteps }: DistributionOption): number {
  return Math.ceil(steps / daySteps);
}

export interface SectionPlace {
  readonly first: number;
  readonly length: number;
}

export interface CountsLayout<S extends Sections> {
  readonly places: { readonly [N in keyof S]: SectionPlace };
  readonly length: number;
}

export function countsLayout<S extends Sections>(
  sections: S,
  steps: number,
  option: DistributionOption,
): CountsLayout<S> {
  const lengths: Readonly<Record<SectionKind, number>> = {
    ratio: RATIO_SLOTS,
    days: daysOf(steps, option),
    fan: fanSteps(steps).length * RATIO_SLOTS,
  };
  const places: Record<string, SectionPlace> = {};
  let length = 0;
  for (const [name, kind] of Object.entries(sections)) {
    places[name] = { first: length, length: lengths[kind] };
    length += lengths[kind];
  }
  return { places: places as CountsLayout<S>['places'], length };
}
