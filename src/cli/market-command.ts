/** Shared by the commands of the market: the store, the output, progress. */

import type { MarketRules } from '../market/rules.ts';
import { printable } from '../text/printable.ts';
import { CLEAR_LINE, type Output } from './output.ts';

/** Settings of the store in the environment. */
export interface MarketPlace {
  /** Folder or address of the store. */
  readonly store: string;
  readonly rules: MarketRules;
  /** Days for which versions that answers were made from stay; the default of the store where undefined. */
  readonly keepDays?: number | undefined;
}

/** What a command works with. */
export interface MarketCall extends MarketPlace {
  readonly output: Output;
}

/** A progress line keeps within this width, so that the next one overwrites it whole. */
const PROGRESS_WIDTH = 78;

/** Progress in per cent, on terminals only. */
export function percentLine({ terminal, err }: Output): {
  update(done: number, total: number, what: string): void;
  end(): void;
} {
  if (!terminal) return { update: () => {}, end: () => {} };
  return {
    update(done, total, what) {
      const percent = Math.floor((100 * done) / Math.max(1, total));
      err(CLEAR_LINE + printable(`${percent} % | ${what}`).slice(0, PROGRESS_WIDTH));
    },
    end: () => err(CLEAR_LINE),
  };
}
