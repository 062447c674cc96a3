/** Waiting for what will come, however slow the machine: only the limit of the test ends it. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once `holds` gives true. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5);
}
