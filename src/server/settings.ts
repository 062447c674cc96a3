/** The settings of the server: variable, default, values and meaning of each. Read by config.ts. */
import { z } from 'zod';
import { usableProcessors } from '../host/usable-processors.ts';
import {
  address,
  apiKeys,
  flagText,
  fleetName,
  keysFile,
  maintenanceMargins,
  marketRules,
  numberText,
  oneOf,
  origins,
  redisUrl,
  scenariosFile,
  unlessEmpty,
  venuesFile,
  wholeNumberText,
} from './config-fields.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export interface Setting {
  readonly variable: string;
  /** As it would be written; nothing where absent. */
  readonly default?: string;
  /** In words; those of the schema where absent. */
  readonly values?: string;
  readonly meaning: string;
  /** Whether its value may have keys or passwords: records say only that it is set. */
  readonly secret?: true;
  /** Of the text of the variable. */
  readonly schema: z.ZodType;
}

/** Every setting of the server by its name in the program, in the order in which it is documented. */
export const SETTINGS = {
  port: {
    variable: 'PORT',
    default: '8080',
    meaning: 'Port to listen on; 0 selects a free one.',
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
    meaning:
      'Port for probes, on `HOST`: `/livez` and `/readyz` from a separate thread, which answers at once even when the server is busy. 0 selects a free one. Unset: probes use `PORT`.',
    schema: unlessEmpty(wholeNumberText(0, 65_535)),
  },
  maxConnections: {
    variable: 'MAX_CONNECTIONS',
    meaning:
      'Maximum number of open connections. A further connection closes the one that has been idle longest; if all have requests in progress, the new one is closed. Unset: 10000, or fewer if the limit of open files (`ulimit -n`) requires it: that limit less 100 and less 6 for each of `CPU_THREADS`.',
    schema: unlessEmpty(wholeNumberText(1, 1_000_000)),
  },
  /** SHA-256 digests in hexadecimal; the keys themselves are not stored. */
  keyHashes: {
    variable: 'API_KEYS',
    secret: true,
    values: 'keys, or `sha256:<64 hex digits>`, separated by commas',
    meaning:
      'Keys that clients may send as `x-api-key`. Unset: the server makes one at start and shows it in the banner.',
    schema: apiKeys,
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    values: 'origins, separated by commas, or `*`',
    meaning:
      'Origins whose pages may send requests from a browser (CORS), such as `https://desk.example`. Unset: none.',
    schema: origins,
  },
  keysFile: {
    variable: 'KEYS_FILE',
    values: 'path',
    meaning:
      'File of keys with names, scopes, expiry and limits, made by `collateral-risk-engine keys`; a change takes effect within a second. Unset: `API_KEYS` alone.',
    schema: keysFile,
  },
  /** May contain a password. */
  redisUrl: {
    variable: 'REDIS_URL',
    secret: true,
    values: '`redis://` or `rediss://` address',
    meaning:
      'Redis, or a compatible server, in which servers count limits of keys and failed keys together, and in which a fleet keeps its jobs and parts (`FLEET_NAME`). Unset: each server counts separately.',
    schema: redisUrl,
  },
  marketDb: {
    variable: 'MARKET_DB',
    secret: true,
    default: 'data/market',
    values: 'folder, http(s) address, or `sample`',
    meaning:
      'Market store: a folder, or the address at which such a folder is served. The server does not start if it does not exist. `sample` is the sample market; unset, the server uses the default folder, or the sample market while that folder has no store.',
    schema: z.string(),
  },
  marketRules: {
    variable: 'MARKET_RULES',
    values: 'path of a JSON file',
    meaning:
      'Which series give the price of an asset, and aliases of symbols: `{"exchanges": ["kraken"], "quotes": ["USD"], "aliases": {"WBTC": "BTC"}}`. Unset: the defaults of docs/market-data.md.',
    schema: marketRules,
  },
  marketKeepDays: {
    variable: 'MARKET_KEEP_DAYS',
    default: '30',
    meaning:
      'Days for which a market store keeps a version of its data after the last answer from it, so that a request may name it (`x-market-data`). For `market` commands, which remove old versions; `market keep` keeps one for good.',
    schema: numberText(0, 36_500),
  },
  compute: {
    variable: 'COMPUTE',
    default: 'auto',
    meaning: 'Engines that the server offers. With `gpu` it does not start without a GPU.',
    schema: oneOf('auto', 'gpu', 'cpu'),
  },
  softwareGpu: {
    variable: 'SOFTWARE_GPU',
    default: '0',
    meaning:
      '`1` uses the software Vulkan driver, to test the GPU engine without a GPU, for `x-compute: gpu` only. `auto` uses it for `x-compute: auto` too, to test the loss of a GPU. `SOFTWARE_GPU_DRIVER`, the path of a Vulkan manifest, names another driver than the one that is installed with the project. Not for production.',
    schema: oneOf('0', '1', 'auto'),
  },
  native: {
    variable: 'NATIVE',
    default: 'auto',
    meaning:
      'Native SIMD kernel: `auto` is the widest that the build and the processor support, `0` is WebAssembly, a name selects that kernel. If it is missing or fails its check, the server logs a warning and uses WebAssembly. All give the same figures.',
    schema: oneOf('auto', '0', 'sse', 'avx2', 'avx512', 'neon'),
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    default: 'info',
    meaning: 'Lowest level that is logged.',
    schema: oneOf(...LOG_LEVELS),
  },
  /** Undefined without one. */
  auditFile: {
    variable: 'AUDIT_FILE',
    values: 'path',
    meaning:
      'File to which the record of each answer is written before it is sent: without the record there is no answer (503). One server writes it. Unset: the lines of the log alone.',
    schema: z.string().transform(text => (text === '' ? undefined : text)),
  },
  requestTimeoutSeconds: {
    variable: 'REQUEST_TIMEOUT_SECONDS',
    default: '60',
    meaning: 'Deadline of a request, from its arrival; time in the queue counts.',
    schema: numberText(0.1, 3600),
  },
  maxQueue: {
    variable: 'MAX_QUEUE',
    default: '32',
    meaning: 'Requests that may wait for an engine; further ones are answered 429.',
    schema: wholeNumberText(0, 10_000),
  },
  jobTimeoutSeconds: {
    variable: 'JOB_TIMEOUT_SECONDS',
    default: '3600',
    meaning:
      'Time limit of a job (`Prefer: respond-async`) from its start, and of a whole /batch from its arrival. The work limits of jobs are larger in proportion.',
    schema: numberText(1, 604_800),
  },
  maxJobs: {
    variable: 'MAX_JOBS',
    default: '16',
    meaning: 'Unfinished jobs of one key; further ones are answered 429.',
    schema: wholeNumberText(0, 10_000),
  },
  jobRetentionHours: {
    variable: 'JOB_RETENTION_HOURS',
    default: '24',
    meaning:
      'How long the result of a finished job is stored: in memory (at most 256 MiB of results) or in the store of a fleet.',
    schema: numberText(0.01, 720),
  },
  cpuThreads: {
    variable: 'CPU_THREADS',
    values: '1 to 512',
    meaning:
      'Worker threads of the CPU engines. Unset: the number of processors of the machine, or the quota of the container.',
    schema: z.preprocess(text => text || String(usableProcessors()), wholeNumberText(1, 512)),
  },
  maxWorkCpu: {
    variable: 'MAX_WORK_CPU',
    values: '1 to 1e18',
    meaning:
      'Largest work (asset-steps) of a request on the CPU engines. Unset: 3e7 x `CPU_THREADS` x `REQUEST_TIMEOUT_SECONDS`. Smaller work is refused, too, if its predicted time exceeds the deadline.',
    schema: unlessEmpty(numberText(1, 1e18)),
  },
  maxWorkGpu: {
    variable: 'MAX_WORK_GPU',
    default: '2e12',
    values: '1 to 1e18',
    meaning: 'Largest work (asset-steps) of a request on the GPU engine.',
    schema: numberText(1, 1e18),
  },
  keepAliveSeconds: {
    variable: 'KEEP_ALIVE_SECONDS',
    default: '75',
    meaning:
      'Time after which an idle connection is closed. It must be longer than that of the proxy or balancer before the server: 75 fits their usual 60, Google Cloud needs 620.',
    schema: numberText(1, 3600),
  },
  drainSeconds: {
    variable: 'DRAIN_SECONDS',
    default: '5',
    meaning:
      'After SIGTERM: how long the server still accepts requests while `/readyz` is 503, so that a load balancer can react. Then it finishes the requests in progress.',
    schema: numberText(0, 600),
  },
  maxDataAgeDays: {
    variable: 'MAX_DATA_AGE',
    values: '0.1 to 3650 days',
    meaning: '`/readyz` is 503 if the latest close of the store is older. Unset: no limit.',
    schema: unlessEmpty(numberText(0.1, 3650)),
  },
  metricsAccess: {
    variable: 'METRICS_ACCESS',
    default: 'open',
    meaning: 'Whether `/metrics` requires a key, which Prometheus sends as `x-api-key`.',
    schema: oneOf('open', 'key'),
  },
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    secret: true,
    values: 'http(s) address',
    meaning:
      'Collector that receives traces by OTLP over HTTP, such as `http://127.0.0.1:4318`. Unset: no traces, and OpenTelemetry is not loaded.',
    schema: address('http', 'https'),
  },
  allowPlan: {
    variable: 'ALLOW_PLAN',
    default: '1',
    meaning:
      'Whether `?include=plan` is allowed: a simulation plan contains the market data that it was made from.',
    schema: flagText,
  },
  console: {
    variable: 'CONSOLE',
    default: '1',
    meaning: 'Whether the console, a web page, is served at `/`.',
    schema: flagText,
  },
  fleetName: {
    variable: 'FLEET_NAME',
    values: '1 to 32 lower-case letters, digits and underscores',
    meaning:
      'Joins the fleet of this name in the Redis of `REDIS_URL`: its servers share jobs, which outlive a server, and `collateral-risk-engine worker` processes compute parts of large requests (docs/fleet.md). Unset: jobs and requests stay in this process.',
    schema: fleetName,
  },
  maintenanceMargins: {
    variable: 'MAINTENANCE_MARGINS',
    values: 'path of a JSON file',
    meaning:
      'Maintenance margins of perpetuals: `{"default": 0.005, "markets": {"BTC": 0.004, "ETH": [{"up_to_usd": 50000, "rate": 0.004}, {"rate": 0.01}]}}`; the notional at the start selects the tier. Unset: 0.005 for all markets.',
    schema: maintenanceMargins,
  },
  venues: {
    variable: 'VENUES_FILE',
    values: 'path of a JSON file',
    meaning:
      'Venues of /cross_perp_risk, or members that replace those of a built-in one: `{"venues": {"binance": {"as_of": "2026-11-01", "tiers": {"BTC": {"linear": {"tiers": [{"from": 0, "rate": 0.004}]}}}}}}` (docs/accounts.md). Unset: the built-in ones.',
    schema: venuesFile,
  },
  scenarios: {
    variable: 'SCENARIOS_FILE',
    values: 'path of a JSON file',
    meaning:
      'Scenarios that /stress accepts by name, beside the built-in ones: `{"scenarios": [{"name": "house", "title": "House view", "price_shock": {"*": -0.4}}]}`. Unset: none.',
    schema: scenariosFile,
  },
} as const satisfies Readonly<Record<string, Setting>>;
