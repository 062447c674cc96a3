/** Parts that are closed together. */
import { expect, it } from 'vitest';
import { closeInTurn } from '#src/host/opened.js';

it('Every part is closed in reverse order although two fail, and the failures are returned', async () => {
  const closed: string[] = [];
  const part = (name: string, failure?: Error) => ({
    async close() {
      closed.push(name);
      if (failure !== undefined) throw failure;
    },
  });
  const [first, second] = [new Error('first'), new Error('second')];
  const failures = await closeInTurn([
    part('market'),
    part('fleet', second),
    part('engines', first),
    part('server'),
  ]);
  expect(closed).toEqual(['server', 'engines', 'fleet', 'market']);
  expect(failures).toEqual([first, second]);
});
