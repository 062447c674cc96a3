/**
 * Checks a question and answers it: the same for a request, a line of a batch and a job.
 *
 * Takes: a route, a body, the query and headers that are part of the question. Gives: headers and body of the
 * answer, or throws a RiskError. Must not know: Koa, the source of the question, the destination of the answer.
 */

import type { EngineKind } from '../../core/engine.ts';
import { type Fault, refuseIfFaulty } from '../../core/errors.ts';
import type { Asker } from '../../core/turns.ts';
import type { ComputeChoice, EngineSet, QuestionEngines } from '../../engine/engine-set.ts';
import type { Logger } from '../../host/log.ts';
import { closesAt } from '../../market/closes-at.ts';
import { type MarketData, type MarketHandle, marketDataText } from '../../market/market-data.ts';
import type { SymbolTable } from '../../market/symbols.ts';
import { planText } from '../../question/answer.ts';
import type { OperationAnswer, OperationContext } from '../../question/question.ts';
import { type PricesOf, readWithAmounts } from '../../question/request/amounts.ts';
import type { Checked } from '../../question/request/parse.ts';
import { checkQuery, type OperationQuery, type Sampling } from '../../question/request/query.ts';
import { type Day, dayOf } from '../../text/calendar-date.ts';
import type { Admission, QueuedEngine } from '../admission/admission.ts';
import { calibrationSeconds, predictedSeconds } from '../admission/costs.ts';
import type { Limits } from '../admission/limits.ts';
import type { KnownKey } from '../keys/key-ring.ts';
import type { ObservedRun } from '../metrics/metrics.ts';
import { failureName, NO_SPAN, type Span, spanned } from '../tracing/trace.ts';
import type { LogFacts } from '../transport/context.ts';
import { checkRunHeaders, type RunHeaders } from '../transport/headers.ts';
import { answerFacts, keyFacts, questionFacts } from './log-facts.ts';
import type { PreparedRequest, Route } from './route.ts';
import {
  type FinishedAnswer,
  type StreamedAnswer,
  serializeCsv,
  serializeJson,
  serializeLines,
  type TextAnswer,
} from './serialize.ts';
import { tracedRun } from './watched-engines.ts';

/**
 * From this age on a question is answered on the current version of the market: the files of its own version are removed an hour
 * after the next one replaces it.
 */
const VERSION_KEPT_MS = 50 * 60_000;

export interface QuestionHandlerDependencies {
  readonly market: MarketHandle;
  readonly engines: EngineSet;
  readonly maintenanceMargins: OperationContext['maintenanceMargins'];
  readonly admission: Admission;
  /** The limits of each key; `of` throws an HttpRefusal for a key that was revoked or has expired. */
  readonly limits: Limits & { of(caller: string): KnownKey };
  /** Called after every finished run. */
  readonly observeRun?: (run: ObservedRun) => void;
  /** Threads of the CPU engines. */
  readonly cpuThreads: number;
  /** `Risk engine version`. */
  readonly version: string;
  readonly log: Logger;
  /** The current time; tests replace it. */
  readonly now?: () => Date;
}

/** A body as sent: a JSON value, or bytes that are parsed elsewhere. */
export type SentBody =
  | {
      readonly body: unknown;
      /** Members that the JSON text of `body` names more than once. */
      readonly repeats: readonly Fault[];
    }
  | { readonly bytes: Uint8Array };

/** A question as sent, and its caller, whose turn it uses where bodies wait to be parsed. */
export interface SentQuestion {
  readonly asker: Asker;
  readonly sent: SentBody;
  readonly query: URLSearchParams;
  /** Header `x-seed`. */
  readonly seed: string | undefined;
  /** Header `x-compute`. */
  readonly compute: string | undefined;
  /** Sentences on the tape that was sent instead of the body: warnings of the answer. */
  readonly remarks?: readonly string[] | undefined;
}

/** A question without faults. Its date is fixed, so that its answer does not depend on when it runs. */
export interface CheckedQuestion extends RunHeaders {
  readonly route: Route;
  readonly request: PreparedRequest;
  readonly query: OperationQuery;
  readonly moment: Date;
  /** The version of the market for its answer. */
  readonly market: MarketData;
  /** Warnings on its tape. */
  readonly remarks: readonly string[];
}

/** The caller, the deadline and the callbacks of a question. */
export interface AnswerOptions {
  readonly requestId: string;
  /** Whose share of the engines it uses: the digest of a key. */
  readonly caller: string;
  readonly signal: AbortSignal;
  /** Seconds of the application's clock. */
  readonly deadline: number;
  /** Receives the facts of the question for the log. */
  readonly facts: LogFacts;
  /** Called when the question has left the queue; its run starts when this has resolved. */
  readonly started?: () => void | Promise<void>;
  /** Wraps the engines for this run, for example to watch their progress. */
  readonly engines?: QuestionEngines;
  /** True for work that waits instead of being refused, on at most half of the places of each queue. */
  readonly background?: boolean;
  /** The parent of the spans of its work. */
  readonly span?: Span;
}

export type QuestionHandler = ReturnType<typeof createQuestionHandler>;

/** Headers of every answer to a checked question, including refusals. */
export const questionHeaders = ({ seed }: CheckedQuestion): Readonly<Record<string, string>> => ({
  'x-seed': String(seed),
});

export function createQuestionHandler(dependencies: QuestionHandlerDependencies) {
  const { admission, cpuThreads, engines, limits, log, maintenanceMargins, market, version } = dependencies;
  const { now = () => new Date(), observeRun } = dependencies;

  async function check(
    route: Route,
    { asker, sent, query: parameters, seed, compute, remarks = [] }: SentQuestion,
    moment: Date,
  ): Promise<CheckedQuestion> {
    const today = dayOf(moment);
    const query = checkQuery(parameters, route.querySupport);
    const headers = checkRunHeaders(seed, compute);
    const snapshot = market.current();
    const request = await readBody(
      route,
      sent,
      today,
      snapshot.symbols,
      asker,
      closesAt(snapshot, moment),
      query.ok ? query.value.sampling : undefined,
    );
    const repeats = 'bytes' in sent ? [] : sent.repeats;
    if (query.ok && headers.ok && request.ok && repeats.length === 0)
      return {
        route,
        request: request.value,
        query: query.value,
        moment,
        market: snapshot,
        remarks,
        ...headers.value,
      };
    const faults = [query, headers, request].flatMap(checked => (checked.ok ? [] : checked.faults));
    refuseIfFaulty([...repeats, ...faults]);
    throw new Error('A question without a value has at least one fault.');
  }

  /** Waits for an engine, and answers a question. */
  async function finish(
    { route, request, query, seed, compute, moment, market: snapshot, remarks }: CheckedQuestion,
    options: AnswerOptions,
  ): Promise<FinishedAnswer> {
    const { requestId, caller, signal, deadline, facts, started, background = false } = options;
    const { span = NO_SPAN, engines: runEngines = engines } = options;
    const traced = span === NO_SPAN ? undefined : tracedRun(span, snapshot, runEngines);
    const { digest, name } = limits.of(caller);
    Object.assign(facts, keyFacts(digest, name), questionFacts(request, seed, compute), { version });
    const context: OperationContext = {
      market: traced?.market ?? snapshot,
      engines: traced?.engines ?? runEngines,
      compute,
      query,
      seed,
      now: moment,
      signal,
      caller,
      log: log.child({ request_id: requestId }),
      maintenanceMargins,
    };
    let answeredOn = snapshot;
    const { product, calibration, assets, work } = request.workload;
    const engine = queuedEngineOf(request, compute, engines);
    const entrant = {
      engine,
      caller,
      predictedSeconds:
        calibrationSeconds(calibration, request.fitCost) +
        predictedSeconds({
          engine: costEngineOf(engine, request, compute, engines),
          product,
          model: calibration.model,
          assets,
          work,
          threads: engine === 'cpu' ? cpuThreads : 1,
          ...(engines.simdKernel && { lanes: engines.simdKernel.lanes }),
        }),
      kind: `${route.path} ${request.methodology} ${compute}`,
      deadline,
      background,
    };
    const keyOf = () => limits.of(caller);
    const share = await limits.enter(keyOf, work, background ? signal : undefined);
    const queue = span.child('queue');
    const running = admission.run(entrant, signal, async waitedSeconds => {
      // The key may have expired while a job waited.
      keyOf();
      queue.end();
      facts.queued_milliseconds = Math.round(waitedSeconds * 1000);
      await started?.();
      const begin = performance.now();
      if (now().getTime() - moment.getTime() >= VERSION_KEPT_MS) answeredOn = market.current();
      const answer = await request.run(
        answeredOn === snapshot ? context : { ...context, market: answeredOn },
      );
      const seconds = (performance.now() - begin) / 1000;
      observeRun?.({ operation: route.path, engine: answer.engine.backend, work, seconds });
      return answer;
    });
    const computed = await running.finally(share.leave).catch((error: unknown) => {
      // The question did not leave the queue: its span is still open.
      if (facts.queued_milliseconds === undefined) {
        queue.fail(failureName(error));
        queue.end();
      }
      traced?.failed(error);
      throw error;
    });
    const answer = withRemarks(computed, remarks);
    const marketData = marketDataText(answeredOn);
    Object.assign(facts, answerFacts(answer), { market_data: marketData });
    return { answer, query, marketData, version, limitHeaders: share.headers };
  }

  return {
    /**
     * @param span parent of the span of reading
     * @throws RiskError `invalid-request` with the faults of query, headers and body
     */
    check: (route: Route, question: SentQuestion, span = NO_SPAN, moment = now()) =>
      spanned(span, 'validation', () => check(route, question, moment)),

    /** @throws RiskError, or the signal's reason once it is aborted */
    async answerJson(checked: CheckedQuestion, options: AnswerOptions): Promise<TextAnswer> {
      const finished = await finish(checked, options);
      const plan = checked.query.include.has('plan') ? finished.answer.plan : undefined;
      return serializeJson(finished, plan && (await planText(plan, options)));
    },
    /** The same in lines, for a route that offers them. */
    answerLines: async (checked: CheckedQuestion, options: AnswerOptions): Promise<StreamedAnswer> =>
      serializeLines(await finish(checked, options)),
    /** The same as rows of a table, without the member `Plan`. */
    answerCsv: async (checked: CheckedQuestion, options: AnswerOptions): Promise<StreamedAnswer> =>
      serializeCsv(await finish(checked, options)),
  };
}

/** The answer with a warning for each remark on its tape, before the others. */
const withRemarks = (answer: OperationAnswer, remarks: readonly string[]): OperationAnswer =>
  remarks.length === 0
    ? answer
    : {
        ...answer,
        warnings: [
          ...remarks.map(message => ({ code: 'tape-remark' as const, message })),
          ...(answer.warnings ?? []),
        ],
      };

/** Parses a body with the route's reader, which determines its form. */
async function readBody(
  route: Route,
  sent: SentBody,
  today: Day,
  symbols: SymbolTable,
  asker: Asker,
  pricesOf: PricesOf,
  sampling: Sampling | undefined,
): Promise<Checked<PreparedRequest>> {
  if (route.readBytes === undefined && 'body' in sent)
    return readWithAmounts(sent.body, route.amounts, symbols.resolve, pricesOf, body =>
      route.read(body, today, symbols.resolve, sampling),
    );
  if (route.readBytes !== undefined && 'bytes' in sent)
    return route.readBytes(sent.bytes, today, symbols, asker, pricesOf, sampling);
  throw new Error(`${route.path} received a body in a form that it does not read.`);
}

/**
 * The engine in whose queue a request waits, on which it will most likely run; small work under `auto` runs on the CPU instead, and
 * all of it while the GPU is unavailable.
 */
function queuedEngineOf(
  request: PreparedRequest,
  compute: ComputeChoice,
  { gpu, gpuState, autoTakesSoftware = false }: EngineSet,
): QueuedEngine {
  if (gpu === undefined || compute === 'cpu' || !request.workload.onGpu) return 'cpu';
  const spared = gpu.description.software && !autoTakesSoftware;
  return compute === 'auto' && (spared || gpuState !== 'ready') ? 'cpu' : 'gpu';
}

/** The engine whose costs a request is predicted by. */
function costEngineOf(
  queued: QueuedEngine,
  request: PreparedRequest,
  compute: ComputeChoice,
  { gpu, simd }: EngineSet,
): EngineKind {
  if (queued === 'gpu') return gpu?.description.software === true ? 'software-gpu' : 'gpu';
  return compute === 'auto' && simd !== undefined && request.workload.onSimd ? 'simd' : 'reference';
}
