/** The simulated fleet of docs/decisions/fleet.md, where its times can be told by hand. */
import { describe, expect, it } from 'vitest';
import { simulateFleet } from '../../bench/operations/fleet-simulation.ts';

const fleet = { hosts: 4, loans: 1000, paths: 1000, parts: 12, hostSeconds: 1200 };

describe('A simulated fleet', () => {
  it('whose parts cost nothing takes the time of its work', () => {
    const { seconds, hostsBusy } = simulateFleet(fleet, { partSeconds: 0, mebibyteSeconds: 0 });
    expect(seconds).toBeCloseTo(300, 1);
    expect(hostsBusy).toBeCloseTo(1, 2);
  });

  it('leaves hosts idle where the number of parts is not a multiple of theirs', () => {
    const uneven = { ...fleet, parts: 13, hostSeconds: 1300 };
    expect(simulateFleet(uneven, { partSeconds: 0, mebibyteSeconds: 0 }).seconds).toBeCloseTo(400, 1);
  });

  it('is limited by its store where transfers take longer than the work', () => {
    const run = simulateFleet({ ...fleet, hostSeconds: 0.001 }, { partSeconds: 2, mebibyteSeconds: 0 });
    expect(run.seconds).toBeCloseTo(24, 1);
    expect(run.storeBusy).toBeCloseTo(1, 2);
  });

  it('takes no less time with fewer hosts', () => {
    const costs = { partSeconds: 0.005, mebibyteSeconds: 0.02 };
    const times = [1, 2, 4, 8].map(hosts => simulateFleet({ ...fleet, hosts }, costs).seconds);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });
});
