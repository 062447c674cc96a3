/**
 * Counters that several processes share through Redis. While it does not answer, each process counts for itself.
 *
 * Loaded only where a Redis is configured. What it holds: SHA-256 digests of keys and addresses of failed callers, for a
 * minute each. Must not know: keys, work, HTTP.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Logger } from '../log.ts';
import { type Counters, memoryPlaces, once, type Places, WINDOW_SECONDS } from './counters.ts';

export interface RedisCountersOptions {
  /** `redis://` or `rediss://`, with user and password where there are any. */
  readonly url: string;
  readonly log: Logger;
  /** Begins the name of every key; tests have their own. */
  readonly prefix?: string;
}

/** A request waits so long for a counter at most. */
const ANSWER_MS = 250;
const CONNECT_MS = 2000;
const MAX_BETWEEN_TRIES_MS = 5000;
/** A place whose holder does not renew it is free after so long: a process that was killed gives none back. */
const LEASE_MS = 60_000;
const RENEWAL_MS = 20_000;

/** Takes a place if fewer than ARGV[1] are held; those that ran out are forgotten first. By the clock of Redis. */
const TAKE = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zremrangebyscore', KEYS[1], '-inf', now)
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('zadd', KEYS[1], now + ARGV[2], ARGV[3])
redis.call('pexpire', KEYS[1], ARGV[2])
return 1`;

/** Holds the places ARGV[2..] for longer. */
const RENEW = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 2, #ARGV do redis.call('zadd', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('pexpire', KEYS[1], ARGV[1])
return 1`;

/** Connects, or goes on without for the time being and says so in the log. */
export async function openRedisCounters({
  url,
  log,
  prefix = 'collateral-risk-engine',
}: RedisCountersOptions): Promise<Counters> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: ANSWER_MS,
    // What cannot be counted there now is counted here instead of waiting.
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
  // A failure is reported by the listeners, and tried again by the client.
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

/** Places as members of a sorted set of each key, whose score is the moment at which they run out. */
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
      // A place that cannot be given back runs out.
      this.client.zrem(set, place).catch(() => {});
    });
  }

  renew(): void {
    for (const [set, places] of this.held)
      this.client.eval(RENEW, 1, set, LEASE_MS, ...places).catch(() => {});
  }
}

/** Messages can hold the address and its password: only the code is logged. */
function codeOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name ?? 'unknown';
}
