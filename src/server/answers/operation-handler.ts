/**
 * The last middleware of an operation: from a body and headers to its answer.
 *
 * Must not know: what the operations compute, how they are queued.
 */
import type { SentQuestion } from '../../question/asking.ts';
import type { AnyQuestion } from '../../question/question.ts';
import { submitJob } from '../jobs/job-routes.ts';
import { type JobsDependencies, taskOf } from '../jobs/job-work.ts';
import { CSV, contentType } from '../transport/body.ts';
import { type Context, header, type Middleware } from '../transport/context.ts';
import { prefersAsync } from '../transport/headers.ts';
import { type StreamedResponse, sendBytes, startStream } from '../transport/send-text.ts';
import { type ColumnForm, columnForms } from './columns.ts';
import { HttpRefusal } from './problem.ts';
import { type QuestionHandler, questionHeaders, type StreamedAnswer } from './question-handler.ts';

const LINES = 'application/x-ndjson';

/** The question of a request whose body is read. */
const questionOf = (ctx: Context, bytes: Uint8Array, keepsTapes: boolean): SentQuestion => ({
  asker: ctx.state,
  sent: contentType(ctx) === CSV ? { tape: bytes, keepsJson: keepsTapes } : { bytes },
  query: new URLSearchParams(ctx.querystring),
  seed: header(ctx, 'x-seed'),
  compute: header(ctx, 'x-compute'),
  marketData: header(ctx, 'x-market-data'),
});

/** Makes the middleware of each route. */
export function operationHandler(
  questions: QuestionHandler,
  jobs: JobsDependencies,
): (question: AnyQuestion) => Middleware {
  return question => async ctx => {
    const isJob = prefersAsync(header(ctx, 'prefer'));
    const bytes = ctx.state.body as Uint8Array;
    const isShared = isJob && jobs.jobs.startAdoption !== undefined;
    const checked = await questions.check(question, questionOf(ctx, bytes, isShared), ctx.state.span);
    ctx.set(questionHeaders(checked));
    if (isJob) {
      if (!ctx.accepts('application/json'))
        throw new HttpRefusal(
          406,
          'The header Accept admits no JSON; the result of a job is application/json only.',
        );
      await submitJob(ctx, taskOf(checked, questions), bytes, jobs);
      return;
    }
    ctx.vary('Accept');
    const form = ctx.accepts('application/json', CSV, ...columnForms, ...(question.lines ? [LINES] : []));
    if (form === LINES) {
      await sendPieces(ctx, LINES, await questions.answerLines(checked, ctx.state));
      return;
    }
    const isJson = form === 'application/json' || form === false;
    // A plan is large, and not a table.
    if (!isJson && checked.query.include.has('plan'))
      throw new HttpRefusal(406, `The member Plan is not available as ${String(form)}.`);
    if (form === CSV) {
      await sendPieces(ctx, 'text/csv; charset=utf-8', await questions.answerCsv(checked, ctx.state));
      return;
    }
    // Unread answers would fill the memory: a request starts only if the quota allows it.
    const started = () => jobs.answers.refuseIfFull(ctx.state.caller);
    const options = { ...ctx.state, started };
    const { headers, body } = isJson
      ? await questions.answerJson(checked, options)
      : await questions.answerColumns(checked, options, form as ColumnForm);
    ctx.set(headers);
    // A client that reads slowly must not keep the bodies of others out.
    ctx.state.releaseBody?.();
    await sendBytes(ctx, isJson ? 'application/json' : String(form), body, jobs);
  };
}

/** Sends pieces as they are made. */
async function sendPieces(ctx: Context, type: string, { headers, pieces }: StreamedAnswer): Promise<void> {
  let out: StreamedResponse | undefined;
  for await (const piece of pieces) {
    // With the first piece only: until then a failure can still set the status.
    out ??= startStream(ctx, { ...headers, 'Content-Type': type }, ctx.state.signal);
    await out.write(piece);
  }
  out?.end();
}
