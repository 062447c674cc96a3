/**
 * Jobs over HTTP: `Prefer: respond-async` starts one, /jobs shows them.
 *
 * A question is checked before it becomes a job; its result equals the synchronous answer byte for byte.
 * Must not know: what the operations compute.
 */
import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import { unlessAborted } from '../../core/async.ts';
import type { Clock } from '../../core/clock.ts';
import { refuseIfFaulty } from '../../core/errors.ts';
import { marketDataText } from '../../market/market-data.ts';
import { REPORT_PATH } from '../../question/report/request.ts';
import { withoutTape } from '../../question/request/tape-query.ts';
import { HttpRefusal } from '../answers/problem.ts';
import { sendForm, wantsPage } from '../answers/report-form.ts';
import { type Context, header, type Middleware, type RequestState } from '../transport/context.ts';
import { sendBytes, startStream } from '../transport/send-text.ts';
import { isAnswered, isFinal, type JobView, secondsLeft } from './job.ts';
import { jobsQuery, pageOf } from './job-pages.ts';
import type { JobQuestion } from './job-records.ts';
import { type JobsDependencies, type JobTask, jobWork } from './job-work.ts';

export const JOBS_PATH = '/jobs';

/** Visible ASCII, which is valid in every header. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
/** What no job can have as its id is not asked for. */
const JOB_ID = /^[\w-]{1,64}$/;
const HEARTBEAT_MS = 15_000;

/**
 * Starts a job for a question that has been checked, and answers 202.
 *
 * @param body as sent
 */
export async function submitJob(
  ctx: Context,
  checked: JobTask,
  body: Uint8Array,
  dependencies: JobsDependencies,
): Promise<void> {
  const idempotencyKey = header(ctx, 'idempotency-key');
  if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey))
    refuseIfFaulty([
      {
        code: 'malformed',
        path: 'header.idempotency-key',
        message: 'header.idempotency-key must be 1 to 255 visible ASCII characters',
      },
    ]);
  const { signal } = ctx.state;
  const submitted = dependencies.jobs.submit({
    signal,
    owner: ctx.state.caller,
    operation: checked.path,
    fingerprint: fingerprintOf(ctx, checked, body),
    idempotencyKey,
    work: jobWork(ctx.state, ctx.path, checked, dependencies),
    ...(dependencies.jobs.startAdoption && { question: questionForOthers(ctx, checked, body) }),
  });
  const job = await unlessAborted(submitted, signal);
  const { id } = job.info;
  ctx.state.facts.job = id;
  ctx.status = 202;
  ctx.set({ Location: `${JOBS_PATH}/${id}`, 'Preference-Applied': 'respond-async' });
  ctx.body = jobBody(job);
}

/** Path, query, headers and body that the answer depends on. */
function fingerprintOf(ctx: Context, { remarks }: JobTask, body: Uint8Array): string {
  const question = [
    ctx.path,
    ctx.querystring,
    header(ctx, 'x-seed') ?? '',
    header(ctx, 'x-compute') ?? '',
    header(ctx, 'x-market-data') ?? '',
    createHash('sha256').update(body).digest('hex'),
    ...remarks,
  ];
  return createHash('sha256').update(JSON.stringify(question)).digest('hex');
}

/** The question as another server reads it if this one ends; a tape as the JSON body that it stands for. */
function questionForOthers(
  ctx: Context,
  { moment, seed, compute, remarks, json, isPinned, market }: JobTask,
  body: Uint8Array,
): JobQuestion {
  return {
    path: ctx.path,
    query:
      json === undefined
        ? ctx.querystring
        : ctx.path === REPORT_PATH
          ? ''
          : String(withoutTape(new URLSearchParams(ctx.querystring))),
    seed: String(seed),
    compute,
    ...(isPinned && { marketData: marketDataText(market) }),
    body: json === undefined ? body : Buffer.from(json),
    moment: moment.getTime(),
    requestId: ctx.state.requestId,
    caller: ctx.state.caller,
    ...(remarks.length > 0 && { remarks: [...remarks] }),
  };
}

/** Adds the paths of jobs to `router`, after `requireKey`. */
export function addJobRoutes(
  router: Router<RequestState>,
  requireKey: Middleware,
  {
    jobs,
    clock,
    answers,
    eventStreams,
  }: Pick<JobsDependencies, 'jobs' | 'clock' | 'answers' | 'eventStreams'>,
): void {
  /** Waits for a store that may be unavailable until the deadline of the request. */
  const inTime = <T>(ctx: Context, asked: Promise<T>) => unlessAborted(asked, ctx.state.signal);
  const jobOf = async (ctx: Context): Promise<JobView> => {
    const { id } = (ctx as Context & { params: { id: string } }).params;
    const job = JOB_ID.test(id) ? await inTime(ctx, jobs.find(ctx.state.caller, id)) : undefined;
    if (job === undefined) throw new HttpRefusal(404, 'There is no such job.');
    ctx.state.facts.job = id;
    return job;
  };
  router.get(JOBS_PATH, requireKey, async ctx => {
    const asked = jobsQuery(new URLSearchParams(ctx.querystring));
    const all = await inTime(ctx, jobs.list(ctx.state.caller));
    const { page, next } = pageOf(all, asked);
    ctx.body = { jobs: page.map(jobBody), next };
  });
  router.get(`${JOBS_PATH}/:id`, requireKey, async ctx => {
    const job = await jobOf(ctx);
    if (!wantsEvents(ctx)) {
      ctx.body = jobBody(job);
      return;
    }
    const release = eventStreams.reserve(ctx.state.caller, 1);
    try {
      await followJob(ctx, job, clock);
    } finally {
      release();
    }
  });
  router.delete(`${JOBS_PATH}/:id`, requireKey, async ctx => {
    await inTime(ctx, jobs.remove(await jobOf(ctx)));
    ctx.status = 204;
  });
  router.get(`${JOBS_PATH}/:id/result`, requireKey, async ctx => {
    answers.refuseIfFull(ctx.state.caller);
    const job = await jobOf(ctx);
    const { state } = job.info;
    const reply = await inTime(ctx, job.reply());
    if (state === 'cancelled') throw new HttpRefusal(410, 'The job was cancelled; it has no result.');
    if (reply === undefined && isAnswered(state))
      throw new HttpRefusal(410, 'The result of the job is no longer in the store of the fleet.');
    if (reply === undefined) throw new HttpRefusal(409, `The job is ${state}; it has no result yet.`);
    const { status, headers, body } = reply;
    const { 'Content-Type': type, ...others } = headers;
    const isPage = status === 200 && job.info.operation === REPORT_PATH && wantsPage(ctx);
    ctx.set(others);
    if (isPage) return sendForm(ctx, Buffer.from(body), isPage, { answers, clock });
    await sendBytes(ctx, type, Buffer.from(body), { answers, clock }, status);
  });
}

/** Whether a request asks for a stream of the states of a job, on a long-lived connection. */
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
  // Periodic comments, so that proxies do not close an idle connection.
  const endHeartbeat = clock.every(HEARTBEAT_MS, () => ctx.res.write(': still here\n\n'));
  try {
    let sent: string | undefined;
    for (;;) {
      const changed = new Promise<void>(resolve => {
        wake = resolve;
      });
      const { info } = job;
      // One event for each percent, however many chunks a run has.
      const mark = `${info.state} ${Math.floor(info.share * 100)}`;
      if (mark !== sent) await out.write(`event: state\ndata: ${JSON.stringify(jobBody(job))}\n\n`);
      sent = mark;
      if (isFinal(info.state)) break;
      await unlessAborted(changed, signal);
    }
    out.end();
  } finally {
    stop();
    endHeartbeat();
  }
}

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

/** A job as clients see it. */
function jobBody({ info }: JobView) {
  const { id, operation, state, share, created, started, finished } = info;
  const left = secondsLeft(info);
  return {
    id,
    operation,
    state,
    share_done: share,
    seconds_left: left === undefined ? null : Math.round(left * 10) / 10,
    created: isoTime(created),
    started: started === undefined ? null : isoTime(started),
    finished: finished === undefined ? null : isoTime(finished),
    result: isAnswered(state) ? `${JOBS_PATH}/${id}/result` : null,
  };
}
