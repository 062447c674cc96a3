/** A span for each request. Must not know: who receives spans, the spans of a run (watched-engines.ts). */

import { header, type LogFacts, type Middleware } from '../transport/context.ts';
import { pathOf } from '../transport/well-formed.ts';
import { NO_SPAN, type SpanAttributes, type Tracing } from './trace.ts';

/**
 * Must precede the error handler, which logs the trace and sets the status that is recorded here.
 *
 * @param paths whose spans have the path in their name; other spans have the method only
 * @param untraced paths that probes poll
 */
export function traceRequests(
  tracing: Tracing,
  paths: readonly string[],
  untraced: ReadonlySet<string>,
): Middleware {
  const routes = new Set(paths);
  return async (ctx, next) => {
    const path = pathOf(ctx) ?? '';
    ctx.state.span = NO_SPAN;
    if (untraced.has(path)) {
      await next();
      return;
    }
    const route = routes.has(path) ? path : undefined;
    const name = route === undefined ? ctx.method : `${ctx.method} ${route}`;
    const span = tracing.begin(name, header(ctx, 'traceparent'), {
      'http.request.method': ctx.method,
      ...(route === undefined ? {} : { 'http.route': route }),
    });
    ctx.state.span = span;
    try {
      await next();
    } finally {
      const { status } = ctx;
      if (status >= 500) span.fail(String(status));
      span.set({
        'http.response.status_code': status,
        ...spanAttributes(ctx.state.facts, ctx.state.requestId),
      });
      span.end();
    }
  };
}

/** Facts of the log that become attributes of the span. */
const TRACED_FACTS = [
  'key',
  'key_name',
  'methodology',
  'asset_steps',
  'seed',
  'backend',
  'scenarios',
  'market_data',
];

function spanAttributes(facts: LogFacts, requestId: string): SpanAttributes {
  const attributes = TRACED_FACTS.flatMap(name => {
    const value = facts[name];
    return typeof value === 'string' || typeof value === 'number' ? [[`risk.${name}`, value] as const] : [];
  });
  return { 'risk.request_id': requestId, ...Object.fromEntries(attributes) };
}
