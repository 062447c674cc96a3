/**
 * Paths that go: every answer of theirs says since when, and until when (RFC 9745, RFC 8594), and openapi.json marks them.
 *
 * The time between the two is at least `NOTICE_DAYS` (docs/security.md, "Versions and support").
 */
import type { Middleware } from '../transport/context.ts';

export interface Leaving {
  readonly path: string;
  /** From when on it should not be used, and when it ends: days, `YYYY-MM-DD`. */
  readonly since: string;
  readonly until: string;
  /** The section of a document that names what replaces it. */
  readonly link: string;
}

/** Shortest time from the announcement to the end. */
export const NOTICE_DAYS = 180;

/** Nothing goes at present. */
export const LEAVING: readonly Leaving[] = [];

/** Sets the headers in answers and refusals of the paths in `rows`. */
export function announceLeaving(rows: readonly Leaving[]): Middleware {
  const headers = new Map(
    rows.map(({ path, since, until, link }) => [
      path,
      {
        Deprecation: `@${Date.parse(since) / 1000}`,
        Sunset: new Date(until).toUTCString(),
        Link: `<${link}>; rel="deprecation"; type="text/html"`,
      },
    ]),
  );
  return async (ctx, next) => {
    ctx.set(headers.get(ctx.path) ?? {});
    await next();
  };
}
