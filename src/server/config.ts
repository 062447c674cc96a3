/**
 * The configuration: environment in, one frozen object out. The only reader of the environment.
 *
 * All faults are reported at once, and a server with a fault does not start. An empty variable counts as absent.
 */
import { z } from 'zod';
import { descriptorLimit, mostConnections } from '../host/usable-descriptors.ts';
import { explain } from '../text/message.ts';
import { SETTINGS, type Setting } from './settings.ts';

/** A configuration that the server refuses to start with; the message has one line per fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Asset-steps per second of one thread, for the default work limit: the double-precision engine does 2.5e7 (BOOTSTRAP of hours) to
 * 2.7e8 (GBM, two assets) of a loan. Slower work is refused by its predicted time (src/server/admission).
 */
const CPU_ASSET_STEPS_PER_SECOND = 3e7;

/** Where the limit of open files has room for more. */
const DEFAULT_CONNECTIONS = 10_000;

/** Settings of earlier versions, with what replaces them. A start with one of them fails. */
const REMOVED: Readonly<Record<string, string>> = {
  PROCESSES: 'start two servers behind a proxy (docs/operations.md, "A new version without a gap")',
  FLEET_URL: 'set REDIS_URL to the Redis, and FLEET_NAME to the name of the fleet, `risk` where none was set',
};

/** One variable as the documentation shows it. */
export interface ConfigVariable {
  readonly name: string;
  readonly default: string;
  readonly values: string;
  readonly meaning: string;
}

/** Every variable, in the order in which it is documented. */
export const CONFIG_REFERENCE: readonly ConfigVariable[] = Object.values<Setting>(SETTINGS).map(
  ({ variable: name, default: text = '', schema, values = schema.description ?? '', meaning }) => ({
    name,
    default: text,
    values,
    meaning,
  }),
);

type Settings = { readonly [S in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[S]['schema']> };

/** The configuration of the server. */
export interface Config extends Readonly<Omit<Settings, 'maxConnections' | 'maxWorkCpu'>> {
  readonly maxConnections: number;
  readonly maxWorkCpu: number;
  /** Whether the environment names `marketDb`; otherwise it is the default. */
  readonly marketDbIsSet: boolean;
  /** The variables that are set, for the record, without secrets. */
  readonly given: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The configuration that `env` (usually `process.env`) states.
 * @throws ConfigError with every fault, one per line.
 */
export function loadConfig(env: Environment): Config {
  const faults: string[] = [];
  const read = Object.entries<Setting>(SETTINGS).map(([name, { variable, default: text = '', schema }]) => {
    const result = z
      .object({ [variable]: schema })
      .safeParse({ [variable]: env[variable] || text }, { error: explain });
    if (!result.success) faults.push(...result.error.issues.map(({ message }) => message));
    return [name, result.data?.[variable]] as const;
  });
  const settings = Object.fromEntries(read) as Settings;
  const { cpuThreads, maxConnections } = settings;
  const limit = descriptorLimit();
  const room = mostConnections(limit, cpuThreads);
  for (const [variable, remedy] of Object.entries(REMOVED))
    if (env[variable]) faults.push(`${variable} is not a setting any more: ${remedy}`);
  faults.push(...faultsTogether(settings, env, limit, room));
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return Object.freeze({
    ...settings,
    maxConnections: maxConnections ?? Math.min(DEFAULT_CONNECTIONS, room),
    maxWorkCpu:
      settings.maxWorkCpu ?? CPU_ASSET_STEPS_PER_SECOND * cpuThreads * settings.requestTimeoutSeconds,
    marketDbIsSet: Boolean(env.MARKET_DB),
    given: Object.fromEntries(
      Object.values<Setting>(SETTINGS).flatMap(({ variable, secret }) => {
        const value = env[variable];
        return value ? [[variable, secret ? 'set' : value]] : [];
      }),
    ),
  });
}

/** Faults of variables that do not fit each other. A variable with a fault of its own is undefined. */
function faultsTogether(
  { port, healthPort, maxConnections, fleetName }: Settings,
  env: Environment,
  limit: number,
  room: number,
): string[] {
  const faults: string[] = [];
  if (healthPort !== undefined && healthPort === port && port !== 0)
    faults.push(`HEALTH_PORT must differ from PORT; got ${port} for both`);
  if (fleetName !== undefined && !env.REDIS_URL)
    faults.push('FLEET_NAME requires REDIS_URL: the servers and workers of a fleet share a Redis');
  if (maxConnections !== undefined && maxConnections > room)
    faults.push(
      `MAX_CONNECTIONS must be at most ${room}, because the process may have ${limit} files open (ulimit -n); got ${maxConnections}`,
    );
  return faults;
}
