/** What the commands of the market have in common: their options, where they write, their progress bar. */
import { Presets, SingleBar } from 'cli-progress';

/** Where the command writes. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a progress bar can be drawn on standard error. */
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
  'symbols',
  'since',
  'every',
  'api-url',
  'jump-sigmas',
  'disagreement',
  'stale-rows',
] as const;
export const FLAGS = ['help', 'dry-run', 'complete', 'allow-jumps', 'again'] as const;

/** The options of all commands, as they were sent. */
export type SentOptions = Readonly<
  Partial<Record<(typeof STRINGS)[number], string> & Record<(typeof FLAGS)[number], boolean>>
>;

/** A progress bar on a terminal, nothing elsewhere. */
export function progressBar(output: Output): {
  update(done: number, total: number, what: string): void;
  stop(): void;
} {
  const bar = output.terminal
    ? new SingleBar(
        { format: '{bar} {percentage} % | {what}', hideCursor: true, clearOnComplete: true },
        Presets.shades_classic,
      )
    : undefined;
  bar?.start(1, 0, { what: '' });
  return {
    update(done, total, what) {
      bar?.setTotal(total);
      bar?.update(done, { what });
    },
    stop: () => bar?.stop(),
  };
}
