/**
 * Several processes, one of which is killed just before the primary process sends a message to each, when its exit is not known yet.
 * Prints how many have ended, and `stopped` at the end.
 */
import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';

if (cluster.isWorker) {
  process.on('message', ({ kind }) => {
    if (kind === 'stop') process.exit(0);
    if (kind === 'own-metrics-wanted') process.send({ kind: 'own-metrics', metrics: [] });
  });
  process.send({ kind: 'serving', banner: '', socket: '' });
} else {
  const { startProcesses } = await import('../../dist/server/processes/primary.js');
  const { processClock: clock } = await import('../../dist/core/clock.js');
  let joined;
  const joinMetrics = async (_, ended) => {
    joined?.(ended);
    return '';
  };
  let noticed;
  const replaced = new Promise(resolve => {
    noticed = resolve;
  });
  const log = { info() {}, warn() {}, error: noticed };
  const times = { drainSeconds: 0, endSeconds: 9, clock };
  const all = startProcesses({ count: 2, cpuThreads: 2, ...times, joinMetrics, log });
  await all.allServe;
  const [worker, other] = Object.values(cluster.workers);
  worker.process.kill('SIGKILL');
  while (!/^State:\s+Z/m.test(readFileSync(`/proc/${worker.process.pid}/status`, 'utf8')));
  // The primary process asks each for its metrics.
  other.emit('message', { kind: 'metrics-wanted', id: 0 });
  await replaced;
  const ends = new Promise(resolve => {
    joined = resolve;
  });
  other.emit('message', { kind: 'metrics-wanted', id: 1 });
  process.stdout.write(`${await ends} ended, `);
  await all.stop(0);
  process.stdout.write('stopped');
  process.exit(0);
}
