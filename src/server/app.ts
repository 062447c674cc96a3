/**
 * The application: a function from a request to an answer. It does not listen.
 *
 * Middleware in order: counters, trace, name and errors, form, deadline, then by path and method: key, content type, body, operation.
 */
import Router from '@koa/router';
import Koa from 'koa';
import { type Clock, processClock } from '../core/clock.ts';
import { type AnyQuestion, BOOK_BODY_BYTES } from '../question/question.ts';
import { isLongQuestion } from '../question/reading/read-bytes.ts';
import { REPORT_PATH } from '../question/report/request.ts';
import { type Admission, createAdmission } from './admission/admission.ts';
import { type Counters, memoryCounters } from './admission/counters.ts';
import { type CountFailedKey, createLimits, failedKeyCounter } from './admission/limits.ts';
import { BATCHES, CONNECTIONS, createQuota, MEBIBYTES, type Quota } from './admission/quota.ts';
import { createUsage } from './admission/usage.ts';
import { BATCH_PATH, batchMiddleware, requireLines } from './answers/batch.ts';
import { descriptionRoutes } from './answers/description.ts';
import { guideRoutes } from './answers/guide.ts';
import { announceLeaving, LEAVING, type Leaving } from './answers/leaving.ts';
import { keyFacts } from './answers/log-facts.ts';
import {
  PRICES_PATH,
  pricesMiddleware,
  SCENARIOS_PATH,
  SYMBOLS_PATH,
  scenariosMiddleware,
  symbolsMiddleware,
} from './answers/market-answers.ts';
import { operationHandler } from './answers/operation-handler.ts';
import { HttpRefusal } from './answers/problem.ts';
import { createQuestionHandler, type QuestionHandlerDependencies } from './answers/question-handler.ts';
import { createReportHandler, reportMiddleware } from './answers/report.ts';
import { USAGE_PATH, usageMiddleware } from './answers/usage-answer.ts';
import {
  closeWhileDraining,
  type HealthDependencies,
  healthMiddleware,
  livenessMiddleware,
  type Readiness,
  readinessMiddleware,
} from './health/probes.ts';
import { addJobRoutes, wantsEvents } from './jobs/job-routes.ts';
import { createJobResumer } from './jobs/job-work.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Scope } from './keys/key-file.ts';
import { type KeyRing, type KnownKey, openKeyRing } from './keys/key-ring.ts';
import type { Metrics } from './metrics/metrics.ts';
import { countRequests, metricsMiddleware } from './metrics/request-metrics.ts';
import { NO_TRACING, type Tracing } from './tracing/trace.ts';
import { traceRequests } from './tracing/trace-requests.ts';
import { CSV, requireContentType, takeBody } from './transport/body.ts';
import { type Context, header, type Middleware, type RequestState } from './transport/context.ts';
import { allowOrigins } from './transport/cross-origin.ts';
import { withDeadline } from './transport/deadline.ts';
import { errorHandler, outcomeLog } from './transport/error-handler.ts';
import { type StaticSite, siteRoutes } from './transport/static-site.ts';
import { requireWellFormed } from './transport/well-formed.ts';

/** The default counters and readiness. */
export interface Observation {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

export interface AppDependencies
  extends Omit<QuestionHandlerDependencies, 'admission' | 'limits' | 'observeRun'>,
    Pick<HealthDependencies, 'gpuRequired'> {
  readonly routes: readonly AnyQuestion[];
  /** SHA-256 digests in hexadecimal of the accepted keys. */
  readonly keyHashes: readonly string[];
  /** The accepted keys, if there are others than `keyHashes`. */
  readonly keys?: KeyRing;
  /** Counters of limits; in this process by default. */
  readonly counters?: Counters;
  /** Requests without a valid key that an address may send in a minute before it is answered 429. */
  readonly failedKeysPerMinute?: number;
  readonly requestTimeoutSeconds: number;
  /** Time limit of a job from its start, and of a batch from its arrival. */
  readonly jobTimeoutSeconds: number;
  readonly jobs: Jobs;
  /** Origins whose pages may send requests; none by default. */
  readonly corsOrigins?: readonly string[];
  readonly observation: Observation;
  /** Receives spans; none by default. */
  readonly tracing?: Tracing;
  /** Whether /metrics needs a key. */
  readonly metricsNeedKey: boolean;
  /** Paths that go; tests replace them. */
  readonly leaving?: readonly Leaving[];
  /** Requests that may wait in each queue. */
  readonly maxQueue: number;
  /** The queues; tests inspect them. */
  readonly admission?: Admission;
  /** The clock of deadlines and queues; tests replace it. */
  readonly clock?: Clock;
  /** The files of the console by path; absent where it is disabled. */
  readonly console?: StaticSite;
}

const BATCH_BOUNDS = { all: 16, perCaller: 2 };
/** Eight of the largest books of one key. A body uses up to sixteen times its bytes while it is read, one at a time. */
const BODY_BOUNDS = { all: 256 * 2 ** 20, perCaller: 128 * 2 ** 20 };
/** Four of the largest answers per key. */
const ANSWER_BOUNDS = { all: 512 * 2 ** 20, perCaller: 96 * 2 ** 20 };
const EVENT_STREAM_BOUNDS = { all: 256, perCaller: 32 };
/** The default: failed keys are not limited. */
const MAX_FAILED_KEYS = 1e9;
const HEALTH_PATH = '/healthz';
const LIVE_PATH = '/livez';
const READY_PATH = '/readyz';
const METRICS_PATH = '/metrics';
/** Paths that probes poll: not counted, not traced, and logged where they fail. */
const POLLED: ReadonlySet<string> = new Set([HEALTH_PATH, LIVE_PATH, READY_PATH, METRICS_PATH]);

/** Builds the application. */
export function createApp(dependencies: AppDependencies): Koa<RequestState> {
  const {
    routes,
    keyHashes,
    log,
    requestTimeoutSeconds,
    jobTimeoutSeconds,
    corsOrigins = [],
    clock = processClock,
  } = dependencies;
  const { metrics, readiness } = dependencies.observation;
  const app = new Koa<RequestState>();
  // By default Koa prints stacks to standard error. Only broken connections reach this handler.
  app.on('error', (error: Error) => log.debug({ reason: error.message }, 'connection lost'));

  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const { market, now = () => new Date() } = dependencies;
  const open = new Map<string, Middleware>([
    [HEALTH_PATH, healthMiddleware({ ...dependencies, now })],
    [LIVE_PATH, livenessMiddleware],
    [READY_PATH, readinessMiddleware(readiness)],
    ...descriptionRoutes(
      routes.some(({ query }) => query.include.includes('plan')),
      dependencies.version,
    ),
    ...guideRoutes(),
    ...siteRoutes(dependencies.console ?? new Map()),
  ]);
  for (const [path, answer] of open) router.get(path, answer);
  const { keys: ring = openKeyRing({ hashes: keyHashes, log }) } = dependencies;
  const { counters = memoryCounters() } = dependencies;
  const countFailedKey = failedKeyCounter(counters, dependencies.failedKeysPerMinute ?? MAX_FAILED_KEYS);
  const requireKey = keyMiddleware({ ring, countFailedKey, metrics }, 'operate');
  router.get(SYMBOLS_PATH, requireKey, symbolsMiddleware(market, now));
  router.get(PRICES_PATH, requireKey, pricesMiddleware(market, now));
  router.get(SCENARIOS_PATH, requireKey, scenariosMiddleware(dependencies.scenarios ?? []));
  const guard: Middleware[] = dependencies.metricsNeedKey
    ? [keyMiddleware({ ring, countFailedKey, metrics }, 'read')]
    : [];
  router.get(METRICS_PATH, ...guard, metricsMiddleware(metrics));
  const usage = createUsage(counters, now);
  router.get(
    USAGE_PATH,
    keyMiddleware({ ring, countFailedKey, metrics }),
    usageMiddleware({ usage, ring, counters }),
  );
  const { admission = createAdmission(dependencies.maxQueue, clock) } = dependencies;
  const keyOf = standingKey(ring);
  const questions = createQuestionHandler({
    ...dependencies,
    admission,
    limits: { of: keyOf, ...createLimits(counters, usage, metrics.limited) },
    observeRun: metrics.run,
  });
  const batches = createQuota('running batches', BATCHES, BATCH_BOUNDS);
  const bodies = createQuota('bodies', MEBIBYTES, BODY_BOUNDS);
  const answers = createQuota('answers that are not read yet', MEBIBYTES, ANSWER_BOUNDS);
  const eventStreams = createQuota('event streams', CONNECTIONS, EVENT_STREAM_BOUNDS);
  const logOutcome = outcomeLog(log, metrics.fault);
  const reports = createReportHandler({ ...dependencies, questions });
  const background = {
    ...dependencies,
    reports,
    logOutcome,
    questions,
    clock,
    batches,
    bodies,
    answers,
    eventStreams,
  };
  const operate = operationHandler(questions, background);
  for (const route of routes)
    router.post(route.path, requireKey, ...bodyMiddleware(route, bodies), operate(route));
  router.post(
    REPORT_PATH,
    requireKey,
    requireContentType('application/json', CSV),
    takeBody(BOOK_BODY_BYTES, bodies),
    reportMiddleware(reports, background),
  );
  router.post(BATCH_PATH, requireKey, requireLines, batchMiddleware(background));
  addJobRoutes(router, requireKey, background);
  dependencies.jobs.startAdoption?.(createJobResumer(routes, background, keyOf));

  const paths = [...routes.map(({ path }) => path), BATCH_PATH, REPORT_PATH];
  app.use(countRequests(metrics, paths, POLLED));
  app.use(closeWhileDraining(readiness));
  app.use(traceRequests(dependencies.tracing ?? NO_TRACING, paths, POLLED));
  const routeOf = (path: string) => router.stack.find(layer => layer.match(path))?.path as string | undefined;
  app.use(errorHandler(log, logOutcome, POLLED, routeOf));
  app.use(requireWellFormed);
  app.use(announceLeaving(dependencies.leaving ?? LEAVING));
  if (corsOrigins.length > 0) app.use(allowOrigins(corsOrigins));
  const takesLong = (ctx: Context) => ctx.path === BATCH_PATH || wantsEvents(ctx);
  app.use(withDeadline(ctx => (takesLong(ctx) ? jobTimeoutSeconds : requestTimeoutSeconds), clock));
  app.use(router.routes());
  app.use(unroutedMiddleware(router));
  return app;
}

/** The middleware that reads the body of a question; those of books are counted. */
const bodyMiddleware = ({ name, bodyBytes, takesTapes = false }: AnyQuestion, bodies: Quota) => [
  requireContentType('application/json', ...(takesTapes ? [CSV] : [])),
  takeBody(bodyBytes, isLongQuestion(name) ? bodies : undefined),
];

/** A request without a route: 405 where the path has other methods, else 404. */
function unroutedMiddleware(router: Router<RequestState>): Middleware {
  return async ctx => {
    const matched = router.stack.filter(layer => layer.match(ctx.path));
    const methods = [...new Set(matched.flatMap(layer => layer.methods))].sort().join(', ');
    if (methods === '') throw new HttpRefusal(404, 'There is nothing at this path.');
    throw new HttpRefusal(405, `This path accepts ${methods} only.`, { Allow: methods });
  };
}

interface KeyChecks {
  readonly ring: KeyRing;
  readonly countFailedKey: CountFailedKey;
  readonly metrics: Metrics;
}

/** Accepts keys with `scope`, all of them without one. */
function keyMiddleware({ ring, countFailedKey, metrics }: KeyChecks, scope?: Scope): Middleware {
  return async (ctx, next) => {
    const verdict = ring.check(header(ctx, 'x-api-key'));
    if (verdict.known === undefined) {
      metrics.refusedKey(verdict.why);
      // A valid key is always accepted: behind a proxy many clients have the same address.
      const wait = await countFailedKey(ctx.ip);
      if (wait !== undefined) {
        metrics.refusedKey('throttled');
        throw new HttpRefusal(429, 'Too many requests without a valid key came from this address.', {
          'Retry-After': String(Math.max(1, Math.ceil(wait))),
        });
      }
      // One message for a missing, a wrong and an expired key.
      throw unknownKey('A valid key is needed in the header x-api-key.');
    }
    const { digest, name, expiresSoon } = verdict.known;
    if (expiresSoon !== undefined) {
      ctx.set('x-key-expires', expiresSoon);
      ctx.state.facts.key_expires = expiresSoon;
    }
    ctx.state.caller = digest;
    Object.assign(ctx.state.facts, keyFacts(digest, name));
    if (scope !== undefined) requireScope(verdict.known, scope);
    await next();
  };
}

/** The present record of the key of a question, by its digest. */
const standingKey =
  (ring: KeyRing) =>
  (digest: string): KnownKey => {
    const known = ring.find(digest);
    if (known === undefined)
      throw unknownKey('The key of this question was revoked, or has expired, before it began.');
    requireScope(known, 'operate');
    return known;
  };

const unknownKey = (detail: string) =>
  new HttpRefusal(401, detail, { 'WWW-Authenticate': 'ApiKey realm="collateral-risk-engine"' });

function requireScope({ scopes }: KnownKey, scope: Scope): void {
  if (!scopes.has(scope) && !scopes.has('admin'))
    throw new HttpRefusal(403, `The key lacks the scope ${scope}.`);
}
