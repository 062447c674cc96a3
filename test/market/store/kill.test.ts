/**
 * Killing imports and syncs at random moments: the store opens afterwards and holds what was written as a whole only.
 *
 * MARKET_KILLS sets the number of kills of each; `MARKET_KILLS=500` is the long form.
 *
 * @module-tag slow
 */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { closeAt, fakeExchange } from '../../support/fake-exchanges.ts';
import { temporaryFolder } from '../../support/market-files.ts';
import {
  heldCloses,
  importProgram,
  type KillCounts,
  killAtRandom,
  syncProgram,
  writeImport,
} from '../../support/market-kill.ts';

const KILLS = Number(process.env.MARKET_KILLS ?? 5);
const LIMIT_MS = 900_000 + KILLS * 30_000;
const HOUR = 3_600_000;

const told = (what: string, { programs, killed, killedAfterWriting }: KillCounts): void =>
  console.log(
    `${programs} ${what}: ${killed} killed, ${killedAfterWriting} of them after their first version`,
  );

it(`Killed imports leave whole imports only, after ${KILLS} kills`, {
  timeout: LIMIT_MS,
}, async () => {
  const folder = temporaryFolder();
  const store = join(folder, 'market');
  let before: readonly number[] = [];
  const counts = await killAtRandom(
    KILLS,
    number => importProgram(store, writeImport(join(folder, `import-${number}`), number)),
    async (number, killed) => {
      const series = Object.values(await heldCloses(store, 'day'));
      const after = series[0]?.map(([, close]) => close) ?? [];
      // Three series, each of one value per import: all of this import, or nothing of it.
      for (const each of series) expect(each.map(([, close]) => close)).toEqual(after);
      const wrote = after.length > before.length;
      expect(after, `import ${number}`).toEqual(wrote ? [...before, number] : before);
      if (!killed) expect(wrote, `import ${number}`).toBe(true);
      before = after;
      return wrote;
    },
  );
  told('imports', counts);
  expect(counts.killed).toBe(KILLS);
});

it(`Killed syncs leave whole syncs of a series only, after ${KILLS} kills, and the next sync continues`, {
  timeout: LIMIT_MS,
}, async () => {
  const start = Date.UTC(2024, 0, 1);
  // Each sync finds five more hours, and half of one.
  const at = (number: number): number => start + 5 * number * HOUR + HOUR / 2;
  let number = 1;
  const fake = await fakeExchange({ startMs: start, now: () => at(number) });
  onTestFinished(() => fake.close());
  const store = join(temporaryFolder(), 'market');
  let before: readonly number[] = [0, 0];
  const counts = await killAtRandom(
    KILLS,
    next => {
      number = next;
      return syncProgram(store, fake.url, start, at(next));
    },
    async (last, killed) => {
      const held = await heldCloses(store, 'hour');
      const after = ['BTC', 'ETH'].map(asset => held[asset]?.length ?? 0);
      for (const points of Object.values(held)) {
        // Every complete hour from the first on, without a gap, and nothing of the one that is not complete.
        const expected = points.map((_, i) => [start / HOUR + i + 1, closeAt(start + i * HOUR)]);
        expect(points).toEqual(expected);
      }
      for (const [i, count] of after.entries()) {
        expect([before[i], 5 * last], `sync ${last}`).toContain(count);
      }
      // The second series comes after the first.
      expect(after[0]).toBeGreaterThanOrEqual(after[1]);
      if (!killed) expect(after).toEqual([5 * last, 5 * last]);
      const wrote = after[0] > before[0];
      before = after;
      return wrote;
    },
  );
  told('syncs', counts);
  expect(counts.killed).toBe(KILLS);
});
