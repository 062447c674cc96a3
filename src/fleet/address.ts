/** The address of a fleet's store, from FLEET_URL. Must not know: what is stored there. */

export interface FleetAddress {
  /** With its password: must not be logged. */
  readonly url: string;
  /** For logs and banners. */
  readonly shown: string;
}

/** Whether an address of Redis names its database by a number, or names none. */
export const hasRedisDatabase = ({ pathname, searchParams }: URL): boolean =>
  /^\/?\d{0,9}$/.test(pathname) && /^\d{1,9}$/.test(searchParams.get('db') ?? '0');

/** Parses `text`; undefined where it is not an address. */
export function fleetAddress(text: string): FleetAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '' || !hasRedisDatabase(url))
    return undefined;
  return { url: text, shown: `${url.protocol}//${url.host}${url.pathname}` };
}
