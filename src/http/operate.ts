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
import { sendText } from './send-text.ts';
import { type StreamedResponse, startStream } from './streamed-response.ts';

const LINES = 'application/x-ndjson';

/** The question that a request asks, once its body is read. */
export const questionOf = (ctx: Context): Question => ({
  asker: ctx.state,
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
    const isJob = prefersAsync(header(ctx, 'prefer'));
    const { rawBytes, rawBody } = ctx.request;
    const sent = isJob && jobs.jobs.takeUp !== undefined ? (rawBytes ?? Buffer.from(rawBody)) : undefined;
    const understood = await performer.understand(route, questionOf(ctx), ctx.state.span);
    ctx.set(questionHeaders(understood));
    if (isJob) {
      if (!ctx.accepts('application/json'))
        throw new HttpRefusal(
          406,
          'The header Accept admits no JSON; the result of a job is application/json only.',
        );
      await submitJob(ctx, understood, sent, jobs);
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
    // Answers that its caller leaves unread would fill the memory: a request begins when there is room.
    const started = () => jobs.answers.refuseIfFull(ctx.state.caller);
    const { headers, body } = await performer.perform(understood, { ...ctx.state, started });
    ctx.set(headers);
    await sendText(ctx, 'application/json', body, jobs);
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
