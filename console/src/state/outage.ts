/**
 * Whether the server answers. After a request that it did not answer the page asks it until it does, and those who wait ask again.
 */
import { signal } from '@preact/signals';

/** How often the server has come back. */
export const recoveries = signal(0);

const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;

let pause = FIRST_PAUSE_MS;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** A request has found no server, or a proxy without one. */
export function reportOutage(): void {
  waiting ??= setTimeout(ask, pause);
  pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
}

/** A request was answered: the next outage is asked after soon. */
export function reportAnswer(): void {
  pause = FIRST_PAUSE_MS;
}

async function ask(): Promise<void> {
  clearTimeout(waiting);
  waiting = undefined;
  const answers = await fetch('/livez', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (answers) recoveries.value++;
  else reportOutage();
}

addEventListener('online', () => {
  if (waiting !== undefined) void ask();
});
