/** A change of several keys as one script, which Redis runs atomically. */
import type { Change, Entry } from './store.ts';

/**
 * KEYS: all keys. ARGV: the change as JSON, in which keys and values are indices into KEYS and ARGV, then the values.
 *
 * An existing value gets a new expiry only. At its memory limit Redis refuses a script whose first write stores bytes: a change
 * under a lease passes, and new entries are refused.
 */
export const CHANGE_SCRIPT = `
local change = cjson.decode(ARGV[1])
for _, key in ipairs(change.free) do
  if redis.call('exists', KEYS[key]) == 1 then return 'taken' end
end
if change.room then
  local set = KEYS[change.room.set]
  local alive = 0
  for _, name in ipairs(redis.call('smembers', set)) do
    if redis.call('exists', change.prefix .. name) == 1 then alive = alive + 1
    else redis.call('srem', set, name) end
  end
  if alive >= change.room.most then return 'full' end
end
if change.held then
  local there = redis.call('get', KEYS[change.held.key])
  if there and there ~= ARGV[change.held.value] then return 'lost' end
end
for _, entry in ipairs(change.put) do
  local key, value = KEYS[entry.key], ARGV[entry.value]
  if redis.call('strlen', key) == #value and redis.call('get', key) == value then
    redis.call('pexpire', key, entry.milliseconds)
  else
    redis.call('set', key, value, 'PX', entry.milliseconds)
  end
  if entry.set then redis.call('sadd', KEYS[entry.set], entry.name) end
end
for _, key in ipairs(change.forget) do redis.call('unlink', KEYS[key]) end
return 'done'
`;

/** Arguments of the script. */
export interface ScriptCall {
  readonly keys: readonly string[];
  readonly values: readonly (string | Uint8Array)[];
}

/**
 * @param prefix of every key, which the client prepends to `keys`
 * @param setOf the key of a list
 */
export function scriptCall(change: Change, prefix: string, setOf: (list: string) => string): ScriptCall {
  const { free = [], room, held, put = [], forget = [] } = change;
  const keys: string[] = [];
  const values: Uint8Array[] = [];
  // Lua counts from 1, and the first value is the change itself.
  const key = (name: string) => keys.push(name);
  const value = (bytes: Uint8Array) => values.push(bytes) + 1;
  const entry = ({ name, bytes, seconds, list }: Entry) => ({
    key: key(name),
    value: value(bytes),
    milliseconds: milliseconds(seconds),
    ...(list === undefined ? {} : { set: key(setOf(list)), name }),
  });
  const holding = held && entry(held);
  const script = {
    prefix,
    free: free.map(key),
    room: room && { set: key(setOf(room.list)), most: room.most },
    held: holding,
    put: [...(holding === undefined ? [] : [holding]), ...put.map(entry)],
    forget: forget.map(key),
  };
  return { keys, values: [JSON.stringify(script), ...values] };
}

export const milliseconds = (seconds: number) => Math.max(1, Math.round(seconds * 1000));
