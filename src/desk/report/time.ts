/** Moments as a report writes them. */

/** `2026-11-22, 24:00 UTC`: data end with a day. */
export function dayText(asOf: string): string {
  const day = new Date(Date.parse(asOf) - 1).toISOString().slice(0, 10);
  return `${day}, 24:00 UTC`;
}
