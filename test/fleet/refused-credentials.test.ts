/** A store that refuses the user of FLEET_URL ends the start, with the reason. */
import { describe, expect, it } from 'vitest';
import { join, newFleetName, SERVICES } from '../support/fleet.ts';

describe.each(SERVICES)('A start of a fleet on $name', ({ name, url, present }) => {
  it.skipIf(!present)('fails where the store does not know the user', async () => {
    const address = new URL(url);
    address.username = 'nobody_here';
    address.password = 'a-wrong-password';
    const opened = join(address.href, newFleetName());
    const reason = name === 'Redis' ? 'WRONGPASS' : 'nobody_here';
    await expect(opened).rejects.toThrow(`FLEET_URL: The store of the fleet rejects the authentication`);
    await expect(opened).rejects.toThrow(reason);
    await expect(opened).rejects.not.toThrow('a-wrong-password');
  });

  it.skipIf(!present)('fails where the store does not have the database', async () => {
    const address = new URL(url);
    address.pathname = name === 'Redis' ? '/99999' : '/not_here';
    const opened = join(address.href, newFleetName());
    await expect(opened).rejects.toThrow('FLEET_URL: The store of the fleet does not have this database');
  });
});
