/** A store that refuses the user of REDIS_URL ends the start, with the reason. */
import { describe, expect, it } from 'vitest';
import { join, newFleetName, REDIS } from '../support/fleet.ts';

describe.skipIf(!REDIS.present)('A start of a fleet', () => {
  it('fails where the store does not know the user', async () => {
    const address = new URL(REDIS.url);
    address.username = 'nobody_here';
    address.password = 'a-wrong-password';
    const opened = join(address.href, newFleetName());
    await expect(opened).rejects.toThrow('REDIS_URL: The store of the fleet rejects the authentication');
    await expect(opened).rejects.toThrow('WRONGPASS');
    await expect(opened).rejects.not.toThrow('a-wrong-password');
  });

  it('fails where the store does not have the database', async () => {
    const opened = join(`${REDIS.url}/99999`, newFleetName());
    await expect(opened).rejects.toThrow('REDIS_URL: The store of the fleet does not have this database');
  });
});
