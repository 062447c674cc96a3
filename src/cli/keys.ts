/** `keys`: a new key, its digest for API_KEYS, and the entries of a file of keys. */
import { existsSync } from 'node:fs';
import { actorName } from '../host/actor-name.ts';
import { generateKey, hashKey } from '../server/keys/key-digest.ts';
import {
  type KeyChange,
  type KeyEntry,
  KeyFileError,
  type NewKey,
  newEntry,
  noteChange,
  readKeyFile,
  writeKeyFile,
} from '../server/keys/key-file.ts';
import { MS_PER_HOUR } from '../text/calendar-date.ts';
import { formatTable } from './output.ts';

/**
 * The output for a key: its digest for API_KEYS, and a new key itself.
 *
 * @param isNew whether the key was created now; only then it is printed
 */
export function keyLine(key: string, isNew: boolean, json: boolean): string {
  const digest = `sha256:${hashKey(key).toString('hex')}`;
  if (json) return `${JSON.stringify({ ...(isNew ? { key } : {}), digest })}\n`;
  return isNew ? `key     ${key}\ndigest  ${digest}\n` : `${digest}\n`;
}

/** Adds a key to a file; creates an absent file. @returns the key; the file stores its digest only */
export function createKey(path: string, wanted: NewKey, now: Date): string {
  const keys = existsSync(path) ? readKeyFile(path) : [];
  if (keys.some(({ name, revoked }) => name === wanted.name && revoked === undefined))
    throw new KeyFileError(`${path} has a key named ${wanted.name} already: revoke or rotate it`);
  const key = generateKey();
  const entry = newEntry(key, wanted, now);
  writeKeyFile(path, [...keys, entry]);
  note(path, 'create', entry, now);
  return key;
}

/** Revokes a key at once; by name every key of that name, rotated ones included. @returns the latest */
export function revokeKey(path: string, nameOrId: string, now: Date): KeyEntry {
  const keys = readKeyFile(path);
  const latest = findKey(path, keys, nameOrId);
  const end = (key: KeyEntry): KeyEntry => ({ ...key, revoked: now.toISOString() });
  const isMeant = ({ name, id, revoked }: KeyEntry) =>
    revoked === undefined && (name === nameOrId || id === nameOrId);
  writeKeyFile(
    path,
    keys.map(key => (isMeant(key) ? end(key) : key)),
  );
  for (const key of keys.filter(isMeant)) note(path, 'revoke', key, now);
  return end(latest);
}

/** Creates a key with the name, scopes, limits and lifetime of another, which expires after `graceHours`. */
export function rotateKey(path: string, nameOrId: string, graceHours: number, now: Date): string {
  const keys = readKeyFile(path);
  const old = findKey(path, keys, nameOrId);
  const key = generateKey();
  const end = now.getTime() + graceHours * MS_PER_HOUR;
  const expires = new Date(Math.min(end, Date.parse(old.expires ?? '9999-12-31T00:00:00Z'))).toISOString();
  const { expires: _, ...kept } = old;
  const sha256 = hashKey(key).toString('hex');
  const life = old.expires === undefined ? undefined : Date.parse(old.expires) - Date.parse(old.created);
  const next = {
    ...kept,
    id: sha256.slice(0, 8),
    sha256,
    created: now.toISOString(),
    ...(life === undefined ? {} : { expires: new Date(now.getTime() + life).toISOString() }),
  };
  writeKeyFile(path, [...keys.map(each => (each === old ? { ...old, expires } : each)), next]);
  note(path, 'rotate', next, now);
  return key;
}

/** Adds a change to the history of the file. */
const note = (path: string, action: KeyChange['action'], { id, name }: KeyEntry, at: Date) =>
  noteChange(path, { action, id, name, actor: actorName(), at });

/** The latest key of that name or id that is not revoked. */
function findKey(path: string, keys: readonly KeyEntry[], nameOrId: string): KeyEntry {
  const found = keys.findLast(
    ({ name, id, revoked }) => revoked === undefined && (name === nameOrId || id === nameOrId),
  );
  if (found === undefined) throw new KeyFileError(`${path} has no key ${nameOrId} that is not revoked`);
  return found;
}

export function keyTable(path: string, now: Date): string {
  const lines = readKeyFile(path).map(key => {
    const { id, name, scopes, created, expires, revoked } = key;
    const limits = [
      ...(['minute', 'day', 'month'] as const).map(period => {
        const limit = key[`work_per_${period}`];
        return limit === undefined ? '' : `${limit} asset-steps a ${period}`;
      }),
      key.concurrent === undefined ? '' : `${key.concurrent} at once`,
    ].filter(Boolean);
    const over = expires !== undefined && Date.parse(expires) <= now.getTime();
    const state = revoked !== undefined ? 'revoked' : over ? 'expired' : 'valid';
    return [id, state, name, scopes.join(','), created, expires ?? 'never', limits.join(', ') || 'no limits'];
  });
  const names = ['id', 'state', 'name', 'scopes', 'created', 'expires', 'limits'];
  return `${formatTable(names, lines, names.length)}\n`;
}
