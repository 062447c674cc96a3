/**
 * The whole service: market, engines and application joined and listening.
 *
 * Takes: a configuration. Gives: what a banner shows, and a way to stop. Must not know: signals, the terminal.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { processClock } from '../core/clock.ts';
import type { EngineSet } from '../engine/engine-set.ts';
import { openEngines } from '../engine/open-engine.ts';
import { type Fleet, openFleet } from '../fleet/fleet.ts';
import { createSpreader } from '../fleet/spread-engine.ts';
import { actorName } from '../host/actor-name.ts';
import { engineVersion } from '../host/engine-version.ts';
import { type Logger, standardErrorLog } from '../host/log.ts';
import { type Closable, closeInTurn } from '../host/opened.ts';
import { dataAgesOf } from '../market/data-ages.ts';
import type { LiveMarket } from '../market/live-market.ts';
import { openMarket } from '../market/open-market.ts';
import { QUESTIONS, QUESTIONS_WITHOUT_PLANS } from '../question/questions.ts';
import { createAdmission } from './admission/admission.ts';
import { type Counters, memoryCounters } from './admission/counters.ts';
import { declaredNames } from './answers/logged-names.ts';
import { createApp } from './app.ts';
import { openAuditFile } from './audit/audit-file.ts';
import type { Config } from './config.ts';
import { maintenanceMarginRates } from './config-fields.ts';
import { type HealthPort, keepReporting, openHealthPort } from './health/health-port.ts';
import { createReadiness } from './health/probes.ts';
import { createMemoryJobs } from './jobs/memory-jobs.ts';
import { createSharedJobs } from './jobs/shared-jobs.ts';
import { generateKey, hashKey } from './keys/key-digest.ts';
import { openKeyRing } from './keys/key-ring.ts';
import { createMetrics } from './metrics/metrics.ts';
import { NO_TRACING, type Tracing } from './tracing/trace.ts';
import { listen } from './transport/server.ts';
import { readStaticSite } from './transport/static-site.ts';

export interface Service {
  readonly url: string;
  /** The port for probes; undefined without one. */
  readonly healthPort: number | undefined;
  /** The key made for this run; undefined where keys are configured. */
  readonly key: string | undefined;
  /** Whether it serves the console. */
  readonly hasConsole: boolean;
  /** `Risk engine version`. */
  readonly version: string;
  readonly market: LiveMarket;
  readonly engines: EngineSet;
  /**
   * Reports not ready from now on, and still accepts requests for `drainSeconds`, so that a load balancer can react. Then it accepts
   * none, finishes the requests in progress, and closes everything.
   */
  stop(drainSeconds?: number): Promise<void>;
}

/** Time after the deadline of a request to write its answer. */
const ANSWER_MS = 1000;

/** Output folder of the console's build. */
const CONSOLE_FOLDER = new URL('../console/', import.meta.url);

/** Requests without a valid key that an address may send in a minute before it is answered 429. */
const FAILED_KEYS_PER_MINUTE = 60;

/** The fleet that the configuration names. Its packages are loaded only where there is one. */
async function joinFleet(
  { redisUrl, fleetName }: Config,
  version: string,
  log: Logger,
): Promise<Fleet | undefined> {
  if (redisUrl === undefined || fleetName === undefined) return undefined;
  const { connectFleet } = await import('../fleet/connect.ts');
  const connection = await connectFleet(redisUrl, fleetName, processClock, log);
  return openFleet({ ...connection, version, clock: processClock, log });
}

/** The client of Redis is loaded only where one is configured. */
async function openCounters({ redisUrl }: Pick<Config, 'redisUrl'>, log: Logger): Promise<Counters> {
  if (redisUrl === undefined) return memoryCounters();
  const { openRedisCounters } = await import('./admission/redis-counters.ts');
  return openRedisCounters({ url: redisUrl.url, log });
}

/** The port for probes, where one is configured. */
async function openHealth({ host, healthPort: port }: Config, log: Logger): Promise<HealthPort | undefined> {
  return port === undefined ? undefined : await openHealthPort({ host, port }, log);
}

/** The packages of OpenTelemetry are loaded only where a collector is configured. */
async function openTracing(
  { otlpEndpoint: endpoint }: Pick<Config, 'otlpEndpoint'>,
  version: string,
  log: Logger,
): Promise<Tracing> {
  if (endpoint === undefined) return NO_TRACING;
  const { openTelemetry } = await import('./tracing/open-telemetry.ts');
  return openTelemetry({ endpoint, version, log });
}

/**
 * Starts a service. A failed start closes all opened parts.
 * @throws the errors of the market store, the engines and the network
 */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const opened: Closable[] = [];
  try {
    // Before the parts that may be waited for: a supervisor must not end a process that waits for the store of the fleet.
    const health = await openHealth(config, log);
    if (health !== undefined) opened.push(health);
    const market = await openMarket({
      path: config.marketDb,
      asked: config.marketDbIsSet,
      now: () => new Date(),
      log,
      rules: config.marketRules,
    });
    opened.push(market);
    const version = engineVersion();
    const audit = config.auditFile === undefined ? undefined : await openAuditFile(config.auditFile, log);
    if (audit !== undefined) opened.push(audit);
    await audit?.write({ event: 'start', actor: actorName(), version, settings: config.given });
    const fleet = await joinFleet(config, version, log);
    if (fleet !== undefined) opened.push(fleet);
    const engines = await openEngines({
      compute: config.compute,
      softwareGpu: config.softwareGpu !== '0',
      autoTakesSoftware: config.softwareGpu === 'auto',
      threads: config.cpuThreads,
      native: config.native,
      limits: { cpu: config.maxWorkCpu, gpu: config.maxWorkGpu },
      spreader: fleet && createSpreader(fleet),
      log,
    });
    opened.push(engines);
    const needsKey = config.keyHashes.length === 0 && config.keysFile === undefined;
    const key = needsKey ? generateKey() : undefined;
    const keyHashes = key === undefined ? config.keyHashes : [hashKey(key).toString('hex')];
    const onKeys = (entries: object) => {
      // A failure is in the log, and no question is answered until the file can be written.
      audit?.write({ event: 'keys', ...entries }).catch(() => {});
    };
    const keys = openKeyRing({ hashes: keyHashes, file: config.keysFile, log, onKeys });
    opened.push({ close: async () => keys.close() });
    const counters = await openCounters(config, log);
    opened.push(counters);
    const { maxJobs, jobRetentionHours: retentionHours } = config;
    const jobs =
      fleet === undefined
        ? createMemoryJobs({ maxJobs, retentionHours })
        : createSharedJobs({
            ...{ maxJobs, retentionHours, clock: processClock, log },
            ...{ store: fleet.store, ask: call => fleet.ask(call) },
          });
    const admission = createAdmission(config.maxQueue, processClock);
    const dataAges = dataAgesOf(market, () => new Date());
    const readiness = createReadiness({
      engines,
      gpuRequired: config.compute === 'gpu',
      dataAges,
      auditWritable: audit && (() => audit.isWritable),
      maxDataAgeDays: config.maxDataAgeDays,
    });
    const tracing = await openTracing(config, version, log);
    // Closed last, so that it sends the spans of the others.
    opened.unshift(tracing);
    const metrics = createMetrics(version);
    metrics.read({
      backlogs: admission.backlogs,
      longestSliceSeconds: () => engines.longestSliceSeconds(),
      gpu: () => ({ state: engines.gpuState, ...engines.gpuCounts }),
      simd: () => engines.simdKernel,
      dataAges: dataAges.bySymbol,
      marketStore: () => market.isReadable,
      droppedLogLines: () => standardErrorLog().dropped,
      sharedCounters: () => counters.shared,
      keysFile: () => keys.isFileInForce,
      expiringKeys: () => keys.accounts().filter(({ expiresSoon }) => expiresSoon !== undefined).length,
      fleet: () => fleet && { answers: fleet.isAnswering && fleet.takesWrites, workers: fleet.ownWorkers },
      ready: () => readiness.obstacles().length === 0,
    });
    const routes = config.allowPlan ? QUESTIONS : QUESTIONS_WITHOUT_PLANS;
    declaredNames();
    const app = createApp({
      routes,
      scenarios: config.scenarios,
      venues: config.venues,
      market,
      engines,
      maintenanceMargins: maintenanceMarginRates(config.maintenanceMargins),
      keyHashes,
      keys,
      counters,
      failedKeysPerMinute: FAILED_KEYS_PER_MINUTE,
      requestTimeoutSeconds: config.requestTimeoutSeconds,
      corsOrigins: config.corsOrigins,
      maxQueue: config.maxQueue,
      cpuThreads: config.cpuThreads,
      jobTimeoutSeconds: config.jobTimeoutSeconds,
      jobs,
      gpuRequired: config.compute === 'gpu',
      admission,
      observation: { metrics, readiness },
      tracing,
      audit,
      metricsNeedKey: config.metricsAccess === 'key',
      version,
      log,
      ...(config.console ? { console: await readStaticSite(CONSOLE_FOLDER) } : {}),
    });
    const { host, port, maxConnections } = config;
    const keepAliveMs = config.keepAliveSeconds * 1000;
    const onSurplus = metrics.surplusConnection;
    const knowsKey = (sent: string) => keys.check(sent).known !== undefined;
    const server = await listen(app.callback(), {
      ...{ host, port, log, maxConnections, keepAliveMs, onSurplus, knowsKey },
    });
    const reportNow = () => health?.report(readiness.obstacles());
    const stopReports = health && keepReporting(reportNow, processClock);
    opened.push({ close: async () => stopReports?.() });
    return {
      url: server.url,
      hasConsole: config.console,
      healthPort: health?.port,
      key,
      version,
      market,
      engines,
      async stop(drainSeconds = 0) {
        readiness.beginDraining();
        reportNow();
        if (drainSeconds > 0) await sleep(drainSeconds * 1000);
        const patienceMs = config.requestTimeoutSeconds * 1000 + ANSWER_MS;
        await Promise.all([jobs.close(patienceMs), server.drain(patienceMs)]);
        const failures = await closeInTurn(opened);
        if (failures.length > 0) throw new AggregateError(failures, 'A part failed to close.');
      },
    };
  } catch (error) {
    for (const err of await closeInTurn(opened))
      log.warn({ err }, 'a part failed to close after a failed start');
    throw error;
  }
}
