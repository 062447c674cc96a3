/**
 * Faults of a fleet under load; `bench/operations/fleet-faults.ts` runs a hundred of them.
 *
 * @module-tag slow
 */
import { describe, expect, it } from 'vitest';
import { dropFleet, newFleetName, REDIS } from '../support/fleet.ts';
import { type Fault, type FaultReport, runCampaign } from '../support/fleet-faults.ts';

/** The store is that of the machine, which others use: it is not restarted. */
const FEW: readonly Fault[] = [
  'worker-killed',
  'server-cut-off',
  'worker-cut-off',
  'cancelled',
  'server-gone',
];

describe.skipIf(!REDIS.present)('Faults of a fleet on Redis', () => {
  it('change no answer', async () => {
    const name = newFleetName();
    const url = new URL(REDIS.url);
    const reports: FaultReport[] = [];
    try {
      await runCampaign({
        store: {
          port: Number(url.port),
          urlAt: port => REDIS.url.replace(url.port, String(port)),
          restart: () => Promise.reject(new Error('the store is not restarted')),
        },
        name,
        faults: FEW,
        random: () => 0.4,
        report: each => reports.push(each),
      });
    } finally {
      await dropFleet(name);
    }
    expect(reports.map(({ fault, right }) => ({ fault, right }))).toEqual(
      FEW.map(fault => ({ fault, right: true })),
    );
  });
});
