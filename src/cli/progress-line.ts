/**
 * How far a long run is, on standard error: one line that renews itself on a terminal, now and then a line elsewhere.
 *
 * Takes: shares of the work that is done. Must not know: what the work is.
 */
import type { Output } from './market-command.ts';

const TERMINAL_MS = 200;
const LOG_MS = 10_000;

export interface ProgressLine {
  /** @param share 0 to 1 @param what what is being done */
  update(share: number, what: string): void;
  /** Leaves the line empty on a terminal. */
  end(): void;
}

/** @param now milliseconds; tests set it */
export function progressLine({ err, terminal }: Output, now = () => performance.now()): ProgressLine {
  const begin = now();
  let last = Number.NEGATIVE_INFINITY;
  return {
    update(share, what) {
      const moment = now();
      if (moment - last < (terminal ? TERMINAL_MS : LOG_MS)) return;
      last = moment;
      const elapsed = (moment - begin) / 1000;
      const left = share > 0 ? `, ${duration((elapsed / share) * (1 - share))} left` : '';
      const line = `${what}: ${Math.floor(100 * share)} % done${left}`;
      err(terminal ? `\r\u001b[K${line}` : `${line}\n`);
    },
    end() {
      if (terminal) err('\r\u001b[K');
    },
  };
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 120 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
