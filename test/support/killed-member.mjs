/**
 * Several processes, one of which is killed just before the first sends a message to each: its exit is not known by then.
 * Prints `stopped` at the end.
 */
import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';

if (cluster.isWorker) {
  process.on('message', ({ kind }) => kind === 'stop' && process.exit(0));
  process.send({ kind: 'serving', banner: '', socket: '' });
} else {
  const { startProcesses } = await import('../../dist/processes/first.js');
  const { metricsOfAll } = await import('../../dist/metrics/metrics.js');
  const metrics = metricsOfAll();
  let noticed;
  const replaced = new Promise(resolve => {
    noticed = resolve;
  });
  const log = { info() {}, warn() {}, error: noticed };
  const all = await startProcesses({ count: 2, cpuThreads: 2, drainSeconds: 0, endSeconds: 9, metrics, log });
  const [worker] = Object.values(cluster.workers);
  worker.process.kill('SIGKILL');
  while (!/^State:\s+Z/m.test(readFileSync(`/proc/${worker.process.pid}/status`, 'utf8')));
  metrics().catch(() => {});
  await replaced;
  await all.stop(0);
  process.stdout.write('stopped');
  process.exit(0);
}
