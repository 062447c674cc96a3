/**
 * The last middleware of an operation: body and headers to a job, its turn, its answer.
 *
 * On the way it collects what the log says of the request. Must not know: what the operations compute.
 */
import { refuseIfFaulty } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { OperationContext } from '../operation/operation.ts';
import { dayOf } from '../request/calendar-date.ts';
import { repeatedMembers } from '../request/repeated-members.ts';
import { createAdmission, type LaneName } from './admission.ts';
import { type Context, header, type Middleware } from './context.ts';
import { type Compute, checkRunHeaders, type RunHeaders } from './headers.ts';
import { answerFacts, jobFacts } from './log-facts.ts';
import { respond } from './respond.ts';
import type { Job, Route } from './route.ts';

export interface OperationDependencies {
  readonly market: OperationContext['market'];
  readonly engines: OperationContext['engines'];
  readonly maintenanceMargins: OperationContext['maintenanceMargins'];
  readonly maxQueue: number;
  /** `Risk engine version`. */
  readonly version: string;
  readonly log: Logger;
  /** The clock; tests set it. */
  readonly now?: () => Date;
}

/** Makes the middleware of each route; all of them share one admission. */
export function operationMiddleware(dependencies: OperationDependencies): (route: Route) => Middleware {
  const { engines, log, maintenanceMargins, market, version, now = () => new Date() } = dependencies;
  const admission = createAdmission(dependencies.maxQueue);
  return route => async ctx => {
    const moment = now();
    const today = dayOf(moment);
    const understood = understand(route, ctx, today);
    if (understood === undefined) return;
    const { job, seed, compute } = understood;
    const { signal, requestId, deadline, facts } = ctx.state;
    ctx.set('x-seed', String(seed));
    Object.assign(facts, jobFacts(job, seed, compute), { version });
    const context: OperationContext = {
      market,
      engines,
      compute,
      seed,
      now: moment,
      today,
      signal,
      log: log.child({ request_id: requestId }),
      maintenanceMargins,
    };
    const entrant = {
      engine: laneOf(job, compute, engines),
      kind: `${route.path} ${job.methodology} ${compute}`,
      work: job.work,
      deadline,
    };
    const answer = await admission.run(entrant, signal, waitedSeconds => {
      facts.queued_milliseconds = Math.round(waitedSeconds * 1000);
      return job.run(context);
    });
    Object.assign(facts, answerFacts(answer));
    respond(ctx, answer, market.sample, version);
  };
}

/** @throws RiskError `invalid-request` with the faults of headers and body */
function understand(route: Route, ctx: Context, today: number): ({ job: Job } & RunHeaders) | undefined {
  const headers = checkRunHeaders(header(ctx, 'x-seed'), header(ctx, 'x-compute'));
  const job = route.read(ctx.request.body, today);
  const repeats = repeatedMembers(String(ctx.request.rawBody));
  if (headers.ok && job.ok && repeats.length === 0) return { job: job.value, ...headers.value };
  refuseIfFaulty([...repeats, ...[headers, job].flatMap(checked => (checked.ok ? [] : checked.faults))]);
  return undefined;
}

/**
 * The lane of the engine that a job will most likely run on; small work under `auto` runs on the CPU after all, and
 * all of it while the GPU is away.
 */
function laneOf(job: Job, compute: Compute, { gpu, gpuState }: OperationContext['engines']): LaneName {
  if (gpu === undefined || compute === 'cpu' || job.historical) return 'cpu';
  return compute === 'auto' && (gpu.description.software || gpuState !== 'ready') ? 'cpu' : 'gpu';
}
