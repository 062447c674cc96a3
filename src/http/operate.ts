/**
 * The last middleware of an operation: a body and headers in, its answer out.
 *
 * Must not know: what the operations compute, how they are queued.
 */
import { repeatedMembers } from '../request/repeated-members.ts';
import { type Context, header, type Middleware } from './context.ts';
import { prefersAsync } from './headers.ts';
import { type JobsDependencies, submitJob } from './jobs.ts';
import { type Performer, type Question, questionHeaders } from './perform.ts';
import { HttpRefusal } from './problem.ts';
import type { WrittenPieces } from './respond.ts';
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
      if (!ctx.accepts('application/json'))
        throw new HttpRefusal(
          406,
          'The header Accept admits no JSON; the result of a job is application/json only.',
        );
      await submitJob(ctx, understood, jobs);
      return;
    }
    ctx.vary('Accept');
    const form = ctx.accepts('application/json', 'text/csv', ...(route.lines ? [LINES] : []));
    if (form === LINES) {
      await sendPieces(ctx, LINES, await performer.performLines(understood, ctx.state));
      return;
    }
    if (form === 'text/csv') {
      // A plan is large, and no table.
      if (understood.query.include.has('plan'))
        throw new HttpRefusal(406, 'The member Plan is not available as text/csv.');
      await sendPieces(ctx, 'text/csv; charset=utf-8', await performer.performCsv(understood, ctx.state));
      return;
    }
    const { headers, body } = await performer.perform(understood, ctx.state);
    ctx.body = body;
    ctx.type = 'application/json';
    ctx.set(headers);
  };
}

/** Sends pieces as they are made. */
async function sendPieces(ctx: Context, type: string, { headers, pieces }: WrittenPieces): Promise<void> {
  let out: StreamedResponse | undefined;
  for await (const piece of pieces) {
    // Not before there is something: until then a fault can be told by its status.
    out ??= startStream(ctx, { ...headers, 'Content-Type': type }, ctx.state.signal);
    await out.write(piece);
  }
  out?.end();
}
