/** Errors of PostgreSQL that pass. */

/** SQLSTATE classes of a server that is away, starting, stopping or short of connections, and of a deadlock; other errors stand. */
const OUTAGE = /^(08|53|57P|40P)/;

/** Whether a server is away or short of connections, and may be asked again. */
export function isOutage(error: unknown): boolean {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  if (code !== undefined && OUTAGE.test(code)) return true;
  const fromNetwork = code?.startsWith('E') === true && !/^\d/.test(code);
  return fromNetwork || /timeout|terminated|Connection/.test(message ?? '');
}
