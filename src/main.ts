/** Entry point of the server: configuration, banner, signals. */
import { isIPv6 } from 'node:net';
import { banner } from './banner.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { RiskError } from './core/errors.ts';
import { createLogger, type Logger, standardErrorLog } from './log.ts';
import { type Service, startService } from './service.ts';

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

/** For a reader of the log to take its last lines. */
const LAST_LINES_MS = 1000;

async function exit(code: number): Promise<never> {
  await standardErrorLog().flush(LAST_LINES_MS);
  process.exit(code);
}

/** The first signal lets running requests finish; the second does not wait for them, nor for anything else. */
function stopOnSignals(service: Service, drainSeconds: number, log: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping: running requests are finished first');
    // SIGTERM comes from a supervisor, whose balancer still sends requests; the others come from a person.
    service.stop(signal === 'SIGTERM' ? drainSeconds : 0).then(
      () => exit(0),
      error => {
        log.error({ err: error }, 'did not stop cleanly');
        return exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // A terminal that is closed is no reason to drop what runs.
  process.on('SIGHUP', stop);
}

let config: Config | undefined;
try {
  config = loadConfig(process.env);
  const log = createLogger(config.logLevel);
  const service = await startService(config, log);
  stopOnSignals(service, config.drainSeconds, log);
  log.info(
    {
      version: service.version,
      address: service.url,
      engine: service.engines.reason,
      market: service.market.current().description,
    },
    'serving',
  );
  process.stdout.write(await banner(service));
} catch (error) {
  process.stderr.write(`collateral-risk-engine did not start. ${startFailure(error, config)}\n`);
  await exit(1);
}
