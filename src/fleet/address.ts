/** The address of a Redis, from REDIS_URL. Must not know: what is stored there. */

export interface RedisAddress {
  /** With its password: must not be logged. */
  readonly url: string;
  /** For logs and banners. */
  readonly shown: string;
}

/** Parses `text`; undefined where it is not an address, or has another path than the number of a database. */
export function redisAddress(text: string): RedisAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, host, pathname, searchParams } = new URL(text);
  if (!['redis:', 'rediss:'].includes(protocol) || hostname === '') return undefined;
  if (!/^\/?\d{0,9}$/.test(pathname) || !/^\d{1,9}$/.test(searchParams.get('db') ?? '0')) return undefined;
  return { url: text, shown: `${protocol}//${host}${pathname}` };
}
