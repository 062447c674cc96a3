/**
 * The configuration: environment in, one frozen object out. The only reader of the environment.
 *
 * Every fault is told at once, and a server with a fault does not start. An empty variable counts as absent.
 */
import { z } from 'zod';
import { apiKeys, maintenanceMargins, numberText, oneOf, wholeNumberText } from './config-fields.ts';
import { explain } from './request/message.ts';
import { usableProcessors } from './usable-processors.ts';

/** A configuration that the server refuses to start with; the message has one line per fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/**
 * Asset-steps per second of one thread, for the default work limit: the double-precision engine does some 6e7 of a loan,
 * and two large requests share a thread.
 */
const CPU_ASSET_STEPS_PER_SECOND = 3e7;

/** Each variable: its default (as it would be written), its values and meaning in words, and how it is read. */
const VARIABLES = {
  PORT: {
    default: '8080',
    values: '0 to 65535',
    meaning: 'Port to listen on; 0 takes a free one.',
    schema: wholeNumberText(0, 65_535),
  },
  HOST: {
    default: '127.0.0.1',
    values: 'name or address',
    meaning: 'Address to listen on; `0.0.0.0` in a container.',
    schema: z.string(),
  },
  API_KEYS: {
    default: '',
    values: 'keys, or `sha256:<64 hex digits>`, separated by commas',
    meaning:
      'Keys that callers may send as `x-api-key`. Without any, one is made at start and shown in the banner.',
    schema: apiKeys,
  },
  MARKET_DB: {
    default: 'data/market.duckdb',
    values: 'path, or `sample`',
    meaning:
      'Market store. A file that is named and not there is refused at start; `sample` serves the sample market, and so does an unset variable where there is no store at the default path.',
    schema: z.string(),
  },
  COMPUTE: {
    default: 'auto',
    values: '`auto`, `gpu`, `cpu`',
    meaning: 'What the server offers; with `gpu` it does not start without one.',
    schema: oneOf('auto', 'gpu', 'cpu'),
  },
  SOFTWARE_GPU: {
    default: '0',
    values: '`0`, `1`',
    meaning: '1 starts on the software Vulkan driver, to try the GPU path without a GPU.',
    schema: oneOf('0', '1').transform(flag => flag === '1'),
  },
  LOG_LEVEL: {
    default: 'info',
    values: LOG_LEVELS.map(level => `\`${level}\``).join(', '),
    meaning: 'Least level that is logged.',
    schema: oneOf(...LOG_LEVELS),
  },
  REQUEST_TIMEOUT_SECONDS: {
    default: '60',
    values: '0.1 to 3600',
    meaning: 'Deadline of a request, from its arrival, waiting included.',
    schema: numberText(0.1, 3600),
  },
  MAX_QUEUE: {
    default: '32',
    values: '0 to 10000',
    meaning: 'Requests that may wait for an engine; one more is answered 429.',
    schema: wholeNumberText(0, 10_000),
  },
  CPU_THREADS: {
    default: '',
    values: '1 to 512',
    meaning:
      'Worker threads of the CPU engine. Unset: as many as the machine runs at once, or as the quota of the container allows.',
    schema: z.preprocess(text => text || String(usableProcessors()), wholeNumberText(1, 512)),
  },
  MAX_WORK_CPU: {
    default: '',
    values: '1 to 1e18',
    meaning:
      'Most work (asset-steps) that the CPU engine takes in one request. Unset: 3e7 x `CPU_THREADS` x `REQUEST_TIMEOUT_SECONDS`, which fits the deadline.',
    schema: z.preprocess(text => text || undefined, numberText(1, 1e18).optional()),
  },
  MAX_WORK_GPU: {
    default: '2e12',
    values: '1 to 1e18',
    meaning: 'Most work (asset-steps) that the GPU engine takes in one request.',
    schema: numberText(1, 1e18),
  },
  MAINTENANCE_MARGINS: {
    default: '',
    values: 'path of a JSON file',
    meaning:
      'Maintenance margins of perpetuals: `{"default": 0.005, "markets": {"BTC": 0.004}}`. Unset: 0.005 everywhere.',
    schema: maintenanceMargins,
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
export const CONFIG_REFERENCE: readonly ConfigVariable[] = Object.entries(VARIABLES).map(
  ([name, { schema: _, ...reference }]) => ({ name, ...reference }),
);

type Name = keyof typeof VARIABLES;
type Value<N extends Name> = z.output<(typeof VARIABLES)[N]['schema']>;

const environment = z.object(
  Object.fromEntries(Object.entries(VARIABLES).map(([name, { schema }]) => [name, schema])) as {
    [N in Name]: (typeof VARIABLES)[N]['schema'];
  },
);

/** What the server is told to be and do. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** SHA-256 digests in hexadecimal; the keys themselves are not kept. */
  readonly keyHashes: readonly string[];
  readonly marketDb: string;
  /** Whether the environment named `marketDb`; otherwise it is the default. */
  readonly marketDbIsSet: boolean;
  readonly compute: Value<'COMPUTE'>;
  readonly softwareGpu: boolean;
  readonly logLevel: Value<'LOG_LEVEL'>;
  readonly requestTimeoutSeconds: number;
  readonly maxQueue: number;
  readonly cpuThreads: number;
  readonly maxWorkCpu: number;
  readonly maxWorkGpu: number;
  readonly maintenanceMargins: Value<'MAINTENANCE_MARGINS'>;
}

/**
 * The configuration that `env` (usually `process.env`) states.
 * @throws ConfigError with every fault, one per line.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const texts = Object.fromEntries(
    CONFIG_REFERENCE.map(variable => [variable.name, env[variable.name] || variable.default]),
  );
  const read = environment.safeParse(texts, { error: explain });
  if (!read.success) throw new ConfigError(read.error.issues.map(issue => issue.message).join('\n'));
  const { data } = read;
  return Object.freeze({
    port: data.PORT,
    host: data.HOST,
    keyHashes: data.API_KEYS,
    marketDb: data.MARKET_DB,
    marketDbIsSet: Boolean(env.MARKET_DB),
    compute: data.COMPUTE,
    softwareGpu: data.SOFTWARE_GPU,
    logLevel: data.LOG_LEVEL,
    requestTimeoutSeconds: data.REQUEST_TIMEOUT_SECONDS,
    maxQueue: data.MAX_QUEUE,
    cpuThreads: data.CPU_THREADS,
    maxWorkCpu:
      data.MAX_WORK_CPU ?? CPU_ASSET_STEPS_PER_SECOND * data.CPU_THREADS * data.REQUEST_TIMEOUT_SECONDS,
    maxWorkGpu: data.MAX_WORK_GPU,
    maintenanceMargins: data.MAINTENANCE_MARGINS,
  });
}
