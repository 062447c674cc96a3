/** Entry point of the server: configuration, banner, signals. */
import { banner } from './banner.ts';
import { ConfigError, loadConfig } from './config.ts';
import { RiskError } from './errors.ts';
import { createLogger, type Logger } from './log.ts';
import { type Service, startService } from './service.ts';

const NETWORK_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken; set PORT to another',
  EACCES: 'the port may not be used by this user; set PORT to another',
  EADDRNOTAVAIL: 'this machine does not have that address; set HOST to another',
  ENOTFOUND: 'the host name is not known; set HOST to another',
};

/** Why the service did not start, for the person who started it. */
function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration is not valid.\n${error.message}`;
  if (error instanceof RiskError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code = '', address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const remedy = NETWORK_FAILURES[code];
  return remedy === undefined ? error.message : `Cannot listen on ${address}:${port}: ${remedy}.`;
}

/** The first signal lets running requests finish; the second does not wait for them. */
function stopOnSignals(service: Service, log: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping: running requests are finished first');
    service.stop().then(
      () => process.exit(0),
      error => {
        log.error({ err: error }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

try {
  const config = loadConfig(process.env);
  const log = createLogger(config.logLevel);
  const service = await startService(config, log);
  stopOnSignals(service, log);
  process.stdout.write(await banner(service));
} catch (error) {
  process.stderr.write(`collateral-risk-engine did not start. ${startFailure(error)}\n`);
  process.exit(1);
}
