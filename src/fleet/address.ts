/**
 * The address of a fleet's store, as FLEET_URL has it.
 *
 * Must not know: what is kept there.
 */

/** A store that BullMQ can queue in. */
export interface FleetAddress {
  readonly kind: 'redis' | 'postgres';
  /** With its password: never for a log. */
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

/** The address that `text` is; undefined where it is none. */
export function fleetAddress(text: string): FleetAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const kind = KINDS[url.protocol];
  if (kind === undefined || url.hostname === '') return undefined;
  return { kind, url: text, shown: `${url.protocol}//${url.host}${url.pathname}` };
}
