/**
 * Servers that are killed while they accept and run jobs; `bench/operations/job-kills.ts` kills two hundred.
 *
 * @module-tag slow
 */
import { describe, expect, it } from 'vitest';
import { dropFleet, newFleetName, SERVICES } from '../support/fleet.ts';
import { killServers } from '../support/job-kills.ts';

const KILLS = 6;

for (const service of SERVICES) {
  describe.skipIf(!service.present)(`Killed servers on ${service.name}`, () => {
    it('lose and repeat no accepted job, and change no answer', async () => {
      const name = newFleetName();
      // A golden-ratio sequence: operations and moments of the kills are spread evenly.
      let at = 0;
      const random = () => {
        at = (at + 0.618_033_988_75) % 1;
        return at;
      };
      try {
        const report = await killServers({ url: service.url, name, kills: KILLS, random });
        expect(report).toMatchObject({ accepted: KILLS, listed: KILLS, lost: [], wrong: [] });
      } finally {
        await dropFleet(service, name);
      }
    });
  });
}
