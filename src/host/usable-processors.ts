/**
 * The number of processors for this process: all of the machine, or the share of its container.
 *
 * The count of the runtime ignores a container's quota of time (`docker run --cpus 2`, a limit in Kubernetes): with a thread
 * for every processor of a large host, the system would pause all of them again and again.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Version 2: `<quota> <period>` in microseconds, or `max <period>`. */
const QUOTA_2 = '/sys/fs/cgroup/cpu.max';
/** Version 1, in two files; -1 is no quota. */
const QUOTA_1 = '/sys/fs/cgroup/cpu/cpu.cfs_quota_us';
const PERIOD_1 = '/sys/fs/cgroup/cpu/cpu.cfs_period_us';

/**
 * Whole processors, at least 1: a quota of 2.5 is 3 threads.
 *
 * @param machine processors of the machine
 * @param read returns the text of a file, undefined where there is none
 */
export function usableProcessors(
  machine: number = availableParallelism(),
  read: (path: string) => string | undefined = textOf,
): number {
  const [quota, period] = (read(QUOTA_2) ?? `${read(QUOTA_1)?.trim()} ${read(PERIOD_1)?.trim()}`).split(
    /\s+/,
  );
  const share = Number(quota) / Number(period);
  return share > 0 && Number.isFinite(share) ? Math.min(machine, Math.ceil(share)) : machine;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
