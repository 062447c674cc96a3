/**
 * Requests of pages from other origins (CORS), for the origins that the configuration names.
 *
 * A page may send all headers of the operations and read every header of an answer. Cookies are not used: keys are sent as a header.
 */
import cors from '@koa/cors';
import { METHODS, type Middleware } from './context.ts';

/** How long a browser may keep the answer to its preflight request. */
const PREFLIGHT_SECONDS = 600;

const SENT = [
  'content-type',
  'idempotency-key',
  'prefer',
  'x-api-key',
  'x-compute',
  'x-request-id',
  'x-seed',
];
const READ = [
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'x-compute',
  'x-compute-device',
  'x-funding-rate',
  'x-maintenance-margin',
  'x-market-data',
  'x-market-data-filled',
  'x-market-grid',
  'x-request-id',
  'x-scenarios',
  'x-seed',
  'x-warnings',
];

/** @param origins such as `https://desk.example`; `*` alone is every origin */
export function allowOrigins(origins: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return cors({
    origin: ctx => (allowed.has('*') ? '*' : allowed.has(ctx.get('origin')) ? ctx.get('origin') : ''),
    allowMethods: METHODS,
    allowHeaders: SENT,
    exposeHeaders: READ,
    maxAge: PREFLIGHT_SECONDS,
  });
}
