/** Batches beside each other and their lines, with questions that the test answers. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import type { CheckedQuestion, SentQuestion } from '#src/question/asking.js';
import type { AnyQuestion } from '#src/question/question.js';
import { BATCHES, createQuota, MEBIBYTES } from '#src/server/admission/quota.js';
import { batchMiddleware } from '#src/server/answers/batch.js';
import type { QuestionHandler } from '#src/server/answers/question-handler.js';
import type { Context } from '#src/server/transport/context.js';
import { outcomeLog } from '#src/server/transport/error-handler.js';
import { idle as turns } from '../../support/idle.ts';
import { collectLog } from '../../support/log-lines.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { recordedSpan } from '../../support/recorded-span.ts';

const MEBIBYTE = 2 ** 20;
const idle = () => turns(60);

interface Asked {
  readonly question: SentQuestion;
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly background: boolean;
  started(): void;
  answer(body?: string): void;
  fail(error: unknown): void;
}

function opened({ all = 2 ** 30, perCaller = 2 ** 30 } = {}) {
  const asked: Asked[] = [];
  const questions = {
    check: async (_: AnyQuestion, question: SentQuestion) =>
      ({ seed: Number(question.seed ?? 0), question }) as unknown as CheckedQuestion,
    answerJson: ({ question }: CheckedQuestion & { question: SentQuestion }, given: Asked) =>
      new Promise((resolve, reject) => {
        asked.push({
          ...given,
          question,
          answer: (body = '{}') => resolve({ headers: { 'x-compute': 'cpu' }, body }),
          fail: reject,
        });
      }),
  } as unknown as QuestionHandler;
  const { log, lines } = collectLog();
  const routes = [{ path: '/var', bodyBytes: 65_536 }] as unknown as AnyQuestion[];
  const bodies = createQuota('bodies', MEBIBYTES, { all, perCaller });
  const batches = createQuota('running batches', BATCHES, { all: 5, perCaller: 2 });
  const clock = new ManualClock();
  const middleware = batchMiddleware({
    ...{ routes, questions, requestTimeoutSeconds: 20, clock, batches, bodies },
    logOutcome: outcomeLog(log, () => {}),
  });
  /** Sends a batch. */
  const send = (body: string, caller = 'a', length: string | null = String(Buffer.byteLength(body))) => {
    const written: string[] = [];
    const facts: Record<string, unknown> = {};
    const end: { error?: unknown; ended: boolean; closed: number } = { ended: false, closed: 0 };
    const ending = new AbortController();
    const { span, record } = recordedSpan();
    const ctx = {
      req: Object.assign(Readable.from([Buffer.from(body)]), {
        headers: length === null ? {} : { 'content-length': length },
      }),
      res: {
        write: (text: string) => written.push(text) > 0,
        end: () => {
          end.closed += 1;
        },
        flushHeaders: () => {},
      },
      set: () => {},
      get: () => '',
      vary: () => {},
      state: { caller, facts, requestId: 'r', signal: ending.signal, span },
    } as unknown as Context;
    const done = middleware(ctx, async () => {}).then(
      () => {
        end.ended = true;
      },
      (error: unknown) => {
        end.error = error;
      },
    );
    return { written, facts, end, done, record, ending };
  };
  return { asked, send, lines, clock };
}
const line = (id: string, more = '') => `{"id":"${id}","path":"/var","body":{}${more}}`;
const linesOf = (count: number) => Array.from({ length: count }, (_, k) => line(`l${k}`)).join('\n');

describe('Batches', () => {
  it('are two of one key, and of another key half of what the others leave', async () => {
    const { asked, send } = opened();
    const first = send(line('x'), 'a');
    send(line('x'), 'a');
    const third = send(line('x'), 'a');
    send(line('x'), 'b');
    const fourth = send(line('x'), 'b');
    await idle();
    const refusal = (most: number, why = '') => ({
      reason: 'rate-limited',
      message: `The running batches of the key may use ${most} batches at the same time${why}; try again later.`,
      retryAfterSeconds: 1,
    });
    expect(third.end.error).toMatchObject(refusal(2));
    expect(fourth.end.error).toMatchObject(refusal(1, ', which is half of what other keys leave'));
    expect(asked).toHaveLength(3);
    asked[0].answer();
    await first.done;
    const next = send(line('x'), 'b');
    await idle();
    expect([next.end.error, asked.length]).toEqual([undefined, 4]);
  });

  it('that are refused for their bytes are no longer counted', async () => {
    const { asked, send } = opened({ perCaller: line('x').length * 2 });
    const refused = [send(linesOf(3), 'a', null), send(linesOf(3), 'a')];
    await idle();
    for (const { end } of refused) expect(end.error).toMatchObject({ reason: 'rate-limited' });
    send(line('x'), 'a');
    send(line('x'), 'a');
    await idle();
    expect(asked).toHaveLength(2);
  });

  it('begin one line in a turn of the event loop, of all batches together', async () => {
    const { asked, send } = opened();
    send(linesOf(16), 'a');
    send(linesOf(16), 'b');
    const begun = [];
    for (let turn = 0; asked.length < 32; turn++) {
      const before = asked.length;
      await new Promise(setImmediate);
      begun.push(asked.length - before);
      expect(turn, begun.join(' ')).toBeLessThan(1000);
    }
    expect(Math.max(...begun), begun.join(' ')).toBe(1);
  });

  it('that lose their client start no further line, and log none of them', async () => {
    const { asked, send, lines } = opened();
    const { written, end, done, ending } = send(linesOf(18));
    await idle();
    ending.abort(new Error('gone'));
    for (const { signal, fail } of asked) fail(signal.reason);
    await done;
    await idle();
    expect([asked.length, written, lines]).toEqual([16, [], []]);
    expect(end).toEqual({ ended: false, closed: 0, error: new Error('gone') });
  });

  it('that lose their client with their last answer have no last line', async () => {
    const { asked, send } = opened();
    const { written, end, done, ending } = send(line('x'));
    await idle();
    asked[0].answer();
    ending.abort(new Error('gone'));
    await done;
    expect(written.join('')).not.toContain('done');
    expect(end).toEqual({ ended: false, closed: 0, error: new Error('gone') });
  });

  it('begin a line in a later turn of the event loop', async () => {
    const { asked, send } = opened();
    send(linesOf(17));
    await idle();
    asked[0].answer();
    for (let k = 0; k < 100; k++) await Promise.resolve();
    expect(asked).toHaveLength(16);
    await idle();
    expect(asked).toHaveLength(17);
  });

  it('count their announced bytes against the quota, or those that have arrived, until they end', async () => {
    const { length } = line('x');
    for (const announced of [String(length), null]) {
      const { asked, send } = opened({ perCaller: length });
      const sent = send(line('x'), 'a', announced);
      await idle();
      const beside = send(line('x'), 'a', announced);
      await idle();
      expect(beside.end.error).toMatchObject({ reason: 'rate-limited' });
      asked[0].answer();
      await sent.done;
      const after = send(line('x'), 'a', announced);
      await idle();
      expect(after.end.error).toBeUndefined();
      const less = opened({ perCaller: length - 1 }).send(line('x'), 'a', announced);
      await idle();
      expect(less.end.error).toMatchObject({ reason: 'rate-limited' });
    }
  });

  it('have 16 lines under way at a time', async () => {
    const { asked, send } = opened();
    const { written, facts, end, done } = send(linesOf(18));
    await idle();
    expect(asked).toHaveLength(16);
    asked[3].answer('{"n":3}');
    await idle();
    expect(asked).toHaveLength(17);
    expect(written).toEqual([
      '{"id":"l3","status":200,"headers":{"x-seed":"0","x-compute":"cpu"},"body":{"n":3}}\n',
    ]);
    for (const [k, { answer, fail }] of asked.entries())
      if (k === 5) fail(new RiskError('queue-full', 'no', { retryAfterSeconds: 2 }));
      else if (k !== 3) answer();
    await idle();
    asked[17].answer();
    await done;
    expect([end, facts]).toEqual([
      { ended: true, closed: 1 },
      { lines: 18, lines_failed: 1, request_digest: expect.any(String) },
    ]);
    expect(written).toHaveLength(19);
    expect(written.at(-1)).toBe('{"done":18}\n');
    expect(JSON.parse(written.find(text => text.includes('"l5"')) ?? '')).toMatchObject({
      ...{ id: 'l5', status: 429, headers: { 'x-seed': '0', 'Retry-After': '2' } },
      body: { request_id: 'r:6' },
    });
  });
});

describe('A line', () => {
  const only = async (text: string) => {
    const { asked, send, lines } = opened();
    const { written, facts, done } = send(text);
    await idle();
    for (const { answer } of asked) answer();
    await done;
    return { asked, lines, facts, answers: written.map(each => JSON.parse(each)) };
  };

  it('is a question with its query, seed and engine', async () => {
    const { asked, lines, facts } = await only(line('x', ',"query":"include=plan","seed":7,"compute":"cpu"'));
    const { query, seed, compute, sent } = asked[0].question;
    expect([query.toString(), seed, compute, sent]).toEqual([
      'include=plan',
      '7',
      'cpu',
      { bytes: new Uint8Array(Buffer.from('{}')) },
    ]);
    expect(lines).toEqual([
      expect.objectContaining({
        ...{ request_id: 'r:1', path: '/batch', status: 200, operation: '/var', msg: 'answered' },
        milliseconds: expect.any(Number),
      }),
    ]);
    expect(facts).toMatchObject({ lines: 1, lines_failed: 0 });
    const bare = await only(line('x'));
    expect([bare.asked[0].question.seed, bare.asked[0].question.compute]).toEqual([undefined, undefined]);
  });

  it('has the time of a request from its turn on, and leaves no timer behind', async () => {
    const { asked, send, clock } = opened();
    const { done } = send(linesOf(2));
    await idle();
    expect(asked.map(({ deadline, background }) => [deadline, background])).toEqual(
      Array.from({ length: 2 }, () => [Number.POSITIVE_INFINITY, true]),
    );
    clock.advance(60_000);
    asked[1].started();
    clock.advance(19_999);
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    asked[0].started();
    clock.advance(1);
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, true]);
    asked[0].answer();
    asked[1].fail(asked[1].signal.reason);
    await done;
    expect(clock.pending).toBe(0);
  });

  it('is a span of its request, which ends once and names a failure, and its time is in the log', async () => {
    const before = performance.now();
    const { asked, send, lines } = opened();
    const { done, record } = send(linesOf(2));
    await idle();
    expect(record.children).toMatchObject([
      { name: 'line', attributes: { 'risk.line': 1 }, ends: 0 },
      { name: 'line', attributes: { 'risk.line': 2 }, ends: 0 },
    ]);
    asked[0].answer();
    asked[1].fail(new RiskError('engine-failed', 'No figures.'));
    await done;
    expect(record.children).toMatchObject([
      { failed: undefined, ends: 1 },
      { failed: 'engine-failed', ends: 1 },
    ]);
    const longest = Math.ceil(performance.now() - before);
    for (const { milliseconds } of lines) {
      expect(milliseconds).toBeGreaterThanOrEqual(0);
      expect(milliseconds).toBeLessThanOrEqual(longest);
    }
    expect(lines).toMatchObject([{ msg: 'answered' }, { msg: 'failed', err: { message: 'No figures.' } }]);
    expect(lines).toHaveLength(2);
  });

  it('has at most a mebibyte, with 4 KiB of it outside its body', async () => {
    const padded = (bytes: number) => {
      const text = line('x');
      return text.replace('{}', `{}${' '.repeat(bytes - text.length)}`);
    };
    expect((await only(`${padded(65_000)}`)).answers[0]).toMatchObject({ status: 200 });
    expect((await only(padded(MEBIBYTE))).answers[0]).toMatchObject({
      status: 413,
      body: { detail: 'The body is larger than 64 KiB.' },
    });
    expect((await only(padded(MEBIBYTE + 1))).answers[0]).toMatchObject({
      ...{ id: null, line: 1, status: 413 },
      body: { detail: 'The line is larger than 1 MiB.' },
    });
    const around = (bytes: number) => {
      const text = line('x', ',"query":""');
      return text.replace('"query":""', `"query":"${'q'.repeat(bytes - text.length + 2)}"`);
    };
    expect((await only(around(4096))).answers[0]).toMatchObject({ id: 'x', status: 200 });
    expect((await only(around(4097))).answers[0]).toMatchObject({ status: 413 });
  });

  it('has a body of at most 64 KiB', async () => {
    const bodyOf = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    for (const [bytes, status] of [
      [65_536, 200],
      [65_537, 413],
    ])
      expect((await only(line('x').replace('{}', bodyOf(bytes)))).answers[0], `${bytes}`).toMatchObject({
        status,
      });
  });

  it('that has the id of an earlier line is refused by its number', async () => {
    const { answers } = await only(`${line('x')}\n${line('y')}\n${line('x')}`);
    expect(answers.find(({ line: number }) => number === 3)).toMatchObject({
      ...{ id: null, status: 422 },
      body: {
        errors: [{ code: 'repeated', path: 'id', message: 'id must be unique; line 1 has "x" already' }],
      },
    });
    expect(answers.filter(({ status }) => status === 200).map(({ id }) => id)).toEqual(['x', 'y']);
  });

  it('whose id has 1 to 64 characters is named by it, also where it has other faults', async () => {
    for (const [id, named] of [
      ['x', true],
      ['x'.repeat(64), true],
      ['', false],
      ['x'.repeat(65), false],
    ] as const) {
      const { answers } = await only(`{"id":"${id}","path":"/none","body":{}}`);
      expect(answers[0], id).toMatchObject(named ? { id, status: 422 } : { id: null, line: 1, status: 422 });
    }
    for (const text of ['7', 'null', '[1]', '{"id":7}'])
      expect((await only(text)).answers[0], text).toMatchObject({ id: null, line: 1, status: 422 });
  });

  it('that is not JSON says of which part', async () => {
    expect((await only('{"id":"x","body":{')).answers[0].body.detail).toMatch(
      /^The line without its body is not JSON/,
    );
    expect((await only('{"id":"x"')).answers[0].body.detail).toMatch(/^The line is not JSON/);
  });
});
