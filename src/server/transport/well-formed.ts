/**
 * The form of a request before it is routed: a path, a host, known expectations.
 *
 * Node passes these on (server.ts), so that they are refused, named and logged like other requests.
 */

import { HttpRefusal } from '../answers/problem.ts';
import type { Context, Middleware } from './context.ts';

/** A target with scheme and host, as sent to a proxy. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The path of a request; undefined where its target is invalid: `http://[::1/` has an invalid host. */
export function pathOf(ctx: Context): string | undefined {
  const { url } = ctx;
  // Checked first, because the parser of `ctx.path` warns of such a target or throws, depending on Node's version.
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
  // Node also accepts HTTP/0.9, which has no version, and 2.0 in the form of 1.1.
  if (httpVersion !== '1.0' && httpVersion !== '1.1') {
    ctx.set('Connection', 'close');
    throw new HttpRefusal(400, 'The request must be HTTP/1.0 or HTTP/1.1.');
  }
  // RFC 9112, section 3.2.
  if (headers.host === undefined && httpVersion === '1.1')
    throw new HttpRefusal(400, 'A request needs a Host header.');
  if ((headersDistinct.host?.length ?? 0) > 1)
    throw new HttpRefusal(400, 'A request must have one Host header, not several.');
  // RFC 9112, section 6.1. Node takes the bytes of another coding for the body.
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    ctx.set('Connection', 'close');
    throw new HttpRefusal(400, 'The header Transfer-Encoding must be chunked.');
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    throw new HttpRefusal(417, 'The header Expect must be 100-continue.');
  await next();
};
