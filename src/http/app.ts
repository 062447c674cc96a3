/**
 * The application: a function from a request to an answer. It never listens.
 *
 * Middleware in order: name and errors, deadline, then by path and method: key, content type, body, operation.
 */
import Router from '@koa/router';
import Koa from 'koa';
import { refuseIfFaulty } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { OperationContext } from '../operation/operation.ts';
import { dayOf } from '../request/calendar-date.ts';
import { repeatedMembers } from '../request/repeated-members.ts';
import { createAdmission, type LaneName } from './admission.ts';
import { readJson, requireJson } from './body.ts';
import type { Context, Middleware, RequestState } from './context.ts';
import { withDeadline } from './deadline.ts';
import { errorHandler } from './error-handler.ts';
import { type Compute, checkRunHeaders } from './headers.ts';
import { createKeyCheck } from './keys.ts';
import { HttpRefusal } from './problem.ts';
import { respond } from './respond.ts';
import type { Job, Route } from './route.ts';

export interface AppDependencies {
  readonly routes: readonly Route[];
  readonly market: OperationContext['market'];
  readonly engines: OperationContext['engines'];
  readonly maintenanceMargins: OperationContext['maintenanceMargins'];
  /** SHA-256 digests in hexadecimal of the keys that are let in. */
  readonly keyHashes: readonly string[];
  readonly requestTimeoutSeconds: number;
  readonly maxQueue: number;
  /** `Risk engine version`. */
  readonly version: string;
  readonly log: Logger;
  /** The clock; tests set it. */
  readonly now?: () => Date;
}

const HEALTH_PATH = '/healthz';

/** Builds the application. */
export function createApp(dependencies: AppDependencies): Koa<RequestState> {
  const { routes, keyHashes, log, requestTimeoutSeconds } = dependencies;
  const app = new Koa<RequestState>();
  // Left to itself, Koa prints stacks to standard error. What reaches here is a connection that broke.
  app.on('error', (error: Error) => log.debug({ reason: error.message }, 'connection lost'));

  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.get(HEALTH_PATH, ctx => {
    ctx.body = { status: 'ok' };
  });
  const requireKey = keyMiddleware(keyHashes);
  const operate = operationMiddleware(dependencies);
  for (const route of routes) router.post(route.path, requireKey, requireJson, ...readJson, operate(route));

  app.use(errorHandler(log));
  app.use(withDeadline(requestTimeoutSeconds));
  app.use(router.routes());
  app.use(unroutedMiddleware(routes));
  return app;
}

/** What no route has taken: 405 where the path has other methods, else 404. */
function unroutedMiddleware(routes: readonly Route[]): Middleware {
  const allowed = new Map(routes.map(({ path }) => [path, 'POST'])).set(HEALTH_PATH, 'GET, HEAD');
  return async ctx => {
    const methods = allowed.get(ctx.path);
    if (methods === undefined) throw new HttpRefusal(404, 'There is nothing at this path.');
    throw new HttpRefusal(405, `This path takes ${methods} only.`, { Allow: methods });
  };
}

function keyMiddleware(keyHashes: readonly string[]): Middleware {
  const isKnown = createKeyCheck(keyHashes);
  return async (ctx, next) => {
    // One message for a missing and for a wrong key.
    if (!isKnown(header(ctx, 'x-api-key')))
      throw new HttpRefusal(401, 'A valid key is needed in the header x-api-key.', {
        'WWW-Authenticate': 'ApiKey realm="collateral-risk-engine"',
      });
    await next();
  };
}

function operationMiddleware(dependencies: AppDependencies): (route: Route) => Middleware {
  const {
    engines,
    log,
    maintenanceMargins,
    market,
    maxQueue,
    now = () => new Date(),
    version,
  } = dependencies;
  const admission = createAdmission(maxQueue);
  return route => async ctx => {
    const moment = now();
    const today = dayOf(moment);
    const headers = checkRunHeaders(header(ctx, 'x-seed'), header(ctx, 'x-compute'));
    const job = route.read(ctx.request.body, today);
    const repeats = repeatedMembers(String(ctx.request.rawBody));
    if (!headers.ok || !job.ok || repeats.length > 0) {
      refuseIfFaulty([...repeats, ...[headers, job].flatMap(checked => (checked.ok ? [] : checked.faults))]);
      return;
    }
    const { seed, compute } = headers.value;
    const { signal, requestId } = ctx.state;
    ctx.set('x-seed', String(seed));
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
    const entrant = { engine: laneOf(job.value, compute, engines), work: job.value.work };
    const answer = await admission.run(entrant, signal, () => job.value.run(context));
    respond(ctx, answer, market.sample, version);
  };
}

/** The lane of the engine that a job will most likely run on; small work under `auto` runs on the CPU after all. */
function laneOf(job: Job, compute: Compute, { gpu }: OperationContext['engines']): LaneName {
  if (gpu === undefined || compute === 'cpu' || job.historical) return 'cpu';
  return compute === 'auto' && gpu.description.software ? 'cpu' : 'gpu';
}

/** A header as it was sent; node joins a repeated one with commas, which makes it wrong for us. */
function header(ctx: Context, name: string): string | undefined {
  const value = ctx.req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
