/**
 * The last middleware of an operation: a body and headers in, its answer out.
 *
 * Must not know: what the operations compute, how they are queued.
 */
import { repeatedMembers } from '../request/repeated-members.ts';
import { type Context, header, type Middleware } from './context.ts';
import { csvText } from './csv.ts';
import { prefersAsync } from './headers.ts';
import { type JobsDependencies, submitJob } from './jobs.ts';
import { type Performer, type Question, questionHeaders } from './perform.ts';
import { HttpRefusal } from './problem.ts';
import type { Route } from './route.ts';
import { type StreamedResponse, startStream } from './streamed-response.ts';

const LINES = 'application/x-ndjson';

/** The question that a request asks, once its body is read. */
export const questionOf = (ctx: Context): Question => ({
  sent:
    ctx.request.rawBytes === undefined
      ? { body: ctx.request.body, repeats: repeatedMembers(String(ctx.request.rawBody)) }
      : { bytes: ctx.request.rawBytes },
  query: new URLSearchParams(ctx.querystring),
  seed: header(ctx, 'x-seed'),
  compute: header(ctx, 'x-compute'),
});

/** Makes the middleware of each route. */
export function operationMiddleware(
  performer: Performer,
  jobs: JobsDependencies,
): (route: Route) => Middleware {
  return route => async ctx => {
    const understood = await performer.understand(route, questionOf(ctx), ctx.state.span);
    ctx.set(questionHeaders(understood));
    if (prefersAsync(header(ctx, 'prefer'))) {
      await submitJob(ctx, understood, jobs);
      return;
    }
    ctx.vary('Accept');
    const form = ctx.accepts('application/json', 'text/csv', ...(route.lines ? [LINES] : []));
    if (form === LINES) {
      const { headers, lines } = await performer.performLines(understood, ctx.state);
      let out: StreamedResponse | undefined;
      for await (const some of lines) {
        // Not before there is something: until then a fault can be told by its status.
        out ??= startStream(ctx, { ...headers, 'Content-Type': LINES }, ctx.state.signal);
        await out.write(some);
      }
      out?.end();
      return;
    }
    const asCsv = form === 'text/csv';
    // A plan is large, and no table.
    if (asCsv && understood.query.include.has('plan'))
      throw new HttpRefusal(406, 'The member Plan is not available as text/csv.');
    const { headers, body } = await performer.perform(understood, ctx.state);
    ctx.body = asCsv ? csvText(JSON.parse(body)) : body;
    ctx.type = asCsv ? 'text/csv' : 'application/json';
    ctx.set(headers);
  };
}
