/** The verdict of a back-test on a methodology, in words. */
import type { Judged } from './result.ts';
import { levelText } from './words.ts';

/** p-value below which a test objects. */
const SIGNIFICANT = 0.05;

export interface Verdict {
  readonly isObjection: boolean;
  readonly text: string;
}

/** `on the last 250 days`; without the days that have no close of their own. */
export const judgedDays = ({ Forecasts, Carried }: Pick<Judged, 'Forecasts' | 'Carried'>): string =>
  Carried === 0
    ? `on the last ${Forecasts} days`
    : `on ${Forecasts} of the last ${Forecasts + Carried} days (the others lack a close)`;

/** One sentence for each level, the outermost last. */
export function verdictsOf({
  Levels,
}: {
  readonly Levels: Readonly<Record<string, Omit<Judged['Levels'][string], 'Days'>>>;
}): readonly Verdict[] {
  return Object.entries(Levels)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([level, { Exceedances, Expected, KupiecP, Z2P }]) => {
      const days = `${Exceedances} ${Exceedances === 1 ? 'day' : 'days'} beyond ${levelText(Number(level))} where ${Expected.toFixed(1)} are promised`;
      const far = KupiecP < SIGNIFICANT;
      const deep = Z2P !== null && Z2P < SIGNIFICANT;
      if (far && Exceedances > Expected) return { isObjection: true, text: `${days}: too low` };
      if (deep) return { isObjection: true, text: `${days}, and deeper than it says` };
      if (far) return { isObjection: false, text: `${days}: cautious` };
      return { isObjection: false, text: `${days}: no objection` };
    });
}
