/**
 * The configuration: environment in, one frozen object out. The only reader of the environment.
 *
 * All faults are reported at once, and a server with a fault does not start. An empty variable counts as absent.
 */
import { z } from 'zod';
import {
  address,
  apiKeys,
  fleetName,
  fleetUrl,
  keysFile,
  maintenanceMargins,
  numberText,
  oneOf,
  origins,
  scenariosFile,
  unlessEmpty,
  wholeNumberText,
} from './config-fields.ts';
import { explain } from './request/message.ts';
import { descriptorLimit, mostConnections } from './usable-descriptors.ts';
import { usableProcessors } from './usable-processors.ts';

/** A configuration that the server refuses to start with; the message has one line per fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/**
 * Asset-steps per second of one thread, for the default work limit: the double-precision engine does 2.5e7 (BOOTSTRAP of hours) to
 * 2.7e8 (GBM, two assets) of a loan. What would miss its deadline all the same is refused by its predicted time (src/admission).
 */
const CPU_ASSET_STEPS_PER_SECOND = 3e7;

/** Where the limit of open files has room for more. */
const DEFAULT_CONNECTIONS = 10_000;

/** Each setting: its variable, the default (as it would be written), its values and meaning in words, and the schema of its text. */
const SETTINGS = {
  port: {
    variable: 'PORT',
    default: '8080',
    values: '0 to 65535',
    meaning: 'Port to listen on; 0 takes a free one.',
    schema: wholeNumberText(0, 65_535),
  },
  host: {
    variable: 'HOST',
    default: '127.0.0.1',
    values: 'name or address',
    meaning: 'Address to listen on; `0.0.0.0` in a container.',
    schema: z.string(),
  },
  /** Undefined where probes ask `port`. */
  healthPort: {
    variable: 'HEALTH_PORT',
    default: '',
    values: '0 to 65535',
    meaning:
      'Port for probes, on `HOST`: `/livez` and `/readyz` from a thread of its own, which answers at once however busy the server is. 0 takes a free one. Unset: probes ask `PORT`.',
    schema: unlessEmpty(wholeNumberText(0, 65_535)),
  },
  /** Of one process. */
  maxConnections: {
    variable: 'MAX_CONNECTIONS',
    default: '',
    values: '1 to 1000000',
    meaning:
      'Connections at the same time, of each process. One more closes the connection that has been silent for longest, or is closed itself where requests are under way on all. Unset: 10000, or as many as the limit of open files (`ulimit -n`) leaves room for: 100 and 6 for each of `CPU_THREADS` less.',
    schema: unlessEmpty(wholeNumberText(1, 1_000_000)),
  },
  /** SHA-256 digests in hexadecimal; the keys themselves are not stored. */
  keyHashes: {
    variable: 'API_KEYS',
    default: '',
    values: 'keys, or `sha256:<64 hex digits>`, separated by commas',
    meaning:
      'Keys that callers may send as `x-api-key`. Without any, one is made at start and shown in the banner.',
    schema: apiKeys,
  },
  /** Above 1 another process starts them. */
  processes: {
    variable: 'PROCESSES',
    default: '1',
    values: '1 to 64',
    meaning:
      'Processes that serve on the one port, so that they can be replaced one after another. Each has its part of `CPU_THREADS`; above 1 `API_KEYS` or `KEYS_FILE` is needed.',
    schema: wholeNumberText(1, 64),
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    default: '',
    values: 'origins, separated by commas, or `*`',
    meaning:
      'Origins whose pages may ask from a browser (CORS), such as `https://desk.example`. Unset: none.',
    schema: origins,
  },
  keysFile: {
    variable: 'KEYS_FILE',
    default: '',
    values: 'path',
    meaning:
      'File of keys with names, scopes, expiry and limits, made by `collateral-risk-engine keys`; a change counts within a second. Unset: `API_KEYS` alone.',
    schema: keysFile,
  },
  /** May contain a password. */
  redisUrl: {
    variable: 'REDIS_URL',
    default: '',
    values: '`redis://` or `rediss://` address',
    meaning:
      'Redis in which the limits of keys and failed keys of several processes are counted together. Unset: each process counts for itself.',
    schema: address('redis', 'rediss'),
  },
  marketDb: {
    variable: 'MARKET_DB',
    default: 'data/market',
    values: 'folder, http(s) address, or `sample`',
    meaning:
      'Market store: a folder, or the address at which such a folder is served. One that is named and not there is refused at start; `sample` serves the sample market, and so does an unset variable until there is a store in the default folder.',
    schema: z.string(),
  },
  /** Empty without rules. */
  marketRules: {
    variable: 'MARKET_RULES',
    default: '',
    values: 'path of a JSON file',
    meaning:
      'Which series price an asset, and symbols that stand for another: `{"exchanges": ["kraken"], "quotes": ["USD"], "aliases": {"WBTC": "BTC"}}`. Unset: the defaults of docs/market-data.md.',
    schema: z.string(),
  },
  compute: {
    variable: 'COMPUTE',
    default: 'auto',
    values: '`auto`, `gpu`, `cpu`',
    meaning: 'What the server offers; with `gpu` it does not start without one.',
    schema: oneOf('auto', 'gpu', 'cpu'),
  },
  softwareGpu: {
    variable: 'SOFTWARE_GPU',
    default: '0',
    values: '`0`, `1`, `auto`',
    meaning:
      '`1` starts on the software Vulkan driver, to try the GPU path without a GPU: for `x-compute: gpu` only. `auto` gives it the work of `x-compute: auto` too, to try what happens when a GPU is lost. Never in production.',
    schema: oneOf('0', '1', 'auto'),
  },
  native: {
    variable: 'NATIVE',
    default: 'auto',
    values: '`auto`, `0`, `sse`, `avx2`, `avx512`, `neon`',
    meaning:
      'SIMD kernel of the processor: `auto` takes the widest that the build and the processor have, `0` WebAssembly, a name that one. One that is not there, or fails its check, is a warning in the log, and WebAssembly serves. Figures are the same with all.',
    schema: oneOf('auto', '0', 'sse', 'avx2', 'avx512', 'neon'),
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    default: 'info',
    values: LOG_LEVELS.map(level => `\`${level}\``).join(', '),
    meaning: 'Least level that is logged.',
    schema: oneOf(...LOG_LEVELS),
  },
  requestTimeoutSeconds: {
    variable: 'REQUEST_TIMEOUT_SECONDS',
    default: '60',
    values: '0.1 to 3600',
    meaning: 'Deadline of a request, from its arrival, waiting included.',
    schema: numberText(0.1, 3600),
  },
  maxQueue: {
    variable: 'MAX_QUEUE',
    default: '32',
    values: '0 to 10000',
    meaning: 'Requests that may wait for an engine; one more is answered 429.',
    schema: wholeNumberText(0, 10_000),
  },
  jobTimeoutSeconds: {
    variable: 'JOB_TIMEOUT_SECONDS',
    default: '3600',
    values: '1 to 604800',
    meaning:
      'Time that a job (`Prefer: respond-async`) has once it runs, and a whole /batch from its arrival. Work limits grow with it for jobs.',
    schema: numberText(1, 604_800),
  },
  maxJobs: {
    variable: 'MAX_JOBS',
    default: '16',
    values: '0 to 10000',
    meaning: 'Unfinished jobs of one key; one more is answered 429.',
    schema: wholeNumberText(0, 10_000),
  },
  jobRetentionHours: {
    variable: 'JOB_RETENTION_HOURS',
    default: '24',
    values: '0.01 to 720',
    meaning:
      'How long the result of a finished job is kept: in memory, at most 256 MiB of results, or in the store of a fleet.',
    schema: numberText(0.01, 720),
  },
  cpuThreads: {
    variable: 'CPU_THREADS',
    default: '',
    values: '1 to 512',
    meaning:
      'Worker threads of the CPU engine, of all `PROCESSES` together. Unset: as many as the machine runs at once, or as the quota of the container allows.',
    schema: z.preprocess(text => text || String(usableProcessors()), wholeNumberText(1, 512)),
  },
  maxWorkCpu: {
    variable: 'MAX_WORK_CPU',
    default: '',
    values: '1 to 1e18',
    meaning:
      'Most work (asset-steps) that the CPU engine takes in one request. Unset: 3e7 x `CPU_THREADS` x `REQUEST_TIMEOUT_SECONDS`. Below it, too, work is refused that would miss the deadline.',
    schema: unlessEmpty(numberText(1, 1e18)),
  },
  maxWorkGpu: {
    variable: 'MAX_WORK_GPU',
    default: '2e12',
    values: '1 to 1e18',
    meaning: 'Most work (asset-steps) that the GPU engine takes in one request.',
    schema: numberText(1, 1e18),
  },
  drainSeconds: {
    variable: 'DRAIN_SECONDS',
    default: '5',
    values: '0 to 600',
    meaning:
      'After SIGTERM: how long requests are still taken while `/readyz` is 503, so that a balancer notices. Then what runs is finished.',
    schema: numberText(0, 600),
  },
  maxDataAgeDays: {
    variable: 'MAX_DATA_AGE',
    default: '',
    values: '0.1 to 3650 days',
    meaning: '`/readyz` is 503 where the latest close of the store is older. Unset: age does not matter.',
    schema: unlessEmpty(numberText(0.1, 3650)),
  },
  metricsAccess: {
    variable: 'METRICS_ACCESS',
    default: 'open',
    values: '`open`, `key`',
    meaning: 'Whether `/metrics` needs a key, which Prometheus then sends as `x-api-key`.',
    schema: oneOf('open', 'key'),
  },
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '',
    values: 'http(s) address',
    meaning:
      'Collector that takes traces by OTLP over HTTP, such as `http://127.0.0.1:4318`. Unset: no traces, and nothing of OpenTelemetry is loaded.',
    schema: address('http', 'https'),
  },
  allowPlan: {
    variable: 'ALLOW_PLAN',
    default: '1',
    values: '`0`, `1`',
    meaning:
      'Whether `?include=plan` is answered: a simulation plan holds the market data that it was made of.',
    schema: oneOf('0', '1').transform(flag => flag === '1'),
  },
  console: {
    variable: 'CONSOLE',
    default: '1',
    values: '`0`, `1`',
    meaning: 'Whether the console, a page for people, is served at `/`.',
    schema: oneOf('0', '1').transform(flag => flag === '1'),
  },
  /** May contain a password. */
  fleetUrl: {
    variable: 'FLEET_URL',
    default: '',
    values: '`redis://`, `rediss://` or `postgres://` address',
    meaning:
      'Store through which large requests are done by `collateral-risk-engine worker` processes, and jobs outlive a server (docs/fleet.md). Unset: everything runs in this process.',
    schema: fleetUrl,
  },
  fleetName: {
    variable: 'FLEET_NAME',
    default: 'risk',
    values: '1 to 32 small letters, digits and underscores',
    meaning: 'Sets fleets apart that share a store: prefix of keys, or of schemas.',
    schema: fleetName,
  },
  maintenanceMargins: {
    variable: 'MAINTENANCE_MARGINS',
    default: '',
    values: 'path of a JSON file',
    meaning:
      'Maintenance margins of perpetuals: `{"default": 0.005, "markets": {"BTC": 0.004, "ETH": [{"up_to_usd": 50000, "rate": 0.004}, {"rate": 0.01}]}}`; a tier is that of the notional at the start. Unset: 0.005 everywhere.',
    schema: maintenanceMargins,
  },
  scenarios: {
    variable: 'SCENARIOS_FILE',
    default: '',
    values: 'path of a JSON file',
    meaning:
      'Scenarios that /stress takes by name beside those of the program: `{"scenarios": [{"name": "house", "title": "House view", "price_shock": {"*": -0.4}}]}`. Unset: none.',
    schema: scenariosFile,
  },
} as const;

/** One variable as the documentation shows it. */
export interface ConfigVariable {
  readonly name: string;
  readonly default: string;
  readonly values: string;
  readonly meaning: string;
}

/** Every variable, in the order in which it is documented. */
export const CONFIG_REFERENCE: readonly ConfigVariable[] = Object.values(SETTINGS).map(
  ({ variable: name, default: text, values, meaning }) => ({ name, default: text, values, meaning }),
);

type Settings = { readonly [S in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[S]['schema']> };

/** The configuration of the server. */
export interface Config extends Readonly<Omit<Settings, 'maxConnections' | 'maxWorkCpu'>> {
  readonly maxConnections: number;
  readonly maxWorkCpu: number;
  /** Whether the environment names `marketDb`; otherwise it is the default. */
  readonly marketDbIsSet: boolean;
}

/**
 * The configuration that `env` (usually `process.env`) states.
 * @throws ConfigError with every fault, one per line.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const read = Object.entries(SETTINGS).map(([name, { variable, default: text, schema }]) => {
    const result = z
      .object({ [variable]: schema })
      .safeParse({ [variable]: env[variable] || text }, { error: explain });
    if (!result.success) faults.push(...result.error.issues.map(({ message }) => message));
    return [name, result.data?.[variable]] as const;
  });
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  const settings = Object.fromEntries(read) as Settings;
  const { port, healthPort, processes, keyHashes, keysFile, cpuThreads, maxConnections } = settings;
  if (processes > 1 && keyHashes.length === 0 && keysFile === undefined)
    throw new ConfigError(
      'PROCESSES above 1 needs API_KEYS or KEYS_FILE: each process would make a key of its own',
    );
  if (healthPort === port && port !== 0)
    throw new ConfigError(`HEALTH_PORT must be another port than PORT; got ${port} for both`);
  const limit = descriptorLimit();
  const room = mostConnections(limit, cpuThreads);
  if (maxConnections !== undefined && maxConnections > room)
    throw new ConfigError(
      `MAX_CONNECTIONS must be at most ${room}, because the process may have ${limit} files open (ulimit -n); got ${maxConnections}`,
    );
  return Object.freeze({
    ...settings,
    maxConnections: maxConnections ?? Math.min(DEFAULT_CONNECTIONS, room),
    maxWorkCpu:
      settings.maxWorkCpu ?? CPU_ASSET_STEPS_PER_SECOND * cpuThreads * settings.requestTimeoutSeconds,
    marketDbIsSet: Boolean(env.MARKET_DB),
  });
}
