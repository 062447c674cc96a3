import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { usableProcessors } from '#src/host/usable-processors.js';

const V2 = '/sys/fs/cgroup/cpu.max';
const QUOTA = '/sys/fs/cgroup/cpu/cpu.cfs_quota_us';
const PERIOD = '/sys/fs/cgroup/cpu/cpu.cfs_period_us';

describe('the processors of a process', () => {
  it.each([
    ['all of them without a quota', {}, 64],
    ['all of them where the quota says max', { [V2]: 'max 100000\n' }, 64],
    ['two where a container has two', { [V2]: '200000 100000\n' }, 2],
    ['three for a quota of two and a half', { [V2]: '250000 100000\n' }, 3],
    ['one for a tenth', { [V2]: '10000 100000\n' }, 1],
    ['no more than there are', { [V2]: '12800000 100000\n' }, 64],
    ['two by the files of version 1', { [QUOTA]: '200000\n', [PERIOD]: '100000\n' }, 2],
    ['all of them where version 1 has no quota', { [QUOTA]: '-1\n', [PERIOD]: '100000\n' }, 64],
    ['all of them where a file holds something else', { [V2]: 'what?\n' }, 64],
  ] as const)('are %s', (_, files: Readonly<Record<string, string>>, processors) => {
    expect(usableProcessors(64, path => files[path])).toBe(processors);
  });

  it('are at least one and no more than the machine has, here', () => {
    expect(usableProcessors()).toBeGreaterThanOrEqual(1);
    expect(usableProcessors()).toBeLessThanOrEqual(availableParallelism());
  });
});
