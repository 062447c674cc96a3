/**
 * /book_report: the report of the command `book` over HTTP. Each question of a report is admitted, limited and counted like any other of
 * its key; its market is one version.
 *
 * Takes: a body and headers. Gives: the result as JSON or as one page. Must not know: how a figure is computed.
 */
import { type Fault, RiskError, refuseIfFaulty } from '../../core/errors.ts';
import type { Asker } from '../../core/turns.ts';
import { type Ask, DeskRefusal } from '../../desk/ask.ts';
import { closesAt } from '../../market/closes-at.ts';
import { type MarketHandle, marketDataText } from '../../market/market-data.ts';
import { type CheckedQuestion, UnreadableBody } from '../../question/asking.ts';
import type { AnyQuestion } from '../../question/question.ts';
import { readLongBody } from '../../question/reading/reader.ts';
import type { ReportRequest } from '../../question/reading/report-body.ts';
import { reportCommand } from '../../question/report/command.ts';
import { resultText } from '../../question/report/forms.ts';
import { makeResult } from '../../question/report/make-result.ts';
import { REPORT_PATH, reportSchema } from '../../question/report/request.ts';
import { bodyOfTape } from '../../question/report/tape-with-query.ts';
import { lastDays } from '../../question/report/valuing.ts';
import { unknownParameters } from '../../question/request/query.ts';
import { checkRunHeaders } from '../../question/request/run-headers.ts';
import type { NamedScenario } from '../../question/scenario/scenario.ts';
import { dayOf } from '../../text/calendar-date.ts';
import type { AuditFile } from '../audit/audit-file.ts';
import { digestOf } from '../audit/digest.ts';
import { submitJob } from '../jobs/job-routes.ts';
import type { JobsDependencies, JobTask, JobWatch } from '../jobs/job-work.ts';
import { CSV, contentType } from '../transport/body.ts';
import { header, type Middleware } from '../transport/context.ts';
import { prefersAsync } from '../transport/headers.ts';
import { SCENARIOS_PATH, scenariosBody } from './market-answers.ts';
import { HttpRefusal, problemBody, problemOf } from './problem.ts';
import { type AnswerOptions, marketOf, type QuestionHandler, type WholeAnswer } from './question-handler.ts';
import { sendForm, wantsPage } from './report-form.ts';

export interface ReportDependencies {
  readonly routes: readonly AnyQuestion[];
  readonly questions: QuestionHandler;
  readonly market: MarketHandle;
  readonly scenarios?: readonly NamedScenario[];
  readonly audit?: Pick<AuditFile, 'write'> | undefined;
  readonly version: string;
  readonly now?: () => Date;
}

/** A report as sent. */
interface SentReport {
  readonly asker: Asker;
  readonly bytes: Uint8Array;
  /** The same as a text, where the request has a tape in its place. */
  readonly json?: string | undefined;
  readonly query: URLSearchParams;
  readonly seed: string | undefined;
  readonly compute: string | undefined;
  readonly marketData: string | undefined;
}

/** A report without faults, as a task of a job. */
export interface CheckedReport extends JobTask {
  readonly request: ReportRequest;
}

export type ReportHandler = ReturnType<typeof createReportHandler>;

/** Faults of a question that its caller can mend by the body of the report, or that leave out a part of it. */
const REFUSED = ['invalid-request', 'missing-market-data', 'calibration-failed'];

export function createReportHandler(dependencies: ReportDependencies) {
  const { routes, questions, market: handle, scenarios = [], audit, version } = dependencies;
  const { now = () => new Date() } = dependencies;

  /** @throws RiskError with the faults of query, headers and body, or UnreadableBody */
  async function check(sent: SentReport, moment = now()): Promise<CheckedReport> {
    const isPinned = sent.marketData !== undefined;
    const market = isPinned ? await marketOf(sent.marketData ?? '', handle) : handle.current();
    const headers = checkRunHeaders(sent.seed, sent.compute);
    const read = await readLongBody(
      sent.bytes,
      {
        question: 'report',
        today: dayOf(moment),
        aliases: market.symbols.aliases(),
        scenarios,
        maxLoans: 0,
        report: { moment: moment.getTime(), lastDays: [...(await lastDays(market))] },
      },
      sent.asker,
      closesAt(market, moment),
    );
    if ('unreadable' in read) throw new UnreadableBody(read.unreadable);
    if (read.ok && headers.ok && sent.query.size === 0) {
      const checked = { ...headers.value, request: read.value, market, isPinned, moment };
      return {
        ...checked,
        path: REPORT_PATH,
        remarks: [],
        json: sent.json,
        answer: (options, watch) => answer(checked, options, watch),
      };
    }
    const faults: readonly Fault[] = [
      ...unknownParameters(sent.query, []),
      ...(headers.ok ? [] : headers.faults),
      ...(read.ok ? [] : read.faults),
    ];
    refuseIfFaulty(faults);
    throw new Error('A report without a value has at least one fault.');
  }

  async function answer(
    {
      request,
      market,
      moment,
      seed,
      compute,
    }: Pick<CheckedReport, 'request' | 'market' | 'moment' | 'seed' | 'compute'>,
    options: AnswerOptions,
    watch?: JobWatch,
  ): Promise<WholeAnswer> {
    const { tape, name, terms, earlier, ...others } = request;
    const { requestId, caller, signal } = options;
    let asked = 0;
    let refusal: RiskError | undefined;
    let begun: Promise<void> | undefined;
    const started = async () => {
      begun ??= Promise.resolve(options.started?.());
      await begun;
    };
    const ask: Ask = async ({ path, include, scenario, seed: own = seed, body, onProgress = () => {} }) => {
      if (path === SCENARIOS_PATH || body === undefined)
        return { ok: true, text: JSON.stringify(scenariosBody(scenarios)) };
      const question = routes.find(each => each.path === path);
      if (question === undefined) throw new HttpRefusal(404, `This server has no operation ${path}.`);
      asked += 1;
      const part = `${requestId}:${asked}`;
      try {
        const checked: CheckedQuestion = await questions.check(
          question,
          {
            asker: { caller, signal },
            sent: { bytes: Buffer.from(JSON.stringify(body)) },
            query: new URLSearchParams({
              ...(include !== undefined && { include }),
              ...(scenario !== undefined && { scenario }),
            }),
            seed: String(own),
            compute,
            marketData: marketDataText(market),
          },
          options.span,
          moment,
        );
        const { body: text } = await questions.answerJson(checked, {
          ...options,
          requestId: part,
          facts: {},
          started,
          ...(watch && { engines: watch.engines(onProgress, String(asked)) }),
        });
        return { ok: true, text: Buffer.from(text).toString() };
      } catch (error) {
        if (!(error instanceof RiskError) || !REFUSED.includes(error.reason)) throw error;
        refusal = error;
        return { ok: false, text: problemBody(problemOf(error), part) };
      }
    };
    const result = await makeResult(
      {
        market,
        ask,
        now: moment,
        progress: share => watch?.progress(share),
      },
      tape,
      name,
      {
        ...terms,
        seed,
        command: reportCommand({
          ...terms,
          ...{ seed, file: name.file, sheet: others.sheet, tape: others.options, asOf: tape.asOf },
          skipFaulty: others.skipFaulty,
          hasLimits: terms.limits !== undefined,
          synthetic: market.sample,
        }),
      },
      earlier,
    ).catch((error: unknown) => {
      if (error instanceof DeskRefusal && refusal !== undefined)
        throw atMembers(refusal, error.message, 'tape');
      if (error instanceof RiskError && error.reason === 'work-limit-exceeded')
        throw atMembers(error, error.message, 'tape');
      // Closes of today for assets of the earlier book.
      throw error instanceof RiskError && REFUSED.includes(error.reason)
        ? atMembers(error, error.message, 'earlier')
        : error;
    });
    const body = Buffer.from(resultText(result));
    const digest = await digestOf(body);
    options.facts.answer_digest = digest;
    Object.assign(options.facts, { seed, compute, market_data: marketDataText(market), version });
    await audit?.write({ event: 'answer', request_id: requestId, path: REPORT_PATH, ...options.facts });
    return { headers: { 'x-market-data': marketDataText(market), 'Repr-Digest': digest }, body };
  }

  return { check };
}

const MEMBERS = new Set(Object.keys(reportSchema(0).shape));

/** A refusal of a part of the report, at the members of the report. @param otherwise the member of what it names beside them */
function atMembers(error: RiskError, message: string, otherwise: 'tape' | 'earlier'): RiskError {
  const { reason, faults } = error;
  const moved = faults.map(fault => {
    const path = fault.path.replace(/^params\./, '');
    const [first] = path.split('.');
    const member = first === 'type' ? 'types' : MEMBERS.has(first) ? path : otherwise;
    return { ...fault, path: member };
  });
  return new RiskError(reason, message, { faults: moved, cause: error });
}

/** The JSON text of the body that a tape and a query stand for. */
function jsonOfTape(tape: Uint8Array, query: URLSearchParams): Uint8Array {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(tape);
  } catch {
    throw new UnreadableBody('The body is not valid UTF-8.');
  }
  return Buffer.from(JSON.stringify(bodyOfTape(text, query)));
}

/** Answers a report as JSON or HTML, or starts a job, whose result has both forms. */
export function reportMiddleware(reports: ReportHandler, jobs: JobsDependencies): Middleware {
  return async ctx => {
    const query = new URLSearchParams(ctx.querystring);
    const isTape = contentType(ctx) === CSV;
    const sent = ctx.state.body as Uint8Array;
    const bytes = isTape ? jsonOfTape(sent, query) : sent;
    const checked = await reports.check({
      asker: ctx.state,
      bytes,
      json: isTape ? Buffer.from(bytes).toString() : undefined,
      query: isTape ? new URLSearchParams() : query,
      seed: header(ctx, 'x-seed'),
      compute: header(ctx, 'x-compute'),
      marketData: header(ctx, 'x-market-data'),
    });
    ctx.set('x-seed', String(checked.seed));
    if (prefersAsync(header(ctx, 'prefer'))) {
      await submitJob(ctx, checked, bytes, jobs);
      return;
    }
    const isPage = wantsPage(ctx);
    const started = () => jobs.answers.refuseIfFull(ctx.state.caller);
    const { headers, body } = await checked.answer({ ...ctx.state, started });
    ctx.set(headers);
    ctx.state.releaseBody?.();
    await sendForm(ctx, body, isPage, jobs);
  };
}
