/**
 * The whole service: market, engines and application joined and listening.
 *
 * Takes: a configuration. Gives: what a banner tells, and a way to stop. Must not know: signals, the terminal.
 */
import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';
import { maintenanceMarginRates } from './config-fields.ts';
import type { EngineSet } from './engine/engine-set.ts';
import { openEngines } from './engine/open-engine.ts';
import { createApp } from './http/app.ts';
import { generateKey, hashKey } from './http/keys.ts';
import { ROUTES } from './http/routes.ts';
import { listen } from './http/server.ts';
import type { Logger } from './log.ts';
import type { MarketData } from './market/market-data.ts';
import { openMarket } from './market/open-market.ts';

export interface Service {
  readonly url: string;
  /** The key made for this run; undefined where keys are configured. */
  readonly key: string | undefined;
  /** `Risk engine version`. */
  readonly version: string;
  readonly market: MarketData;
  readonly engines: EngineSet;
  /** Takes nothing more, finishes what runs, and lets go of everything. */
  stop(): Promise<void>;
}

/** Beyond the deadline of a request: for its answer to be written. */
const ANSWER_MS = 1000;

/** Version of the engine: that of the package. */
function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Starts a service. What was opened before a failure is closed again.
 * @throws whatever the market store, the engines or the network refuse with
 */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const opened: { close(): Promise<void> }[] = [];
  const closeAll = async () => {
    for (const each of opened.reverse()) await each.close();
  };
  try {
    const market = await openMarket({
      path: config.marketDb,
      asked: config.marketDbIsSet,
      now: () => new Date(),
      log,
    });
    opened.push(market);
    const engines = await openEngines({
      compute: config.compute,
      softwareGpu: config.softwareGpu,
      threads: config.cpuThreads,
      limits: { cpu: config.maxWorkCpu, gpu: config.maxWorkGpu },
      log,
    });
    opened.push(engines);
    const key = config.keyHashes.length === 0 ? generateKey() : undefined;
    const version = packageVersion();
    const app = createApp({
      routes: ROUTES,
      market,
      engines,
      maintenanceMargins: maintenanceMarginRates(config.maintenanceMargins),
      keyHashes: key === undefined ? config.keyHashes : [hashKey(key).toString('hex')],
      requestTimeoutSeconds: config.requestTimeoutSeconds,
      maxQueue: config.maxQueue,
      gpuRequired: config.compute === 'gpu',
      version,
      log,
    });
    const server = await listen(app.callback(), { host: config.host, port: config.port, log });
    return {
      url: server.url,
      key,
      version,
      market,
      engines,
      async stop() {
        await server.drain(config.requestTimeoutSeconds * 1000 + ANSWER_MS);
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
