/**
 * What a request needs before it can be looked at: a path, a host, expectations that can be met.
 *
 * Node lets these through to us (server.ts), so that they are refused, named and logged like anything else.
 */
import type { Context, Middleware } from './context.ts';
import { HttpRefusal } from './problem.ts';

/** A target with scheme and host, as a proxy gets it. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The path of a request, or undefined where its target is none: `http://[::1/` names a host that cannot be. */
export function pathOf(ctx: Context): string | undefined {
  const { url } = ctx;
  // Checked first, because the parser behind `ctx.path` warns of such a target or throws, as Node's version has it.
  if (ABSOLUTE.test(url) && !URL.canParse(url)) return undefined;
  try {
    return ctx.path;
  } catch {
    return undefined;
  }
}

/** Refuses a malformed request with 400, and an unknown expectation with 417. */
export const requireWellFormed: Middleware = async (ctx, next) => {
  const { httpVersion, headers, headersDistinct } = ctx.req;
  if (pathOf(ctx) === undefined) throw new HttpRefusal(400, 'The target of the request is not a URL.');
  // Node reads HTTP/0.9, which names no version, and 2.0 in the form of 1.1, too.
  if (httpVersion !== '1.0' && httpVersion !== '1.1') {
    ctx.set('Connection', 'close');
    throw new HttpRefusal(400, 'The request must be HTTP/1.0 or HTTP/1.1.');
  }
  // RFC 9112, section 3.2.
  if (headers.host === undefined && httpVersion === '1.1')
    throw new HttpRefusal(400, 'A request needs a Host header.');
  if ((headersDistinct.host?.length ?? 0) > 1)
    throw new HttpRefusal(400, 'A request has one Host header, not several.');
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    throw new HttpRefusal(417, 'The header Expect must be 100-continue.');
  await next();
};
