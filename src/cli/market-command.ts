/** Shared by the commands of the market: options, context, progress. */
import { printable } from '../market/printable.ts';
import type { MarketRules } from '../market/rules.ts';
import { CLEAR_LINE, type Output } from './output.ts';

/** Settings of the store in the environment. */
export interface MarketPlace {
  /** Folder or address of the store. */
  readonly store: string;
  readonly rules: MarketRules;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The options of all commands, by the type of their values. */
export const MARKET_OPTIONS = {
  symbol: 'string',
  quote: 'string',
  exchange: 'string',
  timeframe: 'string',
  kind: 'string',
  stamp: 'string',
  columns: 'string',
  mapping: 'string',
  'volume-unit': 'string',
  dates: 'string',
  decimal: 'string',
  symbols: 'string',
  since: 'string',
  every: 'string',
  'api-url': 'string',
  'jump-sigmas': 'string',
  disagreement: 'string',
  'stale-rows': 'string',
  'dry-run': 'boolean',
  complete: 'boolean',
  'allow-jumps': 'boolean',
  again: 'boolean',
  replace: 'boolean',
} as const;
export type MarketOption = keyof typeof MARKET_OPTIONS;

export interface MarketCall extends MarketPlace {
  readonly operands: readonly string[];
  /** As they were sent. */
  readonly options: {
    readonly [K in MarketOption]?: (typeof MARKET_OPTIONS)[K] extends 'string' ? string : boolean;
  };
  readonly output: Output;
}

/** Most columns of the line of progress: a wrapped line cannot be cleared. */
const PROGRESS_WIDTH = 78;

/** A line with the finished share of the work on a terminal; nothing elsewhere. */
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
