/**
 * The address of a fleet's store, from FLEET_URL.
 *
 * Must not know: what is stored there.
 */

/** A store that BullMQ supports. */
export interface FleetAddress {
  readonly kind: 'redis' | 'postgres';
  /** With its password: must not be logged. */
  readonly url: string;
  /** For logs and banners. */
  readonly shown: string;
}

const KINDS: Readonly<Record<string, FleetAddress['kind']>> = {
  'redis:': 'redis',
  'rediss:': 'redis',
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
};

/** Whether an address of Redis names its database by a number, or names none. */
export const hasRedisDatabase = ({ pathname, searchParams }: URL): boolean =>
  /^\/?\d{0,9}$/.test(pathname) && /^\d{1,9}$/.test(searchParams.get('db') ?? '0');

/** Parses `text`; undefined where it is not an address. */
export function fleetAddress(text: string): FleetAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const kind = KINDS[url.protocol];
  if (kind === undefined || url.hostname === '') return undefined;
  if (kind === 'redis' && !hasRedisDatabase(url)) return undefined;
  return { kind, url: text, shown: `${url.protocol}//${url.host}${url.pathname}` };
}
