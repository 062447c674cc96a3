/**
 * Jobs over HTTP: `Prefer: respond-async` begins one, /jobs shows them.
 *
 * A question is read and refused before it becomes a job; its result is, byte for byte, what the request would have been
 * answered with. Must not know: what the operations compute.
 */
import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import { unlessAborted } from '../core/async.ts';
import type { Clock } from '../core/clock.ts';
import { refuseIfFaulty } from '../core/errors.ts';
import type { EngineSet } from '../engine/engine-set.ts';
import type { JobReply, JobWork } from '../jobs/job.ts';
import type { JobQuestion } from '../jobs/job-question.ts';
import type { Jobs, JobView } from '../jobs/job-store.ts';
import type { Logger } from '../log.ts';
import { failureName, NO_SPAN } from '../tracing/trace.ts';
import { type Context, header, type LogFacts, type Middleware, type RequestState } from './context.ts';
import { abortAfter } from './deadline.ts';
import { logOutcome } from './error-handler.ts';
import { type Performer, questionHeaders, type Understood } from './perform.ts';
import { HttpRefusal, problemBody, problemOf } from './problem.ts';
import type { Route } from './route.ts';
import { startStream } from './streamed-response.ts';
import { watchedEngines } from './watched-engines.ts';

export const JOBS_PATH = '/jobs';

export interface JobsDependencies {
  readonly jobs: Jobs;
  readonly performer: Performer;
  readonly engines: EngineSet;
  readonly log: Logger;
  readonly clock: Clock;
  /** Time that a job has from the moment it leaves the queue. */
  readonly jobTimeoutSeconds: number;
  /** Time that a request has, for which the work limits are made. */
  readonly requestTimeoutSeconds: number;
}

/** What can stand in a header without a doubt: visible ASCII. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const HEARTBEAT_MS = 15_000;

/** Begins a job for a question that has been understood, and answers 202. */
export async function submitJob(
  ctx: Context,
  understood: Understood,
  dependencies: JobsDependencies,
): Promise<void> {
  const idempotencyKey = header(ctx, 'idempotency-key');
  if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey))
    refuseIfFaulty([
      {
        path: 'header.idempotency-key',
        message: 'header.idempotency-key must be 1 to 255 visible ASCII characters',
      },
    ]);
  const job = await dependencies.jobs.submit({
    owner: ctx.state.caller,
    operation: understood.route.path,
    fingerprint: fingerprintOf(ctx),
    idempotencyKey,
    work: jobWork(ctx.state, ctx.path, understood, dependencies),
    question: questionForOthers(ctx, understood),
  });
  ctx.state.facts.job = job.id;
  ctx.status = 202;
  ctx.set({ Location: `${JOBS_PATH}/${job.id}`, 'Preference-Applied': 'respond-async' });
  ctx.body = jobView(job);
}

/** Path, query, headers and body that the answer depends on. */
function fingerprintOf(ctx: Context): string {
  const question = [
    ctx.path,
    ctx.querystring,
    header(ctx, 'x-seed') ?? '',
    header(ctx, 'x-compute') ?? '',
    String(ctx.request.rawBody),
  ];
  return createHash('sha256').update(JSON.stringify(question)).digest('hex');
}

/** The question as another server will read it, should this one end. */
function questionForOthers(ctx: Context, { moment, seed, compute }: Understood): JobQuestion {
  const { rawBytes, rawBody } = ctx.request;
  return {
    path: ctx.path,
    query: ctx.querystring,
    seed: String(seed),
    compute,
    body: rawBytes ?? Buffer.from(rawBody),
    moment: moment.getTime(),
    requestId: ctx.state.requestId,
    caller: ctx.state.caller,
  };
}

/** The work of a job whose server has ended, from its question; the answer has the same bytes on the same market data. */
export function resumeJob(
  routes: readonly Route[],
  dependencies: JobsDependencies,
): (question: JobQuestion) => Promise<JobWork> {
  return async ({ path, query, seed, compute, body, moment, requestId, caller }) => {
    const route = routes.find(each => each.path === path);
    if (route === undefined) throw new Error(`no operation has the path ${path}`);
    const sent =
      route.readBytes === undefined
        ? { body: JSON.parse(Buffer.from(body).toString()) as unknown, repeats: [] }
        : { bytes: body };
    const question = { sent, query: new URLSearchParams(query), seed, compute };
    const understood = await dependencies.performer.understand(route, question, NO_SPAN, new Date(moment));
    return jobWork({ requestId, caller, span: NO_SPAN }, path, understood, dependencies);
  };
}

function jobWork(
  { requestId, caller, span: request }: Pick<RequestState, 'requestId' | 'caller' | 'span'>,
  path: string,
  understood: Understood,
  { performer, engines, log, clock, jobTimeoutSeconds, requestTimeoutSeconds }: JobsDependencies,
): JobWork {
  return async (cancelled, report) => {
    const arrival = performance.now();
    const facts: LogFacts = {};
    const span = request.child('job');
    const ending = new AbortController();
    const signal = AbortSignal.any([cancelled, ending.signal]);
    let inTime = () => {};
    let reply: JobReply;
    let failure: { readonly error: unknown } | undefined;
    // The store has the job before anything of it runs.
    await new Promise(setImmediate);
    try {
      const limitScale = Math.max(1, jobTimeoutSeconds / requestTimeoutSeconds);
      const written = await performer.perform(understood, {
        requestId,
        caller,
        signal,
        deadline: Number.POSITIVE_INFINITY,
        facts,
        background: true,
        span,
        engines: watchedEngines(engines, report.progress, limitScale, report.id),
        started: () => {
          inTime = abortAfter(jobTimeoutSeconds, clock, ending);
          report.started();
        },
      });
      const headers = { ...questionHeaders(understood), ...written.headers };
      reply = {
        status: 200,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: written.body,
      };
    } catch (error) {
      span.fail(cancelled.aborted ? 'cancelled' : failureName(error));
      if (cancelled.aborted) {
        log.info({ request_id: requestId, path, ...facts }, 'the job was cancelled');
        throw error;
      }
      failure = { error };
      const problem = problemOf(error);
      const headers = { ...questionHeaders(understood), ...problem.headers };
      reply = {
        status: problem.status,
        headers: { ...headers, 'Content-Type': 'application/problem+json' },
        body: problemBody(problem, requestId),
      };
    } finally {
      inTime();
      span.end();
    }
    const milliseconds = Math.round(performance.now() - arrival);
    logOutcome(
      log,
      { request_id: requestId, path, status: reply.status, milliseconds, ...facts },
      reply.status,
      failure,
    );
    return { ...reply, headers: { ...reply.headers, 'x-request-id': requestId } };
  };
}

/** Adds the paths of jobs to `router`, behind `requireKey`. */
export function addJobRoutes(
  router: Router<RequestState>,
  requireKey: Middleware,
  { jobs, clock }: Pick<JobsDependencies, 'jobs' | 'clock'>,
): void {
  const jobOf = async (ctx: Context): Promise<JobView> => {
    const job = await jobs.find(ctx.state.caller, (ctx as Context & { params: { id: string } }).params.id);
    if (job === undefined) throw new HttpRefusal(404, 'There is no such job.');
    ctx.state.facts.job = job.id;
    return job;
  };
  router.get(JOBS_PATH, requireKey, async ctx => {
    ctx.body = { jobs: (await jobs.list(ctx.state.caller)).map(jobView) };
  });
  router.get(`${JOBS_PATH}/:id`, requireKey, async ctx => {
    const job = await jobOf(ctx);
    if (wantsEvents(ctx)) await followJob(ctx, job, clock);
    else ctx.body = jobView(job);
  });
  router.delete(`${JOBS_PATH}/:id`, requireKey, async ctx => {
    await jobs.remove(await jobOf(ctx));
    ctx.status = 204;
  });
  router.get(`${JOBS_PATH}/:id/result`, requireKey, async ctx => {
    const job = await jobOf(ctx);
    if (job.state === 'cancelled') throw new HttpRefusal(410, 'The job was cancelled; it has no result.');
    if (job.reply === undefined) throw new HttpRefusal(409, `The job is ${job.state}; it has no result yet.`);
    const { status, headers, body } = job.reply;
    const { 'Content-Type': type, ...others } = headers;
    ctx.status = status;
    ctx.body = body;
    ctx.type = type;
    ctx.set(others);
  });
}

/** Whether a request asks for the states of a job as they come, on a connection that may stay open long. */
export const wantsEvents = (ctx: Context): boolean =>
  ctx.method === 'GET' &&
  ctx.path.startsWith(`${JOBS_PATH}/`) &&
  ctx.accepts('json', 'text/event-stream') === 'text/event-stream';

/** Sends the job's state now and after every change, until it is final. */
async function followJob(ctx: Context, job: JobView, clock: Clock): Promise<void> {
  const { signal } = ctx.state;
  const out = startStream(ctx, { 'Content-Type': 'text/event-stream' }, signal);
  let wake = () => {};
  const stop = job.onChange(() => wake());
  // A comment now and then keeps proxies from closing a connection on which nothing happens.
  const endHeartbeat = clock.every(HEARTBEAT_MS, () => ctx.res.write(': still here\n\n'));
  try {
    let sent: string | undefined;
    for (;;) {
      const changed = new Promise<void>(resolve => {
        wake = resolve;
      });
      const isLast = job.isFinished;
      // One event for each percent, however many chunks a run has.
      const mark = `${job.state} ${Math.floor(job.share * 100)}`;
      if (mark !== sent) await out.write(`event: state\ndata: ${JSON.stringify(jobView(job))}\n\n`);
      sent = mark;
      if (isLast) break;
      await unlessAborted(changed, signal);
    }
    out.end();
  } finally {
    stop();
    endHeartbeat();
  }
}

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

/** A job as callers see it. */
function jobView(job: JobView) {
  const { started, finished, secondsLeft } = job;
  return {
    id: job.id,
    operation: job.operation,
    state: job.state,
    share_done: job.share,
    seconds_left: secondsLeft === undefined ? null : Math.round(secondsLeft * 10) / 10,
    created: isoTime(job.created),
    started: started === undefined ? null : isoTime(started),
    finished: finished === undefined ? null : isoTime(finished),
    result: !job.isAnswered ? null : `${JOBS_PATH}/${job.id}/result`,
  };
}
