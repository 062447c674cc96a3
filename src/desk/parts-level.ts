/** The level of tables of loans, borrowers and assets. */
import { levelOfParts } from '../core/figures/usual.ts';
import { grouped, levelText } from '../text/grouped.ts';
import type { DeskResult } from './result.ts';

const HOURS_PER_DAY = 24;

/** The level of the tables of loans, borrowers and assets, as a key of figures, and what it is; null where too few scenarios lie beyond any. */
export function partsLevel({
  Run,
  Models,
}: Pick<DeskResult, 'Run' | 'Models'>): { readonly key: string; readonly words: string } | null {
  // Windows of the past begin every hour.
  const scenarios = Models[Run.Headline].Paths ?? HOURS_PER_DAY * Run.LookbackDays;
  const level = levelOfParts(Run.Levels, scenarios);
  if (level === undefined) return null;
  const beyond = Math.round(scenarios * (1 - level));
  return {
    key: String(level),
    words: `${levelText(level)} (${grouped(beyond, 0)} of ${grouped(scenarios, 0)} ${Models[Run.Headline].Paths === null ? 'windows' : 'paths'})`,
  };
}

/** Why a table of parts has no tail. */
export const NO_PARTS =
  'Fewer than 100 scenarios lie beyond every level: parts of a tail are not shown. More --paths give them.';
