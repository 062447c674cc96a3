/**
 * Servers of a fleet that are killed while they accept and run jobs of every operation.
 *
 * `node build/bench/operations/job-kills.js [kills] [seed]`, on the Redis of this machine
 * (test/support/fleet.ts). Every accepted job is to be found after each kill, to be there once, and to have the bytes of an
 * answer at once.
 */
import { dropFleet, newFleetName, REDIS } from '../../test/support/fleet.ts';
import { killServers } from '../../test/support/job-kills.ts';
import { report } from './figures.ts';

const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? 1);
let state = seed;

/** Park and Miller: the same kills for the same seed. */
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

const name = newFleetName();
const begin = performance.now();
try {
  const found = await killServers({
    ...{ url: REDIS.url, name, kills, random },
    report: (round, unfinished) => process.stderr.write(`${round} kills, ${unfinished} jobs unfinished\n`),
  });
  report(
    'job-kills-redis',
    `node build/bench/operations/job-kills.js ${kills} ${seed}`,
    { ...found, minutes: Math.round((performance.now() - begin) / 6000) / 10 },
    {
      'no accepted job is lost': found.lost.length === 0 && found.accepted === kills,
      'no job is doubled': found.listed === found.accepted,
      'every answer has its bytes': found.wrong.length === 0,
    },
  );
} finally {
  await dropFleet(name);
}
process.exit();
