/**
 * The application: a function from a request to an answer. It never listens.
 *
 * Middleware in order: name and errors, form, deadline, then by path and method: key, content type, body, operation.
 */
import Router from '@koa/router';
import Koa from 'koa';
import { readJson, requireJson } from './body.ts';
import { header, type Middleware, type RequestState } from './context.ts';
import { withDeadline } from './deadline.ts';
import { errorHandler } from './error-handler.ts';
import { type HealthDependencies, healthMiddleware } from './health.ts';
import { createKeyCheck } from './keys.ts';
import { keyFacts } from './log-facts.ts';
import { type OperationDependencies, operationMiddleware } from './operate.ts';
import { HttpRefusal } from './problem.ts';
import type { Route } from './route.ts';
import { requireWellFormed } from './well-formed.ts';

export interface AppDependencies extends OperationDependencies, Pick<HealthDependencies, 'gpuRequired'> {
  readonly routes: readonly Route[];
  /** SHA-256 digests in hexadecimal of the keys that are let in. */
  readonly keyHashes: readonly string[];
  readonly requestTimeoutSeconds: number;
}

const HEALTH_PATH = '/healthz';

/** Builds the application. */
export function createApp(dependencies: AppDependencies): Koa<RequestState> {
  const { routes, keyHashes, log, requestTimeoutSeconds } = dependencies;
  const app = new Koa<RequestState>();
  // Left to itself, Koa prints stacks to standard error. What reaches here is a connection that broke.
  app.on('error', (error: Error) => log.debug({ reason: error.message }, 'connection lost'));

  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.get(HEALTH_PATH, healthMiddleware(dependencies));
  const requireKey = keyMiddleware(keyHashes);
  const operate = operationMiddleware(dependencies);
  for (const route of routes) router.post(route.path, requireKey, requireJson, readJson, operate(route));

  app.use(errorHandler(log));
  app.use(requireWellFormed);
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
  const digestOfKnown = createKeyCheck(keyHashes);
  return async (ctx, next) => {
    const digest = digestOfKnown(header(ctx, 'x-api-key'));
    // One message for a missing and for a wrong key.
    if (digest === undefined)
      throw new HttpRefusal(401, 'A valid key is needed in the header x-api-key.', {
        'WWW-Authenticate': 'ApiKey realm="collateral-risk-engine"',
      });
    Object.assign(ctx.state.facts, keyFacts(digest));
    await next();
  };
}
