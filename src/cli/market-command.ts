/** What the commands of the market have in common: their options, where they write, their progress. */

import { printable } from '../market/printable.ts';

/** Where the command writes. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether standard error is a terminal, whose last line can be cleared. */
  readonly terminal: boolean;
}

/** What the environment says of the store. */
export interface MarketPlace {
  /** Folder or address of the store. */
  readonly store: string;
  /** Path of the rules file; empty without one. */
  readonly rules: string;
}

/** Arguments that are not understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const STRINGS = [
  'symbol',
  'quote',
  'exchange',
  'timeframe',
  'kind',
  'stamp',
  'columns',
  'mapping',
  'volume-unit',
  'dates',
  'decimal',
  'symbols',
  'since',
  'every',
  'api-url',
  'jump-sigmas',
  'disagreement',
  'stale-rows',
] as const;
export const FLAGS = ['help', 'dry-run', 'complete', 'allow-jumps', 'again', 'replace'] as const;

/** The options of all commands, as they were sent. */
export type SentOptions = Readonly<
  Partial<Record<(typeof STRINGS)[number], string> & Record<(typeof FLAGS)[number], boolean>>
>;

/** Back to the start of the line, which is cleared. */
const CLEAR_LINE = '\r\u001b[K';
/** Columns that the line of progress takes at most: one that wraps could not be cleared. */
const PROGRESS_WIDTH = 78;

/** A progress line on a terminal, nothing elsewhere. */
export function progressLine({ terminal, err }: Output): {
  update(done: number, total: number, what: string): void;
  stop(): void;
} {
  if (!terminal) return { update: () => {}, stop: () => {} };
  return {
    update(done, total, what) {
      const percent = Math.floor((100 * done) / Math.max(1, total));
      err(CLEAR_LINE + printable(`${percent} % | ${what}`).slice(0, PROGRESS_WIDTH));
    },
    stop: () => err(CLEAR_LINE),
  };
}
