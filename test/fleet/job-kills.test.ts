/**
 * Servers that are killed while they accept and run jobs.
 *
 * @module-tag slow
 */
import { describe, expect, it } from 'vitest';
import { dropFleet, newFleetName, REDIS } from '../support/fleet.ts';
import { killServers } from '../support/job-kills.ts';

const KILLS = 6;

describe.skipIf(!REDIS.present)('Killed servers on Redis', () => {
  it('lose and repeat no accepted job, and change no answer', async () => {
    const name = newFleetName();
    // A golden-ratio sequence: operations and moments of the kills are spread evenly.
    let at = 0;
    const random = () => {
      at = (at + 0.618_033_988_75) % 1;
      return at;
    };
    try {
      const report = await killServers({ url: REDIS.url, name, kills: KILLS, random });
      expect(report).toMatchObject({ accepted: KILLS, listed: KILLS, lost: [], wrong: [] });
    } finally {
      await dropFleet(name);
    }
  });
});
