/**
 * Where several processes serve, one of them stores the jobs: the others forward requests on jobs to it, and stream its answers.
 *
 * Must not know: what a job is, how processes are started.
 */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { HttpRefusal } from '../answers/problem.ts';
import { type Context, header, type Middleware } from '../transport/context.ts';
import { prefersAsync } from '../transport/headers.ts';

/** Headers of one connection, which are not forwarded (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * @param jobsPath path of the jobs' resources
 * @param jobsAt socket of the process that stores the jobs; undefined where it is this one
 */
export function forwardJobs(jobsPath: string, jobsAt: () => string | undefined): Middleware {
  return async (ctx, next) => {
    const socket = jobsAt();
    const ofJob = ctx.path === jobsPath || ctx.path.startsWith(`${jobsPath}/`);
    const beginsJob = ctx.method === 'POST' && prefersAsync(header(ctx, 'prefer'));
    if (socket === undefined || !(ofJob || beginsJob)) {
      await next();
      return;
    }
    ctx.state.facts.forwarded = 'to the process that stores the jobs';
    const { statusCode = 502, headers } = await answerOf(ctx, socket);
    ctx.status = statusCode;
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined && !HOP_BY_HOP.has(name)) ctx.set(name, value);
  };
}

/** Forwards the request; the answer becomes that of `ctx`. */
async function answerOf(ctx: Context, socketPath: string): Promise<IncomingMessage> {
  const { method, url: path } = ctx;
  const headers = { ...ctx.req.headers, 'x-request-id': ctx.state.requestId };
  const sent = request({ socketPath, method, path, headers });
  ctx.req.pipe(sent);
  ctx.res.once('close', () => sent.destroy());
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    // The rest of the body may fail after the answer has arrived.
    sent.on('error', () => {});
    ctx.body = response;
    return response;
  } catch {
    throw new HttpRefusal(503, 'The process that stores the jobs is being replaced; try again later.', {
      'Retry-After': '1',
    });
  }
}
