/**
 * /batch: many questions in one request, one per line, answered in the order in which they finish.
 *
 * Takes: lines of JSON (request/batch-line.ts). Gives: one line per answer, with the status, headers and body of a
 * separate request, then the number of lines. A batch is one caller: its lines wait for their turn instead of being refused, on at
 * most half of the places of each queue. A faulty line does not affect the others.
 * Must not know: the operations.
 */
import type { Clock } from '../../core/clock.ts';
import { refuseIfFaulty } from '../../core/errors.ts';
import type { AnyQuestion } from '../../question/question.ts';
import { type BatchLine, batchLine } from '../../question/request/batch-line.ts';
import { checkRequest } from '../../question/request/parse.ts';
import { repeatedMembers } from '../../question/request/repeated-members.ts';
import { createLoopTurns } from '../admission/loop-turns.ts';
import type { Quota } from '../admission/quota.ts';
import { digestOf } from '../audit/digest.ts';
import { failureName, type Span } from '../tracing/trace.ts';
import { bodyTooLarge, decodeJson, readBody, requireContentType } from '../transport/body.ts';
import { type Context, header, type LogFacts, type Middleware } from '../transport/context.ts';
import { runDeadline } from '../transport/deadline.ts';
import type { LogOutcome } from '../transport/error-handler.ts';
import { startStream } from '../transport/send-text.ts';
import { linesOf, type NumberedLine, partsOf } from './batch-lines.ts';
import { keyFacts } from './log-facts.ts';
import { HttpRefusal, problemReply } from './problem.ts';
import { type QuestionHandler, questionHeaders } from './question-handler.ts';

export const BATCH_PATH = '/batch';
const CONTENT_TYPE = 'application/x-ndjson';

const MEBIBYTE = 2 ** 20;
const MAX_BYTES = 64 * MEBIBYTE;
const MAX_LINE_BYTES = MEBIBYTE;
/** Largest number of bytes of a line outside its body. */
const ENVELOPE_BYTES = 4096;
/** Lines of one batch that wait or run at a time: enough to use half of every queue. */
const LINES_AT_ONCE = 16;

export interface BatchDependencies {
  readonly routes: readonly AnyQuestion[];
  readonly questions: QuestionHandler;
  /** Time limit of each line from the moment its turn comes. */
  readonly requestTimeoutSeconds: number;
  readonly clock: Clock;
  readonly logOutcome: LogOutcome;
  /** Running batches, and bytes of bodies in memory. */
  readonly batches: Quota;
  readonly bodies: Quota;
}

interface LineDependencies extends BatchDependencies {
  readonly turns: ReturnType<typeof createLoopTurns>;
}

export const requireLines: Middleware = requireContentType(CONTENT_TYPE);

/** Reads and answers a batch. */
export function batchMiddleware(dependencies: BatchDependencies): Middleware {
  // A line is read on the event loop: one a turn, of all batches.
  const turns = createLoopTurns();
  return async ctx => {
    const { caller, signal } = ctx.state;
    const leave = dependencies.batches.reserve(caller, 1);
    const amount = dependencies.bodies.growing(caller);
    try {
      const bytes = await readBody(ctx, MAX_BYTES, amount);
      const lines = await linesOf(bytes, signal);
      await answerLines(ctx, lines, { ...dependencies, turns });
    } finally {
      leave();
      amount.release();
    }
  };
}

/** The envelope of a line as far as it is read; a refusal shows it, too. */
interface Known {
  /** Null until it is read, and where it is invalid. */
  id: string | null;
  /** Headers of every answer to its question. */
  headers: Readonly<Record<string, string>>;
}

/** The answer to a line. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

async function answerLines(ctx: Context, lines: readonly NumberedLine[], dependencies: LineDependencies) {
  const { signal, facts } = ctx.state;
  const batch = new Batch(ctx, dependencies);
  const out = startStream(ctx, { 'Content-Type': CONTENT_TYPE }, signal);
  const inFlight = new Set<Promise<void>>();
  for (const line of lines) {
    const answering = batch.answer(line).then(text => out.write(text));
    // Awaited below; a failure must not count as unhandled until then.
    const tracked = answering.finally(() => inFlight.delete(tracked));
    tracked.catch(() => {});
    inFlight.add(tracked);
    if (inFlight.size >= LINES_AT_ONCE) await Promise.race(inFlight);
    if (signal.aborted) break;
  }
  await Promise.all(inFlight);
  Object.assign(facts, { lines: lines.length, lines_failed: batch.failed });
  signal.throwIfAborted();
  await out.write(`${JSON.stringify({ done: lines.length })}\n`);
  out.end();
}

/** The lines of one request. */
class Batch {
  failed = 0;
  private readonly routes: ReadonlyMap<string, AnyQuestion>;
  private readonly schema: ReturnType<typeof batchLine>;
  /** Number of the line by identifier. */
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly ctx: Context,
    private readonly dependencies: LineDependencies,
  ) {
    this.routes = new Map(dependencies.routes.map(route => [route.path, route]));
    this.schema = batchLine([...this.routes.keys()]);
  }

  /** The answer line to `line`. Rejects only when the whole batch has ended. */
  async answer(line: NumberedLine): Promise<string> {
    const { requestId, caller, signal } = this.ctx.state;
    const known: Known = { id: null, headers: {} };
    const facts: LogFacts = { ...keyFacts(caller, undefined), request_digest: await digestOf(line.bytes) };
    const arrival = performance.now();
    const lineId = `${requestId}:${line.number}`;
    let reply: Reply;
    let failure: { readonly error: unknown } | undefined;
    // Not in the turn in which the line before it was answered.
    await new Promise(setImmediate);
    await new Promise<void>(resolve => this.dependencies.turns.take(caller, resolve));
    const span = this.ctx.state.span.child('line', { 'risk.line': line.number });
    try {
      reply = await this.reply(line, lineId, known, facts, span);
    } catch (error) {
      span.fail(failureName(error));
      signal.throwIfAborted();
      this.failed += 1;
      failure = { error };
      reply = problemReply(error, lineId, known.headers);
    } finally {
      span.end();
    }
    const milliseconds = Math.round(performance.now() - arrival);
    const logged = { request_id: lineId, path: BATCH_PATH, status: reply.status, milliseconds, ...facts };
    this.dependencies.logOutcome(logged, reply.status, failure);
    const id = known.id === null ? `"id":null,"line":${line.number}` : `"id":${JSON.stringify(known.id)}`;
    return `{${id},"status":${reply.status},"headers":${JSON.stringify(reply.headers)},"body":${reply.body}}\n`;
  }

  private async reply(
    line: NumberedLine,
    requestId: string,
    known: Known,
    facts: LogFacts,
    span: Span,
  ): Promise<Reply> {
    const { questions, requestTimeoutSeconds, clock } = this.dependencies;
    const { envelope, body } = await this.read(line, known);
    const route = this.routes.get(envelope.path) as AnyQuestion;
    facts.operation = route.path;
    const question = {
      asker: this.ctx.state,
      sent: sentBody(route, body),
      query: new URLSearchParams(envelope.query ?? ''),
      seed: envelope.seed === undefined ? undefined : String(envelope.seed),
      compute: envelope.compute,
      marketData: header(this.ctx, 'x-market-data'),
    };
    const checked = await questions.check(route, question, span);
    known.headers = questionHeaders(checked);
    const time = runDeadline(this.ctx.state.signal, requestTimeoutSeconds, clock);
    try {
      const written = await questions.answerJson(checked, {
        requestId,
        caller: this.ctx.state.caller,
        signal: time.signal,
        deadline: Number.POSITIVE_INFINITY,
        facts,
        background: true,
        span,
        started: time.start,
      });
      return {
        status: 200,
        headers: { ...known.headers, ...written.headers },
        body: Buffer.from(written.body).toString(),
      };
    } finally {
      time.stop();
    }
  }

  /** @throws HttpRefusal or RiskError with the faults of the envelope */
  private async read(line: NumberedLine, known: Known): Promise<{ envelope: BatchLine; body: Uint8Array }> {
    if (line.bytes.length > MAX_LINE_BYTES) throw new HttpRefusal(413, 'The line is larger than 1 MiB.');
    const parts = await partsOf(line.bytes, ENVELOPE_BYTES);
    if (parts === undefined)
      throw new HttpRefusal(413, `The line has more than ${ENVELOPE_BYTES / 1024} KiB outside its body.`);
    const { envelope, body } = parts;
    const { value, text } = decodeJson(envelope, body === undefined ? 'line' : 'line without its body');
    const checked = checkRequest(this.schema, value);
    const id = idOf(value);
    const first = id === null ? undefined : this.seen.get(id);
    if (id !== null && first === undefined) {
      this.seen.set(id, line.number);
      known.id = id;
    }
    const faults = repeatedMembers(text);
    if (first !== undefined)
      faults.push({
        code: 'repeated',
        path: 'id',
        message: `id must be unique; line ${first} has ${JSON.stringify(id)} already`,
      });
    if (!checked.ok) faults.push(...checked.faults);
    refuseIfFaulty(faults, 'The line is not valid.');
    if (!checked.ok || body === undefined)
      throw new Error('An envelope without a value or a body has at least one fault.');
    return { envelope: checked.value, body };
  }
}

/** The body of a line, in a buffer of its own: a thread would be given the whole batch. @throws HttpRefusal 413 */
function sentBody({ bodyBytes }: AnyQuestion, body: Uint8Array) {
  if (body.length > bodyBytes) throw bodyTooLarge(bodyBytes);
  return { bytes: new Uint8Array(body) };
}

/** The identifier of a line, also of one with other faults; null where there is none or it is invalid. */
function idOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  const { id } = value;
  return typeof id === 'string' && id.length >= 1 && id.length <= 64 ? id : null;
}
