/** Entry point of a worker of a fleet: configuration, a line on its start, signals. */

import { processClock } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { openPartEngines } from '../engine/open-part-engines.ts';
import { connectFleet } from '../fleet/connect.ts';
import { startWorker } from '../fleet/fleet-worker.ts';
import { engineVersion } from '../host/engine-version.ts';
import { refuseInspector } from '../host/inspector.ts';
import { createLogger } from '../host/log.ts';
import { printBanner } from '../host/print-banner.ts';
import { createStop, exit, stopOnSignals } from '../host/process-end.ts';
import { type Config, ConfigError, loadConfig } from '../server/config.ts';

async function run({
  redisUrl,
  fleetName,
  cpuThreads,
  compute,
  softwareGpu,
  native,
  logLevel,
}: Config): Promise<void> {
  if (redisUrl === undefined || fleetName === undefined)
    throw new ConfigError('REDIS_URL and FLEET_NAME must be set: a worker computes for that fleet.');
  const log = createLogger(logLevel);
  refuseInspector(log);
  const engines = await openPartEngines({
    compute,
    softwareGpu: softwareGpu !== '0',
    threads: cpuThreads,
    native,
    log,
  });
  const connection = await connectFleet(redisUrl, fleetName, processClock, log);
  const version = engineVersion();
  const worker = await startWorker({
    ...connection,
    engines: engines.engines,
    threads: cpuThreads,
    version,
    clock: processClock,
    log,
  });
  const kinds = [...engines.engines.keys()].join(', ');
  log.info(
    { version, worker: worker.id, store: redisUrl.shown, fleet: fleetName, engines: kinds },
    'working',
  );
  const close = () => worker.close().then(() => engines.close());
  // After a second signal other workers compute the current parts.
  stopOnSignals(createStop(close, 'the current parts', log));
  printBanner(`worker ${worker.id}: ${kinds} on ${cpuThreads} threads, ${redisUrl.shown}\n`, log);
}

try {
  await run(loadConfig(process.env));
} catch (error) {
  const message = messageOf(error);
  const why = error instanceof ConfigError ? `The configuration is not valid.\n${message}` : message;
  process.stderr.write(`collateral-risk-engine worker did not start. ${why}\n`);
  await exit(1);
}
