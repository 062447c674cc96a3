/**
 * The work of jobs: a checked request until its reply, on the server that took it or on another one of the fleet.
 *
 * Must not know: HTTP, what the operations compute.
 */
import type { Clock } from '../../core/clock.ts';
import { messageOf, RiskError } from '../../core/errors.ts';
import type { EngineSet, QuestionEngines } from '../../engine/engine-set.ts';
import { watchedEngines } from '../../engine/watched-engines.ts';
import type { Logger } from '../../host/log.ts';
import type { CheckedQuestion, SentQuestion } from '../../question/asking.ts';
import type { AnyQuestion } from '../../question/question.ts';
import { REPORT_PATH } from '../../question/report/request.ts';
import type { Quota } from '../admission/quota.ts';
import { faultFacts, keyFacts } from '../answers/log-facts.ts';
import { HttpRefusal, problemReply } from '../answers/problem.ts';
import {
  type AnswerOptions,
  type QuestionHandler,
  questionHeaders,
  type WholeAnswer,
} from '../answers/question-handler.ts';
import { digestOf } from '../audit/digest.ts';
import { failureName, NO_SPAN } from '../tracing/trace.ts';
import type { LogFacts, RequestState } from '../transport/context.ts';
import { runDeadline } from '../transport/deadline.ts';
import type { LogOutcome } from '../transport/error-handler.ts';
import type { JobReply, JobWork } from './job.ts';
import type { JobResumer, Jobs } from './jobs.ts';

export interface JobsDependencies {
  readonly jobs: Jobs;
  readonly questions: QuestionHandler;
  readonly reports: {
    check(
      sent: Omit<SentQuestion, 'sent' | 'remarks'> & { readonly bytes: Uint8Array },
      moment: Date,
    ): Promise<JobTask>;
  };
  readonly engines: EngineSet;
  readonly log: Logger;
  readonly logOutcome: LogOutcome;
  readonly clock: Clock;
  /** Time limit of a job from the moment it leaves the queue. */
  readonly jobTimeoutSeconds: number;
  /** Time limit of a request, to which the work limits refer. */
  readonly requestTimeoutSeconds: number;
  /** Bytes of answers that are not read yet, and connections that follow jobs. */
  readonly answers: Quota;
  readonly eventStreams: Quota;
}

/** How a job follows its work. */
export interface JobWatch {
  readonly progress: (share: number) => void;
  /** The engines of a run of the job. @param part of the job; absent where it has one run */
  engines(onProgress: (share: number) => void, part?: string): QuestionEngines;
}

/** A request without a fault as the work of a job. */
export interface JobTask
  extends Pick<CheckedQuestion, 'moment' | 'seed' | 'compute' | 'remarks' | 'json' | 'isPinned' | 'market'> {
  readonly path: string;
  /** @throws RiskError, or the signal's reason once it is aborted */
  answer(options: AnswerOptions, watch?: JobWatch): Promise<WholeAnswer>;
}

/** A question as a task. */
export const taskOf = (checked: CheckedQuestion, questions: QuestionHandler): JobTask => ({
  ...checked,
  path: checked.question.path,
  answer: (options, watch) =>
    questions.answerJson(checked, {
      ...options,
      ...(watch && { engines: watch.engines(watch.progress) }),
    }),
});

const NO_GPU_LEFT =
  'The job asks for a GPU, and its server has ended; no server with a GPU has adopted it within ten minutes.';

/** Whether a job is only for servers with a GPU, and this one has none. */
function isForOtherServers(
  { compute, workload }: CheckedQuestion,
  { gpu, gpuState, autoTakesSoftware = false, limits }: EngineSet,
  limitScale: number,
): boolean {
  const hasGpu = gpuState === 'ready' || gpuState === 'restarting';
  if (compute === 'gpu') return !hasGpu;
  if (compute === 'cpu' || (hasGpu && (autoTakesSoftware || gpu?.description.software === false)))
    return false;
  return workload.onGpu && workload.work > limitScale * limits.cpu;
}

/** Factor of the work limits of a request for a job, which has more time. */
const limitScaleOf = ({
  jobTimeoutSeconds,
  requestTimeoutSeconds,
}: Pick<JobsDependencies, 'jobTimeoutSeconds' | 'requestTimeoutSeconds'>): number =>
  Math.max(1, jobTimeoutSeconds / requestTimeoutSeconds);

/**
 * The work of jobs whose servers have ended; on the same market data an answer has the same bytes.
 *
 * @param requireKey throws for a key that this server does not have: other servers of the fleet may have it
 */
export function createJobResumer(
  routes: readonly AnyQuestion[],
  dependencies: JobsDependencies,
  requireKey: (caller: string) => void,
): JobResumer {
  const { questions, engines, logOutcome } = dependencies;
  const failing =
    (requestId: string, path: string, error: unknown): JobWork =>
    async (_, { id: job }) => {
      const reply = refusalOf(error, requestId, {});
      logOutcome({ request_id: requestId, path, status: reply.status, job }, reply.status, { error });
      return { ...reply, headers: { ...reply.headers, 'x-request-id': requestId } };
    };
  return {
    async resume(left, signal) {
      const { path, query, seed, compute, marketData, body, moment, requestId, caller, remarks } = left;
      try {
        requireKey(caller);
        const facts = { request_digest: await digestOf(body) };
        const workOf = (task: JobTask) =>
          jobWork({ requestId, caller, span: NO_SPAN, facts }, path, task, dependencies);
        const asker = { caller, signal };
        const question = { asker, query: new URLSearchParams(query), seed, compute, marketData };
        if (path === REPORT_PATH)
          return workOf(await dependencies.reports.check({ ...question, bytes: body }, new Date(moment)));
        const route = routes.find(each => each.path === path);
        if (route === undefined)
          throw new HttpRefusal(500, `This version of the server has no operation ${path}.`);
        const sent = { ...question, sent: { bytes: body }, remarks };
        const checked = await questions.check(route, sent, NO_SPAN, new Date(moment));
        const work = workOf(taskOf(checked, questions));
        if (!isForOtherServers(checked, engines, limitScaleOf(dependencies))) return work;
        if (checked.compute === 'gpu') throw new RiskError('engine-unavailable', NO_GPU_LEFT);
        // Where no other server takes it, its run refuses it by its exact work, of which this is an upper bound.
        return { refusal: { reason: 'work-limit-exceeded' }, work };
      } catch (error) {
        const refusal =
          error instanceof RiskError
            ? { reason: error.reason, ...faultFacts(error.faults) }
            : { reason: messageOf(error) };
        return { refusal, work: failing(requestId, path, error) };
      }
    },
    fail: (id, path, why) => failing(id, path, new HttpRefusal(500, why)),
  };
}

/** The reply of a job that was refused or failed. */
function refusalOf(error: unknown, requestId: string, headers: Readonly<Record<string, string>>): JobReply {
  const reply = problemReply(error, requestId, headers);
  return { ...reply, headers: { ...reply.headers, 'Content-Type': 'application/problem+json' } };
}

export function jobWork(
  {
    requestId,
    caller,
    span: request,
    facts: asked,
  }: Pick<RequestState, 'requestId' | 'caller' | 'span' | 'facts'>,
  path: string,
  checked: JobTask,
  dependencies: JobsDependencies,
): JobWork {
  const { engines, log, logOutcome, clock, jobTimeoutSeconds } = dependencies;
  return async (cancelled, report) => {
    const arrival = performance.now();
    const { request_digest } = asked;
    const facts: LogFacts = {
      ...keyFacts(caller, undefined),
      job: report.id,
      ...(request_digest !== undefined && { request_digest }),
    };
    const span = request.child('job');
    const time = runDeadline(cancelled, jobTimeoutSeconds, clock);
    let reply: JobReply;
    let failure: { readonly error: unknown } | undefined;
    await new Promise(setImmediate);
    try {
      const scale = limitScaleOf(dependencies);
      const written = await checked.answer(
        {
          requestId,
          caller,
          signal: time.signal,
          deadline: Number.POSITIVE_INFINITY,
          facts,
          background: true,
          span,
          started: () => {
            time.start();
            return report.started();
          },
        },
        {
          progress: report.progress,
          engines: (onProgress, part) =>
            watchedEngines(
              engines,
              onProgress,
              scale,
              part === undefined ? report.id : `${report.id}:${part}`,
            ),
        },
      );
      const headers = { ...questionHeaders(checked), ...written.headers };
      reply = {
        status: 200,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: Buffer.from(written.body).toString(),
      };
    } catch (error) {
      span.fail(cancelled.aborted ? 'cancelled' : failureName(error));
      if (cancelled.aborted) {
        log.info({ request_id: requestId, path, ...facts }, 'the job was cancelled');
        throw error;
      }
      failure = { error };
      reply = refusalOf(error, requestId, questionHeaders(checked));
    } finally {
      time.stop();
      span.end();
    }
    const milliseconds = Math.round(performance.now() - arrival);
    logOutcome(
      { request_id: requestId, path, status: reply.status, milliseconds, ...facts },
      reply.status,
      failure,
    );
    return { ...reply, headers: { ...reply.headers, 'x-request-id': requestId } };
  };
}
