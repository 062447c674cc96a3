/**
 * Counters that several processes share through Redis. While it does not answer, each process counts alone.
 *
 * Loaded only where a Redis is configured, which stores SHA-256 digests of keys and addresses of failed callers, each for a
 * minute. Must not know: keys, work, HTTP.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Logger } from '../log.ts';
import { type Counters, memoryPlaces, once, type Places, WINDOW_SECONDS } from './counters.ts';

/** Longest wait of a request for a counter. */
const ANSWER_MS = 250;
const CONNECT_MS = 2000;
const MAX_BETWEEN_TRIES_MS = 5000;
/** A place expires unless its process renews it: a killed process releases none. */
const LEASE_MS = 60_000;
const RENEWAL_MS = 20_000;

/** Removes expired places, then takes one if fewer than ARGV[1] are in use. By the clock of Redis. */
const TAKE = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zremrangebyscore', KEYS[1], '-inf', now)
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('zadd', KEYS[1], now + ARGV[2], ARGV[3])
redis.call('pexpire', KEYS[1], ARGV[2])
return 1`;

/** Renews the places ARGV[2..]. */
const RENEW = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 2, #ARGV do redis.call('zadd', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('pexpire', KEYS[1], ARGV[1])
return 1`;

/**
 * Connects; logs a warning where Redis does not answer.
 *
 * @param options.url `redis://` or `rediss://`, with user and password where there are any
 * @param options.prefix of every key; tests replace it
 */
export async function openRedisCounters({
  url,
  log,
  prefix = 'collateral-risk-engine',
}: {
  readonly url: string;
  readonly log: Logger;
  readonly prefix?: string;
}): Promise<Counters> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: ANSWER_MS,
    // While Redis is away, this process counts at once.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: tries => Math.min(tries * 100, MAX_BETWEEN_TRIES_MS),
  });
  let away = false;
  let closing = false;
  let reason = 'closed';
  client.on('error', error => {
    reason = codeOf(error);
  });
  client.on('close', () => {
    if (!away && !closing)
      log.warn({ reason }, 'the shared counters do not answer; this process counts for itself');
    away = true;
    reason = 'closed';
  });
  client.on('ready', () => {
    log.info('the shared counters answer');
    away = false;
  });
  // The listeners report a failure, and the client retries.
  await client.connect().catch(() => {});
  const leases: RedisPlaces[] = [];
  const renewal = setInterval(() => {
    for (const each of leases) each.renew();
  }, RENEWAL_MS).unref();
  return {
    get shared() {
      return client.status === 'ready';
    },
    perMinute: (name, points) =>
      new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `${prefix}:${name}`,
        points,
        duration: WINDOW_SECONDS,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory({ points, duration: WINDOW_SECONDS }),
      }),
    places(name) {
      const places = new RedisPlaces(client, `${prefix}:${name}`);
      leases.push(places);
      return places;
    },
    async close() {
      closing = true;
      clearInterval(renewal);
      client.disconnect();
    },
  };
}

/** Places as members of a sorted set of each key, whose score is the moment at which they expire. */
class RedisPlaces implements Places {
  private readonly client: Redis;
  private readonly name: string;
  private readonly held = new Map<string, Set<string>>();
  private readonly own = memoryPlaces();

  constructor(client: Redis, name: string) {
    this.client = client;
    this.name = name;
  }

  async take(key: string, most: number): Promise<(() => void) | undefined> {
    const set = `${this.name}:${key}`;
    const place = randomUUID();
    let taken: unknown;
    try {
      taken = await this.client.eval(TAKE, 1, set, most, LEASE_MS, place);
    } catch {
      return this.own.take(key, most);
    }
    if (taken !== 1) return undefined;
    const ours = this.held.get(set) ?? new Set();
    this.held.set(set, ours.add(place));
    return once(() => {
      ours.delete(place);
      if (ours.size === 0 && this.held.get(set) === ours) this.held.delete(set);
      // A place that cannot be released expires.
      this.client.zrem(set, place).catch(() => {});
    });
  }

  renew(): void {
    for (const [set, places] of this.held)
      this.client.eval(RENEW, 1, set, LEASE_MS, ...places).catch(() => {});
  }
}

/** Only the code of an error is logged: messages can contain the address and its password. */
function codeOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name ?? 'unknown';
}
