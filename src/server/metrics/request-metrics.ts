/** Counts requests as they end, and answers /metrics. Must not know: what the figures are for. */

import { refusalOn } from '../transport/broken-request.ts';
import type { Middleware } from '../transport/context.ts';
import type { Metrics } from './metrics.ts';

/** The status of a request whose client has disconnected before the answer, as in proxies. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Must be the first middleware.
 *
 * @param paths those with their own label; all others are `other`
 * @param uncounted paths that are not counted at all
 */
export function countRequests(
  metrics: Metrics,
  paths: readonly string[],
  uncounted: ReadonlySet<string>,
): Middleware {
  const operations = new Set(paths);
  return async (ctx, next) => {
    const arrival = performance.now();
    await next();
    // A target that is not a URL has no path.
    const path = URL.canParse(ctx.url, 'http://host') ? ctx.path : '';
    const { socket } = ctx.req;
    const { methodology, backend, queued_milliseconds: queued, forwarded } = ctx.state.facts;
    // The process that answers counts it.
    if (uncounted.has(path) || forwarded !== undefined) return;
    metrics.request({
      operation: operations.has(path) ? path : 'other',
      methodology: typeof methodology === 'string' ? methodology : 'none',
      engine: typeof backend === 'string' ? backend : 'none',
      status: socket.destroyed ? (refusalOn(socket)?.status ?? CLIENT_CLOSED_REQUEST) : ctx.status,
      seconds: (performance.now() - arrival) / 1000,
      queuedSeconds: typeof queued === 'number' ? queued / 1000 : undefined,
    });
  };
}

/** Answers with the text of all metrics. */
export function metricsMiddleware(metrics: Metrics): Middleware {
  return async ctx => {
    ctx.body = await metrics.text();
    ctx.set('Content-Type', metrics.contentType);
  };
}
