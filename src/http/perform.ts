/**
 * Understands a question and answers it: the same for a request of its own, a line of a batch and a job.
 *
 * Takes: a route, a body, the query and headers that are part of the question. Gives: headers and body of the
 * answer, or throws a RiskError. Must not know: Koa, how the question came, where the answer goes.
 */

import type { Admission, QueuedEngine } from '../admission/admission.ts';
import { calibrationSeconds } from '../admission/calibration-costs.ts';
import { predictedSeconds } from '../admission/costs.ts';
import { type Day, dayOf } from '../calendar-date.ts';
import type { EngineKind } from '../core/engine.ts';
import { type Fault, refuseIfFaulty } from '../core/errors.ts';
import type { Asker } from '../core/turns.ts';
import type { KnownKey } from '../keys/key-ring.ts';
import type { Logger } from '../log.ts';
import { closesAt } from '../market/closes-at.ts';
import { type MarketData, type MarketHandle, marketDataText } from '../market/market-data.ts';
import type { SymbolTable } from '../market/symbols.ts';
import type { ObservedRun } from '../metrics/metrics.ts';
import { planText } from '../question/plan-member.ts';
import type { OperationContext } from '../question/question.ts';
import { type PricesOf, readWithAmounts } from '../request/amounts.ts';
import type { Checked } from '../request/parse.ts';
import { checkQuery, type OperationQuery, type Sampling } from '../request/query.ts';
import { failureName, NO_SPAN, type Span, spanned } from '../tracing/trace.ts';
import type { LogFacts } from './context.ts';
import { type Compute, checkRunHeaders, type RunHeaders } from './headers.ts';
import type { Limits } from './limits.ts';
import { answerFacts, questionFacts } from './log-facts.ts';
import { type Written, type WrittenPieces, writeAnswer, writeCsv, writeLines } from './respond.ts';
import type { PreparedRequest, Route } from './route.ts';
import { tracedRun } from './traced-run.ts';

/**
 * A job may wait for longer than the files of its version are kept, an hour after the next one took its place: from here on it is
 * answered on the version that is current.
 */
const VERSION_HELD_MS = 50 * 60_000;

export interface PerformDependencies {
  readonly market: MarketHandle;
  readonly engines: OperationContext['engines'];
  readonly maintenanceMargins: OperationContext['maintenanceMargins'];
  readonly admission: Admission;
  /** What each key may ask for; `of` throws an HttpRefusal for a key that is not let in any more. */
  readonly limits: Limits & { of(caller: string): KnownKey };
  /** Told of every run that was finished. */
  readonly observeRun?: (run: ObservedRun) => void;
  /** Threads of the CPU engines. */
  readonly cpuThreads: number;
  /** `Risk engine version`. */
  readonly version: string;
  readonly log: Logger;
  /** Date and time of day; tests set it. */
  readonly now?: () => Date;
}

/** A body as it was sent: a JSON value, or bytes that are read elsewhere. */
export type SentBody =
  | {
      readonly body: unknown;
      /** Members that the JSON text of `body` names more than once. */
      readonly repeats: readonly Fault[];
    }
  | { readonly bytes: Uint8Array };

/** A question as it was sent, and whose turn it takes where bodies wait to be read. */
export interface Question {
  readonly asker: Asker;
  readonly sent: SentBody;
  readonly query: URLSearchParams;
  /** Header `x-seed`. */
  readonly seed: string | undefined;
  /** Header `x-compute`. */
  readonly compute: string | undefined;
}

/** A question without faults. Its date is fixed, so that it has the same answer whenever it is run. */
export interface Understood extends RunHeaders {
  readonly route: Route;
  readonly request: PreparedRequest;
  readonly query: OperationQuery;
  readonly moment: Date;
  readonly today: Day;
  /** The version of the market that it is answered on. */
  readonly market: MarketData;
}

/** For whom and until when a question is answered. */
export interface Attendance {
  readonly requestId: string;
  /** Whose share of the engines it takes: the digest of a key. */
  readonly caller: string;
  readonly signal: AbortSignal;
  /** Seconds of the application's clock. */
  readonly deadline: number;
  /** Receives what the log says of the question. */
  readonly facts: LogFacts;
  /** Called when the question has left the queue; its run begins when this has resolved. */
  readonly started?: () => void | Promise<void>;
  /** Wraps the engines for this run, for example to watch their progress. */
  readonly engines?: OperationContext['engines'];
  /** True for work that waits in place of being refused, on at most half the places of each queue. */
  readonly background?: boolean;
  /** What the time is spent on is recorded under it. */
  readonly span?: Span;
}

export interface Performer {
  /**
   * @param span the reading is recorded under it
   * @throws RiskError `invalid-request` with the faults of query, headers and body
   */
  understand(route: Route, question: Question, span?: Span, moment?: Date): Promise<Understood>;
  /** @throws RiskError, or the signal's reason once it is aborted */
  perform(understood: Understood, attendance: Attendance): Promise<Written>;
  /** The same in lines, of a route that offers them. */
  performLines(understood: Understood, attendance: Attendance): Promise<WrittenPieces>;
  /** The same as rows of a table, without the member `Plan`. */
  performCsv(understood: Understood, attendance: Attendance): Promise<WrittenPieces>;
}

/** Headers of every answer to a question that was understood, refusals included. */
export const questionHeaders = ({ seed }: Understood): Readonly<Record<string, string>> => ({
  'x-seed': String(seed),
});

export function createPerformer(dependencies: PerformDependencies): Performer {
  const { admission, cpuThreads, log, maintenanceMargins, market, version } = dependencies;
  const { now = () => new Date() } = dependencies;

  async function understand(
    route: Route,
    { asker, sent, query: parameters, seed, compute }: Question,
    moment: Date,
  ): Promise<Understood> {
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
        today,
        market: snapshot,
        ...headers.value,
      };
    const faults = [query, headers, request].flatMap(checked => (checked.ok ? [] : checked.faults));
    refuseIfFaulty([...repeats, ...faults]);
    throw new Error('A question without a value has at least one fault.');
  }

  /** The answer of a question that was understood, and the market that it was answered on. */
  async function answerOf(
    { route, request, query, seed, compute, moment, today, market: snapshot }: Understood,
    attendance: Attendance,
  ) {
    const { requestId, caller, signal, deadline, facts, started, background = false } = attendance;
    const { span = NO_SPAN } = attendance;
    let answeredOn = snapshot;
    const plain = { market: snapshot, engines: attendance.engines ?? dependencies.engines };
    const traced = span === NO_SPAN ? undefined : tracedRun(span, plain.market, plain.engines);
    const { market, engines } = traced ?? plain;
    Object.assign(facts, questionFacts(request, seed, compute), { version });
    const context: OperationContext = {
      market,
      engines,
      compute,
      query,
      seed,
      now: moment,
      today,
      signal,
      caller,
      log: log.child({ request_id: requestId }),
      maintenanceMargins,
    };
    const queuedEngine = queuedEngineOf(request, compute, engines);
    const entrant = {
      engine: queuedEngine,
      caller,
      predictedSeconds:
        calibrationSeconds(request.workload.calibration) +
        predictedSeconds({
          engine: costEngineOf(queuedEngine, request, compute, engines),
          product: request.workload.product,
          model: request.workload.calibration.model,
          assets: request.workload.assets,
          work: request.workload.work,
          threads: queuedEngine === 'cpu' ? cpuThreads : 1,
          ...(engines.simdKernel && { lanes: engines.simdKernel.lanes }),
        }),
      kind: `${route.path} ${request.methodology} ${compute}`,
      deadline,
      background,
    };
    const { limits } = dependencies;
    const keyOf = () => limits.of(caller);
    const share = await limits.enter(keyOf, request.workload.work, background ? signal : undefined);
    const queue = span.child('queue');
    const running = admission.run(entrant, signal, async waitedSeconds => {
      // A job may have waited for longer than its key is let in.
      keyOf();
      queue.end();
      facts.queued_milliseconds = Math.round(waitedSeconds * 1000);
      await started?.();
      const begin = performance.now();
      if (now().getTime() - moment.getTime() >= VERSION_HELD_MS) answeredOn = dependencies.market.current();
      const asked = answeredOn === snapshot ? context : { ...context, market: answeredOn };
      return request.run(asked).then(finished => {
        const seconds = (performance.now() - begin) / 1000;
        const engine = finished.engine.backend;
        dependencies.observeRun?.({ operation: route.path, engine, work: request.workload.work, seconds });
        return finished;
      });
    });
    const answer = await running.finally(share.leave).catch((error: unknown) => {
      // Turned away, or given up: the span is open still.
      if (facts.queued_milliseconds === undefined) {
        queue.fail(failureName(error));
        queue.end();
      }
      traced?.failed(error);
      throw error;
    });
    Object.assign(facts, answerFacts(answer), { market_data: marketDataText(answeredOn) });
    return { answer, marketData: marketDataText(answeredOn), shareHeaders: share.headers };
  }

  return {
    understand: (route, question, span = NO_SPAN, moment = now()) =>
      spanned(span, 'validation', () => understand(route, question, moment)),

    async perform(understood, attendance) {
      const { query } = understood;
      const { answer, marketData, shareHeaders } = await answerOf(understood, attendance);
      const wanted = query.include.has('plan') ? answer.plan : undefined;
      const plan = wanted && (await planText(wanted, attendance));
      const written = await writeAnswer(answer, query, marketData, version, plan);
      return { ...written, headers: { ...written.headers, ...shareHeaders } };
    },

    async performLines(understood, attendance) {
      const { answer, marketData, shareHeaders } = await answerOf(understood, attendance);
      const { lines } = answer;
      if (lines === undefined) throw new Error(`${understood.route.path} has no lines.`);
      const written = writeLines({ ...answer, lines }, understood.query, marketData, version);
      return { ...written, headers: { ...written.headers, ...shareHeaders } };
    },

    async performCsv(understood, attendance) {
      const { answer, marketData, shareHeaders } = await answerOf(understood, attendance);
      const written = writeCsv(answer, understood.query, marketData, version);
      return { ...written, headers: { ...written.headers, ...shareHeaders } };
    },
  };
}

/** A body by the route's own reader, which decides in which form it is taken from its caller. */
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
  throw new Error(`${route.path} was sent a body in a form that it does not read.`);
}

/**
 * The engine that a request will most likely run on, in whose queue it waits; small work under `auto` runs on the CPU after all, and
 * all of it while the GPU is away.
 */
function queuedEngineOf(
  request: PreparedRequest,
  compute: Compute,
  { gpu, gpuState, autoTakesSoftware = false }: OperationContext['engines'],
): QueuedEngine {
  if (gpu === undefined || compute === 'cpu' || !request.workload.onGpu) return 'cpu';
  const spared = gpu.description.software && !autoTakesSoftware;
  return compute === 'auto' && (spared || gpuState !== 'ready') ? 'cpu' : 'gpu';
}

/** The engine whose costs a request is predicted by. */
function costEngineOf(
  queued: QueuedEngine,
  request: PreparedRequest,
  compute: Compute,
  { gpu, simd }: OperationContext['engines'],
): EngineKind {
  if (queued === 'gpu') return gpu?.description.software === true ? 'software-gpu' : 'gpu';
  return compute === 'auto' && simd !== undefined && request.workload.onSimd ? 'simd' : 'reference';
}
