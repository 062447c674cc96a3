/** The form in which an operation is answered, with questions that the test answers. */
import { expect, it } from 'vitest';
import type { CheckedQuestion, SentQuestion } from '#src/question/asking.js';
import type { AnyQuestion } from '#src/question/question.js';
import { createQuota, MEBIBYTES } from '#src/server/admission/quota.js';
import { columnForms } from '#src/server/answers/columns.js';
import { operationHandler } from '#src/server/answers/operation-handler.js';
import type { QuestionHandler } from '#src/server/answers/question-handler.js';
import type { JobsDependencies } from '#src/server/jobs/job-work.js';
import type { Submission } from '#src/server/jobs/jobs.js';
import { NO_SPAN } from '#src/server/tracing/trace.js';
import type { Context } from '#src/server/transport/context.js';
import { ManualClock } from '../../support/manual-clock.ts';

const BODY = Buffer.from('{"a":1}');

interface Sent {
  /** Its content type. */
  readonly type?: string;
  /** What Accept admits. */
  readonly form?: string | false;
  readonly headers?: Readonly<Record<string, string>>;
  readonly include?: readonly 'plan'[];
  readonly lines?: boolean;
  readonly adopts?: boolean;
  readonly pieces?: readonly string[];
}

/** Sends a request, and says what was asked and answered on the way. */
async function asking({
  type = 'application/json',
  form = 'application/json',
  headers = {},
  include = [],
  lines = false,
  adopts = false,
  pieces = ['a', 'b'],
}: Sent = {}) {
  const asked: { question?: SentQuestion; started?: () => void; submission?: Submission } = {};
  async function* made() {
    yield* pieces;
  }
  const streamed = async () => ({ headers: { 'x-form': 'pieces' }, pieces: made() });
  const questions = {
    check: async (_: AnyQuestion, question: SentQuestion) => {
      asked.question = question;
      return {
        ...{ seed: 7, compute: 'cpu', moment: new Date(5), question: { path: '/var' } },
        query: { include: new Set(include) },
        remarks: [],
      } as unknown as CheckedQuestion;
    },
    answerJson: async (_: unknown, { started }: { started: () => void }) => {
      asked.started = started;
      return { headers: { 'x-form': 'json' }, body: Buffer.from('{"n":1}') };
    },
    answerCsv: streamed,
    answerLines: streamed,
  } as unknown as QuestionHandler;
  const answers = createQuota('answers', MEBIBYTES, { all: 20, perCaller: 10 });
  const jobs = {
    ...{ answers, clock: new ManualClock(), questions },
    jobs: {
      submit: async (submission: Submission) => {
        asked.submission = submission;
        const info = {
          id: 'j',
          operation: '/var',
          state: 'queued',
          share: 0,
          created: 0,
          seen: 0,
          owner: 'me',
        };
        return { info, reply: undefined, onChange: () => () => {} };
      },
      ...(adopts && { startAdoption: () => {} }),
    },
  } as unknown as JobsDependencies;
  const written: string[] = [];
  const set: Record<string, string> = {};
  /** What was answered, or how many pieces were written, when the body was released. */
  const released: unknown[] = [];
  let offered: readonly string[] = [];
  let ended = 0;
  const ctx: Context = {
    ...{ path: '/var', querystring: 'x=1', method: 'POST' },
    get: () => type,
    req: { headers },
    res: {
      write: (text: string) => written.push(text) > 0,
      end: () => {
        ended += 1;
      },
      flushHeaders: () => {},
    },
    state: {
      ...{ caller: 'me', facts: {}, requestId: 'r', signal: new AbortController().signal, span: NO_SPAN },
      body: BODY,
      releaseBody: () => released.push(ctx.body ?? written.length),
    },
    accepts: (...types: readonly string[]) => {
      offered = types;
      return form !== false && types.includes(form) ? form : false;
    },
    vary: (name: string) => Object.assign(set, { Vary: name }),
    set: (given: Record<string, string>) => Object.assign(set, given),
  } as unknown as Context;
  const route = { path: '/var', lines } as unknown as AnyQuestion;
  const end = await operationHandler(
    questions,
    jobs,
  )(route)(ctx, async () => {}).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { asked, answers, ctx, set, written, offered, error: end, ended, released };
}

it('An answer is JSON with its headers, and needs room for its bytes', async () => {
  const { asked, answers, ctx, set, offered, error } = await asking({
    headers: { 'x-seed': '7', 'x-compute': 'gpu' },
  });
  expect(error).toBeUndefined();
  expect([ctx.status, ctx.type, String(ctx.body)]).toEqual([200, 'application/json', '{"n":1}']);
  expect(set).toEqual({ 'x-seed': '7', 'x-form': 'json', Vary: 'Accept' });
  expect(offered).toEqual(['application/json', 'text/csv', ...columnForms]);
  expect(asked.question).toMatchObject({
    ...{ seed: '7', compute: 'gpu', sent: { bytes: BODY } },
  });
  expect(asked.question?.query.toString()).toBe('x=1');
  asked.started?.();
  answers.add('me', 10);
  expect(() => asked.started?.()).toThrow('may use');
});

it('A tape is the question as it is, and kept as JSON for a job that other servers may adopt', async () => {
  const type = 'text/csv; charset=utf-8';
  expect((await asking({ type })).asked.question?.sent).toEqual({ tape: BODY, keepsJson: false });
  const shared = await asking({ type, adopts: true, headers: { prefer: 'respond-async' } });
  expect(shared.asked.question?.sent).toEqual({ tape: BODY, keepsJson: true });
});

it.each([
  ['text/csv', 'text/csv; charset=utf-8', false],
  ['application/x-ndjson', 'application/x-ndjson', true],
])('An answer as %s is sent piece by piece', async (form, type, lines) => {
  const { ctx, set, written, offered, ended } = await asking({ form, lines });
  expect([ctx.status, ctx.respond, written, ended]).toEqual([200, false, ['a', 'b'], 1]);
  expect(set).toEqual({ 'x-seed': '7', Vary: 'Accept', 'x-form': 'pieces', 'Content-Type': type });
  const known = ['application/json', 'text/csv', ...columnForms];
  expect(offered).toEqual([...known, ...(lines ? ['application/x-ndjson'] : [])]);
});

it('The body is released before an answer in one piece is sent, which is counted in its place', async () => {
  expect((await asking()).released).toEqual([0]);
  // An answer in pieces is not counted: its body is, until the end.
  expect((await asking({ form: 'text/csv' })).released).toEqual([]);
});

it('Nothing is sent before the first piece', async () => {
  const { set, ended } = await asking({ form: 'text/csv', pieces: [] });
  expect([set, ended]).toEqual([{ 'x-seed': '7', Vary: 'Accept' }, 0]);
});

it('A plan is not available as a table', async () => {
  const { error, written } = await asking({ form: 'text/csv', include: ['plan'] });
  expect(error).toMatchObject({ status: 406, message: 'The member Plan is not available as text/csv.' });
  expect(written).toEqual([]);
  expect((await asking({ include: ['plan'] })).error).toBeUndefined();
});

it('A job is begun with the body as sent where other servers may adopt it', async () => {
  const headers = { prefer: 'respond-async', 'idempotency-key': 'k' };
  const { asked, ctx, set, offered } = await asking({ headers, adopts: true });
  expect([ctx.status, set.Location, offered]).toEqual([202, '/jobs/j', ['application/json']]);
  expect(asked.submission).toMatchObject({
    ...{ owner: 'me', operation: '/var', idempotencyKey: 'k' },
    question: {
      path: '/var',
      query: 'x=1',
      seed: '7',
      compute: 'cpu',
      moment: 5,
      requestId: 'r',
      caller: 'me',
    },
  });
  expect(asked.submission?.question?.body).toBe(BODY);
  expect((await asking({ headers })).asked.submission).not.toHaveProperty('question');
});

it('A job is refused where its result cannot be JSON, or its key is no text of a header', async () => {
  const headers = { prefer: 'respond-async' };
  const { asked, error } = await asking({ headers, form: false });
  expect([asked.submission, error]).toEqual([undefined, expect.objectContaining({ status: 406 })]);
  for (const [key, taken] of [
    ['!', true],
    ['~'.repeat(255), true],
    ['~'.repeat(256), false],
    ['a b', false],
    ['', false],
  ] as const)
    expect((await asking({ headers: { ...headers, 'idempotency-key': key } })).error === undefined, key).toBe(
      taken,
    );
});
