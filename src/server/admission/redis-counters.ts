/**
 * Counters that several processes share through Redis. While it does not answer, or refuses writes, each process counts alone.
 *
 * Loaded only where a Redis is configured, which stores SHA-256 digests of keys and addresses of failed callers, each for a
 * minute, and the use of keys by day and month. Must not know: keys, work, HTTP.
 */
import { randomUUID } from 'node:crypto';
import { Redis, ReplyError } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { type Clock, processClock } from '../../core/clock.ts';
import type { Logger } from '../../host/log.ts';
import { repeatedWarnings } from '../../host/repeated-warnings.ts';
import {
  type Counters,
  type MinuteCounter,
  memoryPlaces,
  memoryTotals,
  once,
  type Places,
  type Totals,
  WINDOW_SECONDS,
} from './counters.ts';

/** Longest wait of a request for a counter. */
const ANSWER_MS = 250;
const CONNECT_MS = 2000;
/** A connection that has been silent for this time after a command is replaced. */
const SILENT_CONNECTION_MS = 5000;
const MAX_BETWEEN_TRIES_MS = 5000;
/** A place expires unless its process renews it: a killed process releases none. */
const LEASE_MS = 60_000;
const RENEWAL_MS = 20_000;
/** Interval of the trials whether Redis takes writes. */
const TRIAL_MS = 1000;
/** Failed trials in a row after which Redis counts as away: one answer can be late because this process stood still. */
const MOST_FAILURES = 2;

/**
 * Removes expired places, then takes one if fewer than ARGV[1] are in use. By the clock of Redis: where that was set back, places
 * beyond the longest lease are removed, and their processes renew them.
 */
const TAKE = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zremrangebyscore', KEYS[1], '-inf', now)
redis.call('zremrangebyscore', KEYS[1], now + ARGV[2] + 1, '+inf')
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

/** Adds ARGV[2i - 1] to each total KEYS[i], and keeps it for ARGV[2i] seconds. One of 0 is not made. */
const ADD = `
local totals = {}
for i = 1, #KEYS do
  if ARGV[2 * i - 1] == '0' then totals[i] = tonumber(redis.call('get', KEYS[i]) or 0)
  else
    totals[i] = redis.call('incrby', KEYS[i], ARGV[2 * i - 1])
    redis.call('expire', KEYS[i], ARGV[2 * i])
  end
end
return totals`;

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
  clock = processClock,
}: {
  readonly url: string;
  readonly log: Logger;
  readonly prefix?: string;
  readonly clock?: Clock;
}): Promise<Counters> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: ANSWER_MS,
    // While Redis is away, this process counts at once.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // After a failover the old connection may stay open without a word.
    socketTimeout: SILENT_CONNECTION_MS,
    retryStrategy: tries => Math.min(tries * 100, MAX_BETWEEN_TRIES_MS),
  });
  let counts = false;
  let failures = 0;
  let closing = false;
  let reason = 'closed';
  let warn = repeatedWarnings(clock, log);
  const away = (why: string) => {
    counts = false;
    if (!closing) warn({ reason: why }, 'the shared counters do not answer; this process counts for itself');
  };
  client.on('error', error => {
    reason = codeOf(error);
  });
  client.on('close', () => {
    away(reason);
    reason = 'closed';
  });
  /** A connection that stays open says nothing about a Redis that hangs, is full or is a replica. */
  const tryWrite = async () => {
    if (client.status !== 'ready') return;
    try {
      await client.set(`${prefix}:trial`, '', 'PX', LEASE_MS);
      failures = 0;
      if (counts) return;
      counts = true;
      warn = repeatedWarnings(clock, log);
      log.info('the shared counters answer');
    } catch (error) {
      failures++;
      if (client.status === 'ready' && failures >= MOST_FAILURES) away(codeOf(error));
    }
  };
  client.on('ready', tryWrite);
  // The listeners report a failure, and the client retries.
  await client.connect().catch(() => {});
  await tryWrite();
  const leases: RedisPlaces[] = [];
  const ends = [
    clock.every(TRIAL_MS, tryWrite),
    clock.every(RENEWAL_MS, () => {
      for (const each of leases) each.renew();
    }),
  ];
  return {
    get shared() {
      return counts;
    },
    perMinute(name, points) {
      const own = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
      const shared = new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `${prefix}:${name}`,
        points,
        duration: WINDOW_SECONDS,
        rejectIfRedisNotReady: true,
        insuranceLimiter: own,
      });
      return sharedMinute(shared, own, () => counts);
    },
    places(name) {
      const places = new RedisPlaces(client, `${prefix}:${name}`, () => counts);
      leases.push(places);
      return places;
    },
    totals: name => redisTotals(client, `${prefix}:${name}`, () => counts),
    async close() {
      closing = true;
      for (const end of ends) end();
      client.disconnect();
    },
  };
}

/** Counts in Redis while that counts, otherwise in this process. */
function sharedMinute(
  shared: RateLimiterRedis,
  own: RateLimiterMemory,
  counts: () => boolean,
): MinuteCounter {
  const counter = () => (counts() ? shared : own);
  return {
    reward: (key, points) => counter().reward(key, points),
    async consume(key, points) {
      try {
        return await counter().consume(key, points);
      } catch (refusal) {
        const isMinute =
          !(refusal instanceof RateLimiterRes) || refusal.msBeforeNext <= WINDOW_SECONDS * 1000;
        if (isMinute || !counts()) throw refusal;
        // The clock of Redis was set back: the minute would end later by the length of the step.
        await shared.delete(key);
        return shared.consume(key, points);
      }
    },
  };
}

function redisTotals(client: Redis, name: string, counts: () => boolean): Totals {
  const own = memoryTotals();
  return {
    async add(amounts) {
      if (!counts()) return own.add(amounts);
      const keys = amounts.map(({ key }) => `${name}:${key}`);
      const values = amounts.flatMap(({ amount, keepSeconds }) => [amount, keepSeconds]);
      try {
        return (await client.eval(ADD, keys.length, ...keys, ...values)) as number[];
      } catch {
        return own.add(amounts);
      }
    },
  };
}

/** Places as members of a sorted set of each key, whose score is the moment at which they expire. */
class RedisPlaces implements Places {
  private readonly held = new Map<string, Set<string>>();
  private readonly own = memoryPlaces();

  constructor(
    private readonly client: Redis,
    private readonly name: string,
    private readonly counts: () => boolean,
  ) {}

  async take(key: string, most: number): Promise<(() => void) | undefined> {
    if (!this.counts()) return this.own.take(key, most);
    const set = `${this.name}:${key}`;
    const place = randomUUID();
    let taken: unknown;
    try {
      taken = await this.client.eval(TAKE, 1, set, most, LEASE_MS, place);
    } catch {
      // A stalled Redis may still run the command later; release the slot.
      this.release(set, place);
      return this.own.take(key, most);
    }
    if (taken !== 1) return undefined;
    const ours = this.held.get(set) ?? new Set();
    this.held.set(set, ours.add(place));
    return once(() => {
      ours.delete(place);
      if (ours.size === 0 && this.held.get(set) === ours) this.held.delete(set);
      this.release(set, place);
    });
  }

  renew(): void {
    for (const [set, places] of this.held)
      this.client.eval(RENEW, 1, set, LEASE_MS, ...places).catch(() => {});
  }

  /** A place that cannot be released expires. */
  private release(set: string, place: string): void {
    this.client.zrem(set, place).catch(() => {});
  }
}

/** Only the code of an error is logged: messages can contain the address and its password. That of Redis is the first word. */
function codeOf(error: unknown): string {
  if (error instanceof ReplyError) return String((error as Error).message).split(' ', 1)[0];
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name ?? 'unknown';
}
