/** Entry point of the server: configuration, banner, signals. */
import cluster from 'node:cluster';
import { isIPv6 } from 'node:net';
import { processClock } from './core/clock.ts';
import { RiskError } from './core/errors.ts';
import { refuseInspector } from './host/inspector.ts';
import { createLogger, type Logger } from './host/log.ts';
import { printBanner } from './host/print-banner.ts';
import { createStop, exit, refuseReplacement, stopOnSignals } from './host/process-end.ts';
import { banner } from './server/banner.ts';
import { type Config, ConfigError, loadConfig } from './server/config.ts';
import { openHealthPort } from './server/health/health-port.ts';
import { joinMetrics } from './server/metrics/metrics.ts';
import { startProcesses } from './server/processes/primary.ts';
import { openServerProcess } from './server/processes/server-process.ts';
import { startService } from './server/service.ts';

const NETWORK_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken; set PORT to another',
  EACCES: 'the port may not be used by this user; set PORT to another',
  EADDRNOTAVAIL: 'this machine does not have that address; set HOST to another',
  ENOTFOUND: 'the host name is not known; set HOST to another',
  EAI_AGAIN: 'the host name could not be looked up; set HOST to another, or to an address',
};

/** Why the service did not start, for the person who started it. */
function startFailure(error: unknown, config: Config | undefined): string {
  if (error instanceof ConfigError) return `The configuration is not valid.\n${error.message}`;
  if (error instanceof RiskError) {
    const { message, cause } = error;
    return cause instanceof Error && cause.message !== '' ? `${message}\n${cause.message}` : message;
  }
  if (!(error instanceof Error)) return String(error);
  const remedy = NETWORK_FAILURES[(error as NodeJS.ErrnoException).code ?? ''];
  if (remedy === undefined || config === undefined) return error.message;
  const host = isIPv6(config.host) ? `[${config.host}]` : config.host;
  return `Cannot listen on ${host}:${config.port}: ${remedy}.`;
}

/** Time for a process to close everything after its last request. */
const LAST_WORK_SECONDS = 15;
/** The work that finishes before a stop. */
const RUNNING = 'running requests';

/** The primary process: starts the server processes, replaces them and stops them. */
async function startPrimary(settings: Config, log: Logger): Promise<void> {
  const { processes: count, cpuThreads, drainSeconds, requestTimeoutSeconds } = settings;
  const endSeconds = requestTimeoutSeconds + LAST_WORK_SECONDS;
  const { host, healthPort: port } = settings;
  const health = port === undefined ? undefined : await openHealthPort({ host, port }, log);
  const all = startProcesses({
    count,
    cpuThreads,
    drainSeconds,
    endSeconds,
    joinMetrics,
    ...(health && { health }),
    clock: processClock,
    log,
  });
  const stop = createStop(
    async seconds => {
      if (!(await all.stop(seconds))) throw new Error('a process did not stop cleanly');
    },
    RUNNING,
    log,
  );
  stopOnSignals(stop, drainSeconds, all.kill);
  process.on('SIGUSR2', all.replaceAll);
  const banner = await all.allServe;
  if (banner === undefined) return;
  log.info(
    { processes: count, pid: process.pid, ...(health && { health_port: health.port }) },
    'all processes serve',
  );
  printBanner(banner, log);
}

/** Serves in this process, alone or as one of several. */
async function serve(settings: Config, log: Logger): Promise<void> {
  let stop: ((drainSeconds: number) => void) | undefined;
  // A stop before it serves loses nothing.
  const own = openServerProcess(seconds => (stop === undefined ? process.exit(1) : stop(seconds)));
  if (own === undefined) refuseReplacement(log);
  const service = await startService(settings, log, own);
  stop = createStop(seconds => service.stop(seconds), RUNNING, log);
  if (own === undefined) stopOnSignals(stop, settings.drainSeconds);
  log.info(
    {
      version: service.version,
      address: service.url,
      ...(service.healthPort === undefined ? {} : { health_port: service.healthPort }),
      engine: service.engines.reason,
      market: service.market.current().description,
    },
    'serving',
  );
  const text = await banner(service);
  if (own === undefined) printBanner(text, log);
  else own.serving(text);
}

let config: Config | undefined;
try {
  config = loadConfig(process.env);
  const log = createLogger(config.logLevel, cluster.worker?.id);
  refuseInspector(log);
  if (config.processes > 1 && cluster.isPrimary) await startPrimary(config, log);
  else await serve(config, log);
} catch (error) {
  process.stderr.write(`collateral-risk-engine did not start. ${startFailure(error, config)}\n`);
  await exit(1);
}
