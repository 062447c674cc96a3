/** The work of a job, with questions that the test answers, on a clock that it moves. */
import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import type { QuestionEngines } from '#src/engine/engine-set.js';
import type { CheckedQuestion, SentQuestion } from '#src/question/asking.js';
import type { AnyQuestion } from '#src/question/question.js';
import type { QuestionHandler } from '#src/server/answers/question-handler.js';
import type { JobReply, JobWork } from '#src/server/jobs/job.js';
import { submitJob } from '#src/server/jobs/job-routes.js';
import { createJobResumer, taskOf } from '#src/server/jobs/job-work.js';
import type { Submission } from '#src/server/jobs/jobs.js';
import type { Context } from '#src/server/transport/context.js';
import { outcomeLog } from '#src/server/transport/error-handler.js';
import { idle } from '../../support/idle.ts';
import { collectLog } from '../../support/log-lines.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { recordedSpan } from '../../support/recorded-span.ts';

/** What the work of a job gives to its question. */
interface Asked {
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly background: boolean;
  readonly caller: string;
  readonly requestId: string;
  readonly engines: QuestionEngines;
  started(): void;
}

const QUESTION = {
  ...{ path: '/var', query: 'include=plan', seed: '7', compute: 'cpu', body: Buffer.from('{"a":1}') },
  ...{ moment: 5000, requestId: 'r', caller: '0123456789abcdef' },
};

function opened({ refusal, jobTimeoutSeconds = 50 }: { refusal?: unknown; jobTimeoutSeconds?: number } = {}) {
  const clock = new ManualClock();
  const { log, lines } = collectLog();
  const checked: { question: SentQuestion; moment: Date }[] = [];
  const asked: (Asked & { answer(): void; fail(error: unknown): void })[] = [];
  const questions = {
    check: async (_route: AnyQuestion, question: SentQuestion, _span: unknown, moment: Date) => {
      if (refusal !== undefined) throw refusal;
      checked.push({ question, moment });
      return { seed: 7, compute: 'cpu', question: { path: '/var' } } as unknown as CheckedQuestion;
    },
    answerJson: (_: CheckedQuestion, given: Asked) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve({ headers: { 'x-compute': 'cpu' }, body: '{}' });
        asked.push({ ...given, answer, fail: reject });
      }),
  } as unknown as QuestionHandler;
  const scales: unknown[] = [];
  const engines = {
    use: async (_plan: unknown, _choice: unknown, _body: unknown, { limitScale }: { limitScale: number }) =>
      void scales.push(limitScale),
  };
  const routes = [{ path: '/var' }] as unknown as AnyQuestion[];
  const dependencies = {
    logOutcome: outcomeLog(log, () => {}),
    ...{ questions, engines, log, clock, jobTimeoutSeconds, requestTimeoutSeconds: 20 },
  };
  const resumer = createJobResumer(routes, dependencies as never, () => {});
  /** The work of a request in a span, for this server. @param remarks on its tape, which a fleet shares with its body */
  async function submitted(remarks: readonly string[] = []) {
    const submissions: Submission[] = [];
    const jobs = {
      ...(remarks.length > 0 && { startAdoption: () => {} }),
      submit: async (submission: Submission) => {
        submissions.push(submission);
        const info = { id: 'j', operation: '/var', state: 'queued', share: 0, created: 0, seen: 0 };
        return { info };
      },
    };
    const { span, record } = recordedSpan();
    const set = {};
    const { caller, requestId } = QUESTION;
    const ctx = {
      ...{ path: '/var', querystring: '', req: { headers: {} } },
      set: (given: object) => Object.assign(set, given),
      state: { caller, requestId, facts: {}, signal: new AbortController().signal, span },
    } as unknown as Context;
    const checked = {
      ...{ seed: 7, compute: 'cpu', moment: new Date(5000), question: { path: '/var' }, remarks },
    } as unknown as CheckedQuestion;
    await submitJob(ctx, taskOf(checked, questions), Buffer.from('{}'), { ...dependencies, jobs } as never);
    return { work: submissions[0].work, submission: submissions[0], record, ctx, set };
  }
  /** Begins the work of a question: one that another server left, where none is given. */
  async function begun(path = '/var', given?: JobWork) {
    const cancelling = new AbortController();
    const resumed = given ?? (await resumer.resume({ ...QUESTION, path }, new AbortController().signal));
    const work = 'refusal' in resumed ? resumed.work : resumed;
    const states: unknown[] = [];
    const end: { reply?: JobReply; error?: unknown } = {};
    work(cancelling.signal, {
      id: 'j',
      started: () => void states.push('started'),
      progress: share => states.push(share),
    }).then(
      reply => {
        end.reply = reply;
      },
      error => {
        end.error = error;
      },
    );
    await idle();
    return { cancelling, states, end };
  }
  return { clock, lines, checked, asked, scales, resumer, submitted, begun };
}

const FACTS = { key: '01234567', job: 'j', request_id: 'r', path: '/var' };

it('A request for a job is answered with the job and its place', async () => {
  const { ctx, set } = await opened().submitted();
  expect([ctx.status, set]).toEqual([202, { Location: '/jobs/j', 'Preference-Applied': 'respond-async' }]);
  expect(ctx.body).toMatchObject({ id: 'j', operation: '/var', state: 'queued', result: null });
  expect(ctx.state.facts).toEqual({ job: 'j' });
});

describe('The work of a job', () => {
  it('asks its question as it was sent, in the background and without a deadline in the queue', async () => {
    const { checked, asked, begun } = opened();
    await begun();
    expect(checked[0].moment).toEqual(new Date(5000));
    expect(checked[0].question).toMatchObject({
      ...{ seed: '7', compute: 'cpu', sent: { bytes: QUESTION.body } },
      asker: { caller: QUESTION.caller },
    });
    expect(checked[0].question.query.get('include')).toBe('plan');
    expect(asked[0]).toMatchObject({ background: true, caller: QUESTION.caller, requestId: 'r' });
    expect(asked[0].deadline).toBe(Number.POSITIVE_INFINITY);
  });

  it('has the remarks on its tape wherever it runs', async () => {
    const { checked, submitted, resumer } = opened();
    const { submission } = await submitted(['It says two things.']);
    const plain = await submitted();
    expect(submission.fingerprint).not.toBe(plain.submission.fingerprint);
    expect(plain.submission.question).toBeUndefined();
    const { question } = submission;
    expect(question?.remarks).toEqual(['It says two things.']);
    await resumer.resume(question as NonNullable<typeof question>, new AbortController().signal);
    expect(checked[0].question.remarks).toEqual(['It says two things.']);
  });

  it('has its time limit from the moment it leaves the queue, and leaves no timer behind', async () => {
    const { clock, asked, begun, lines } = opened();
    const { states, end } = await begun();
    clock.advance(1e6);
    expect([asked[0].signal.aborted, states]).toEqual([false, []]);
    asked[0].started();
    expect([states, clock.pending]).toEqual([['started'], 1]);
    clock.advance(49_999);
    expect(asked[0].signal.aborted).toBe(false);
    asked[0].answer();
    await idle();
    expect(end.reply).toEqual({
      status: 200,
      headers: { 'x-seed': '7', 'x-compute': 'cpu', 'Content-Type': 'application/json', 'x-request-id': 'r' },
      body: '{}',
    });
    expect(clock.pending).toBe(0);
    expect(lines).toMatchObject([{ msg: 'answered', status: 200, ...FACTS }]);
  });

  it('is refused at its time limit, with the headers of its question', async () => {
    const { clock, asked, begun, lines } = opened();
    const { end } = await begun();
    asked[0].started();
    clock.advance(50_000);
    asked[0].fail(asked[0].signal.reason);
    await idle();
    expect(end.reply).toMatchObject({
      status: 504,
      headers: { 'x-seed': '7', 'Content-Type': 'application/problem+json', 'x-request-id': 'r' },
    });
    expect(JSON.parse(String(end.reply?.body))).toMatchObject({
      detail: 'The request was not finished within 50 seconds.',
      request_id: 'r',
    });
    expect(clock.pending).toBe(0);
    expect(lines).toMatchObject([{ msg: 'not served', status: 504, ...FACTS }]);
  });

  it('ends without a reply where it is cancelled', async () => {
    const { clock, asked, begun, lines } = opened();
    const { cancelling, end } = await begun();
    asked[0].started();
    cancelling.abort(new Error('cancelled'));
    expect(asked[0].signal.reason).toEqual(new Error('cancelled'));
    asked[0].fail(asked[0].signal.reason);
    await idle();
    expect([end, clock.pending]).toEqual([{ error: new Error('cancelled') }, 0]);
    expect(lines).toMatchObject([{ msg: 'the job was cancelled', ...FACTS }]);
    expect(lines).toHaveLength(1);
  });

  it.each([
    [50, 2.5],
    [30, 1.5],
    [10, 1],
  ])('of at most %d seconds has the work limits of a request times %d', async (jobTimeoutSeconds, scale) => {
    const { asked, scales, begun } = opened({ jobTimeoutSeconds });
    const { states } = await begun();
    const part = { from: 0, to: 0.5 };
    await asked[0].engines.use('plan' as never, 'cpu', (async () => {}) as never, { part } as never);
    expect([scales, states]).toEqual([[scale], [0.5]]);
  });

  it('begins in a later turn of the event loop, and the log has the time that it took', async () => {
    const before = performance.now();
    const { asked, begun, submitted, lines } = opened();
    const { work } = await submitted();
    const beginning = begun('/var', work);
    for (let k = 0; k < 20; k++) await Promise.resolve();
    expect(asked).toHaveLength(0);
    await beginning;
    asked[0].answer();
    await idle();
    const { milliseconds } = lines[0];
    expect(milliseconds).toBeGreaterThanOrEqual(0);
    expect(milliseconds).toBeLessThanOrEqual(Math.ceil(performance.now() - before));
  });

  it('is a span of its request, which ends once and names a failure', async () => {
    const { asked, begun, submitted } = opened();
    for (const [finish, failed] of [
      [() => asked[0].answer(), undefined],
      [() => asked[1].fail(new RiskError('engine-failed', 'No figures.')), 'engine-failed'],
      [() => asked[2].fail(new TypeError('x')), 'TypeError'],
    ] as const) {
      const { work, record } = await submitted();
      await begun('/var', work);
      expect(record.children).toMatchObject([{ name: 'job', ends: 0 }]);
      finish();
      await idle();
      expect(record.children).toMatchObject([{ failed, ends: 1 }]);
      expect(record.ends).toBe(0);
    }
    const { work, record } = await submitted();
    const { cancelling } = await begun('/var', work);
    cancelling.abort(new Error('cancelled'));
    asked[3].fail(asked[3].signal.reason);
    await idle();
    expect(record.children).toMatchObject([{ failed: 'cancelled', ends: 1 }]);
  });
});

describe('The work of a job that another server left', () => {
  it('is a refusal where its question is refused here', async () => {
    const { begun, asked, lines } = opened({
      refusal: new RiskError('missing-market-data', 'There is no price.'),
    });
    const { end } = await begun();
    expect(asked).toEqual([]);
    expect(end.reply).toMatchObject({ headers: { 'x-request-id': 'r' } });
    expect(JSON.parse(String(end.reply?.body))).toMatchObject({ detail: 'There is no price.' });
    expect(lines).toMatchObject([{ reason: 'missing-market-data', job: 'j', request_id: 'r', path: '/var' }]);
  });

  it('has the reason and the faulty members for the log where its question is refused here', async () => {
    const faults = [
      { code: 'unknown_member' as const, path: 'params.new_member', message: 'new_member is unknown' },
    ];
    const resumed = async (refusal: unknown, path = '/var') =>
      opened({ refusal }).resumer.resume({ ...QUESTION, path }, new AbortController().signal);
    expect(await resumed(new RiskError('invalid-request', 'Not valid.', { faults }))).toMatchObject({
      refusal: { reason: 'invalid-request', faults: 1, paths: ['params.<unknown>'] },
    });
    expect(await resumed(undefined, '/var_of_later')).toMatchObject({
      refusal: { reason: 'This version of the server has no operation /var_of_later.' },
    });
    expect(await resumed(undefined)).not.toHaveProperty('refusal');
  });

  it('is a failure where this version has no such operation, or the job has ended too many servers', async () => {
    const { begun, resumer, lines } = opened();
    const { end } = await begun('/var_of_later');
    expect(end.reply).toMatchObject({
      status: 500,
      headers: { 'Content-Type': 'application/problem+json', 'x-request-id': 'r' },
    });
    expect(String(end.reply?.body)).toContain('This version of the server has no operation /var_of_later.');
    const failing = resumer.fail('q', '/var', 'It ended three servers.');
    const reply = await failing(new AbortController().signal, {
      id: 'k',
      started: () => {},
      progress: () => {},
    });
    expect(reply).toMatchObject({ status: 500, headers: { 'x-request-id': 'q' } });
    expect(String(reply.body)).toContain('It ended three servers.');
    expect(lines.at(-1)).toMatchObject({ msg: 'refused', job: 'k', request_id: 'q', path: '/var' });
  });
});
