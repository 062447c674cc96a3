/** Entry point of the server: configuration, banner, signals. */
import { isIPv6 } from 'node:net';
import { RiskError } from './core/errors.ts';
import { refuseInspector } from './host/inspector.ts';
import { createLogger, type Logger } from './host/log.ts';
import { printBanner } from './host/print-banner.ts';
import { createStop, exit, stopOnSignals } from './host/process-end.ts';
import { banner } from './server/banner.ts';
import { type Config, ConfigError, loadConfig } from './server/config.ts';
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

async function serve(settings: Config, log: Logger): Promise<void> {
  const service = await startService(settings, log);
  stopOnSignals(
    createStop(seconds => service.stop(seconds), 'running requests', log),
    settings.drainSeconds,
  );
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
  printBanner(await banner(service), log);
}

let config: Config | undefined;
try {
  config = loadConfig(process.env);
  const log = createLogger(config.logLevel);
  refuseInspector(log);
  await serve(config, log);
} catch (error) {
  process.stderr.write(`collateral-risk-engine did not start. ${startFailure(error, config)}\n`);
  await exit(1);
}
