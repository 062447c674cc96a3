/**
 * Says what GPU this machine has, and lets it answer W1 once. Ends with code 1 where there is none or the answer is wrong.
 *
 * `node build/bench/smoke.js` looks for a GPU, `--software` for the software driver.
 */
import { discover } from './discover.ts';
import { ask } from './jobs.ts';
import { effort } from './measure-plans.ts';

const software = process.argv.includes('--software');
const wanted = software ? ['gpu-software'] : ['gpu', 'gpu-served'];
const paths = software ? 4_000 : 100_000;

const { facts, absent } = await discover(({ name }) => wanted.includes(name));
for (const { name, why } of absent) console.log(`${name}: ${why}`);
for (const { name, device, adapter, features, limits } of facts) {
  console.log(`${name}: ${device}`);
  for (const [key, value] of Object.entries({ ...adapter, ...limits })) console.log(`  ${key}: ${value}`);
  if (features !== undefined) console.log(`  features: ${features.join(', ')}`);
  const job = { kind: 'measure', engine: name, plan: 'w1' } as const;
  const { answer } = await ask({ ...job, effort: effort(paths, 0, { processes: 1, quick: true }) });
  if (answer.kind === 'measured') {
    const { runMilliseconds, kernelMilliseconds } = answer.measurement;
    const kernel =
      kernelMilliseconds === undefined ? '' : `, ${kernelMilliseconds.toFixed(3)} ms of it in kernels`;
    console.log(`  W1 with ${paths} paths is right, ${runMilliseconds.toFixed(1)} ms${kernel}`);
  } else {
    console.log(`  W1: ${'message' in answer ? answer.message : answer.kind}`);
    process.exitCode = 1;
  }
}
if (absent.length > 0) process.exitCode = 1;
