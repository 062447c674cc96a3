/**
 * Where several processes serve, one of them keeps the jobs: the others hand it what concerns a job, and hand back its
 * answer as it comes.
 *
 * Must not know: what a job is, how processes are started.
 */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type Context, header, type Middleware } from './context.ts';
import { prefersAsync } from './headers.ts';
import { HttpRefusal } from './problem.ts';

/** Headers of one connection, not of what is said on it (RFC 9110, section 7.6.1). */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * @param jobsPath path of the jobs' resources
 * @param keeper socket of the process that keeps the jobs; undefined where it is this one
 */
export function forwardJobs(jobsPath: string, keeper: () => string | undefined): Middleware {
  return async (ctx, next) => {
    const socket = keeper();
    const ofJob = ctx.path === jobsPath || ctx.path.startsWith(`${jobsPath}/`);
    const beginsJob = ctx.method === 'POST' && prefersAsync(header(ctx, 'prefer'));
    if (socket === undefined || !(ofJob || beginsJob)) {
      await next();
      return;
    }
    ctx.state.facts.forwarded = 'to the process that keeps the jobs';
    const { statusCode = 502, headers } = await answerOf(ctx, socket);
    ctx.status = statusCode;
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined && !OF_THE_CONNECTION.has(name)) ctx.set(name, value);
  };
}

/** Sends the request on, and makes the answer that of `ctx`. */
async function answerOf(ctx: Context, socketPath: string): Promise<IncomingMessage> {
  const { method, url: path } = ctx;
  const headers = { ...ctx.req.headers, 'x-request-id': ctx.state.requestId };
  const sent = request({ socketPath, method, path, headers });
  ctx.req.pipe(sent);
  ctx.res.once('close', () => sent.destroy());
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    // What is still to come of the body may break when the answer is there already.
    sent.on('error', () => {});
    ctx.body = response;
    return response;
  } catch {
    throw new HttpRefusal(503, 'The process that stores the jobs is being replaced; try again later.', {
      'Retry-After': '1',
    });
  }
}
