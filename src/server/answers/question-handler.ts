/**
 * Asks a question for a caller with a key: the same for a request, a line of a batch and a job. Limits, queues, metrics, log and spans are
 * added to the check and the answer of src/question/asking.ts.
 *
 * Gives: headers and body of the answer, or throws a RiskError. Must not know: Koa, the source of the question, the destination of the
 * answer.
 */

import type { EngineKind } from '../../core/engine.ts';
import { RiskError, refuseIfFaulty } from '../../core/errors.ts';
import type { EngineSet, QuestionEngines } from '../../engine/engine-set.ts';
import type { Logger } from '../../host/log.ts';
import { type MarketData, type MarketHandle, marketDataText } from '../../market/market-data.ts';
import type { Venues } from '../../question/account/venues/venues.ts';
import { planText } from '../../question/answer.ts';
import {
  answerQuestion,
  type CheckedQuestion,
  checkQuestion,
  type SentQuestion,
} from '../../question/asking.ts';
import { MAX_LOANS } from '../../question/book/request.ts';
import type { AnyQuestion, OperationAnswer, OperationContext } from '../../question/question.ts';
import type { NamedScenario } from '../../question/scenario/scenario.ts';
import { show } from '../../text/message.ts';
import type { Admission, QueuedEngine } from '../admission/admission.ts';
import { calibrationSeconds, predictedSeconds } from '../admission/costs.ts';
import type { Limits } from '../admission/limits.ts';
import type { AuditFile } from '../audit/audit-file.ts';
import { digestOf, digestOfPieces } from '../audit/digest.ts';
import type { KnownKey } from '../keys/key-ring.ts';
import type { ObservedRun } from '../metrics/metrics.ts';
import { failureName, NO_SPAN, type Span, spanned } from '../tracing/trace.ts';
import type { LogFacts } from '../transport/context.ts';
import type { ColumnForm } from './columns.ts';
import { answerFacts, keyFacts, questionFacts } from './log-facts.ts';
import { answerHeaders, columnsOfAnswer, csvOf, jsonOf, linesOf } from './serialize.ts';
import { tracedRun } from './traced-run.ts';

/**
 * From this age on a question is answered on the current version of the market: the files of its own version are removed an hour
 * after the next one replaces it.
 */
const VERSION_KEPT_MS = 50 * 60_000;

export interface QuestionHandlerDependencies {
  readonly market: MarketHandle;
  readonly engines: EngineSet;
  readonly maintenanceMargins: OperationContext['maintenanceMargins'];
  /** Scenarios of the server, in addition to those of the program. */
  readonly scenarios?: readonly NamedScenario[];
  /** Venues of accounts; those of the program where absent. */
  readonly venues?: Venues;
  readonly admission: Admission;
  /** The limits of each key; `of` throws an HttpRefusal for a key that was revoked or has expired. */
  readonly limits: Limits & { of(caller: string): KnownKey };
  /** Called after every finished run. */
  readonly observeRun?: (run: ObservedRun) => void;
  /** Threads of the CPU engines. */
  readonly cpuThreads: number;
  /** `Risk engine version`. */
  readonly version: string;
  /** Has the record of each answer before it is sent; absent where none is kept. */
  readonly audit?: Pick<AuditFile, 'write'> | undefined;
  readonly log: Logger;
  /** The current time; tests replace it. */
  readonly now?: () => Date;
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

/** The headers of an answer, with those of the limits of its key. */
type Headers = Readonly<Record<string, string>>;

/** The headers and the bytes of an answer. */
export interface WholeAnswer {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** The headers of an answer and its text in pieces, which are made on demand. */
export interface StreamedAnswer {
  readonly headers: Headers;
  readonly pieces: AsyncIterable<string>;
}

interface Finished {
  readonly answer: OperationAnswer;
  readonly headers: Headers;
}

export type QuestionHandler = ReturnType<typeof createQuestionHandler>;

/** Headers of every answer to a checked question, including refusals. */
export const questionHeaders = ({
  seed,
}: Pick<CheckedQuestion, 'seed'>): Readonly<Record<string, string>> => ({
  'x-seed': String(seed),
});

export function createQuestionHandler(dependencies: QuestionHandlerDependencies) {
  const { admission, cpuThreads, engines, limits, log, maintenanceMargins, market, version } = dependencies;
  const { audit, now = () => new Date(), observeRun, scenarios = [], venues } = dependencies;

  /** Waits for an engine, and answers a question; a refusal names members of its body. */
  const finish = (checked: CheckedQuestion, options: AnswerOptions): Promise<Finished> =>
    finishInTurn(checked, options).catch((error: unknown) => {
      throw checked.atMembers(error);
    });

  async function finishInTurn(checked: CheckedQuestion, options: AnswerOptions): Promise<Finished> {
    const { question, compute, moment, market: snapshot, workload } = checked;
    const { requestId, caller, signal, deadline, facts, started, background = false } = options;
    const { span = NO_SPAN, engines: runEngines = engines } = options;
    const traced = span === NO_SPAN ? undefined : tracedRun(span, snapshot, runEngines);
    const { digest, name } = limits.of(caller);
    Object.assign(facts, keyFacts(digest, name), questionFacts(checked), { version });
    let answeredOn = snapshot;
    const { product, calibration, assets, work } = workload;
    const engine = queuedEngineOf(checked, engines);
    const entrant = {
      engine,
      caller,
      predictedSeconds:
        calibrationSeconds(calibration, checked.fitCost) +
        predictedSeconds({
          engine: costEngineOf(engine, checked, engines),
          product,
          model: calibration.model,
          assets,
          work,
          threads: engine === 'cpu' ? cpuThreads : 1,
          ...(engines.simdKernel && { lanes: engines.simdKernel.lanes }),
        }),
      kind: `${question.path} ${checked.methodology} ${compute}`,
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
      if (!checked.isPinned && now().getTime() - moment.getTime() >= VERSION_KEPT_MS)
        answeredOn = market.current();
      const answer = await answerQuestion(checked, {
        market: answeredOn === snapshot ? (traced?.market ?? snapshot) : answeredOn,
        engines: traced?.engines ?? runEngines,
        ...{ signal, caller, maintenanceMargins, log: log.child({ request_id: requestId }) },
      });
      const seconds = (performance.now() - begin) / 1000;
      observeRun?.({ operation: question.path, engine: answer.engine.backend, work, seconds });
      return answer;
    });
    const answer = await running.finally(share.leave).catch((error: unknown) => {
      // The question did not leave the queue: its span is still open.
      if (facts.queued_milliseconds === undefined) {
        queue.fail(failureName(error));
        queue.end();
      }
      traced?.failed(error);
      throw error;
    });
    if (answeredOn.version !== undefined) market.noteUse?.(answeredOn.version);
    const marketData = marketDataText(answeredOn);
    Object.assign(facts, answerFacts(answer), { market_data: marketData });
    return { answer, headers: { ...answerHeaders(answer, marketData), ...share.headers } };
  }

  /** Puts the digest of an answer into the facts, and its record on the disk. */
  async function record(
    { question }: CheckedQuestion,
    digest: string,
    options: AnswerOptions,
  ): Promise<void> {
    options.facts.answer_digest = digest;
    await audit?.write({
      event: 'answer',
      request_id: options.requestId,
      path: question.path,
      ...options.facts,
    });
  }

  /** The pieces, of which the last is given when the record of all is written: without it an answer is incomplete. */
  async function* recorded(
    pieces: AsyncIterable<string>,
    checked: CheckedQuestion,
    options: AnswerOptions,
  ): AsyncGenerator<string> {
    const digest = digestOfPieces();
    let held: string | undefined;
    for await (const piece of pieces) {
      if (held !== undefined) yield held;
      digest.add(piece);
      held = piece;
    }
    await record(checked, digest.end(), options);
    if (held !== undefined) yield held;
  }

  /** An answer that is complete before it is sent. */
  async function whole(
    checked: CheckedQuestion,
    options: AnswerOptions,
    bytesOf: (answer: OperationAnswer) => Promise<Uint8Array>,
  ): Promise<WholeAnswer> {
    const { answer, headers } = await finish(checked, options);
    const body = await bytesOf(answer);
    const digest = await digestOf(body);
    await record(checked, digest, options);
    return { headers: { ...headers, 'Repr-Digest': digest }, body };
  }

  const statementOf = ({ query: { include } }: CheckedQuestion) => ({ include, version });

  return {
    /**
     * @param span parent of the span of reading
     * @throws RiskError `invalid-request` with the faults of query, headers and body
     * @throws UnreadableBody
     */
    check: (question: AnyQuestion, sent: SentQuestion, span = NO_SPAN, moment = now()) =>
      spanned(span, 'validation', async () => {
        const isPinned = sent.marketData !== undefined;
        const asked = isPinned ? await marketOf(sent.marketData ?? '', market) : market.current();
        return checkQuestion(question, sent, {
          market: asked,
          isPinned,
          moment,
          scenarios,
          venues,
          maxLoans: MAX_LOANS,
        });
      }),

    /** @throws RiskError, or the signal's reason once it is aborted */
    async answerJson(checked: CheckedQuestion, options: AnswerOptions): Promise<WholeAnswer> {
      return whole(checked, options, async answer => {
        const plan = checked.query.include.has('plan') ? answer.plan : undefined;
        return jsonOf(answer, statementOf(checked), plan && (await planText(plan, options)));
      });
    },
    /** The same as typed columns, without the member `Plan`. */
    answerColumns: (
      checked: CheckedQuestion,
      options: AnswerOptions,
      form: ColumnForm,
    ): Promise<WholeAnswer> =>
      whole(checked, options, answer =>
        columnsOfAnswer(answer, statementOf(checked), form, checked.question.table),
      ),
    /** The same in lines, for a route that offers them. */
    async answerLines(checked: CheckedQuestion, options: AnswerOptions): Promise<StreamedAnswer> {
      const { answer, headers } = await finish(checked, options);
      return { headers, pieces: recorded(linesOf(answer, statementOf(checked)), checked, options) };
    },
    /** The same as rows of a table, without the member `Plan`. */
    async answerCsv(checked: CheckedQuestion, options: AnswerOptions): Promise<StreamedAnswer> {
      const { answer, headers } = await finish(checked, options);
      return { headers, pieces: recorded(csvOf(answer, statementOf(checked)), checked, options) };
    },
  };
}

const VERSION = /^(?:store; version=)?([0-9a-f]{12})$/;

/**
 * The market that the header `x-market-data` names, in the form of an answer or by its version alone.
 * @throws RiskError `invalid-request`, or `market-version-gone`
 */
export async function marketOf(sent: string, market: MarketHandle): Promise<MarketData> {
  const current = market.current();
  if (sent === marketDataText(current)) return current;
  const version = VERSION.exec(sent)?.[1];
  if (version === undefined)
    refuseIfFaulty([
      {
        code: 'malformed',
        path: 'header.x-market-data',
        message: `header.x-market-data must be as an answer has it: ${marketDataText(current)}, or the version alone; got ${show(sent)}`,
      },
    ]);
  const found = version === current.version ? current : await market.at?.(version ?? '');
  if (found !== undefined) return found;
  throw new RiskError(
    'market-version-gone',
    `The version ${version} of the market data is not kept here; current is ${marketDataText(current)}.`,
  );
}

/**
 * The engine in whose queue a request waits, on which it will most likely run; small work under `auto` runs on the CPU instead, and
 * all of it while the GPU is unavailable.
 */
function queuedEngineOf(
  { compute, workload }: CheckedQuestion,
  { gpu, gpuState, autoTakesSoftware = false }: EngineSet,
): QueuedEngine {
  if (gpu === undefined || compute === 'cpu' || !workload.onGpu) return 'cpu';
  const spared = gpu.description.software && !autoTakesSoftware;
  return compute === 'auto' && (spared || gpuState !== 'ready') ? 'cpu' : 'gpu';
}

/** The engine whose costs a request is predicted by. */
function costEngineOf(
  queued: QueuedEngine,
  { compute, workload }: CheckedQuestion,
  { gpu, simd }: EngineSet,
): EngineKind {
  if (queued === 'gpu') return gpu?.description.software === true ? 'software-gpu' : 'gpu';
  return compute === 'auto' && simd !== undefined && workload.onSimd ? 'simd' : 'reference';
}
