/** How a question is checked, queued and run, with engines, limits and an admission that the test makes. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { planFault } from '#src/core/plan/plan-fault.js';
import { openSampleMarket } from '#src/market/sample-market.js';
import { METHODOLOGIES } from '#src/models/methodology/methodologies.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import type { AnyQuestion, OperationContext } from '#src/question/question.js';
import { calibrationSeconds, predictedSeconds } from '#src/server/admission/costs.js';
import { createQuestionHandler } from '#src/server/answers/question-handler.js';
import { hashKey } from '#src/server/keys/key-digest.js';
import type { ObservedRun } from '#src/server/metrics/metrics.js';
import type { LogFacts } from '#src/server/transport/context.js';
import { NOW } from '../../support/http-app.ts';
import { idle } from '../../support/idle.ts';
import { collectLog } from '../../support/log-lines.ts';
import { recordedSpan } from '../../support/recorded-span.ts';
import { LOAN_RISK, withMember } from '../../support/request-bodies.ts';
import { ANSWERS } from '../../support/test-answers.ts';

const DIGEST = hashKey('a-key').toString('hex');
const FIT = { fits: 2, assets: 3, lookbackDays: 90, model: 'garch' } as const;
const BODY = withMember({ ...LOAN_RISK, type: 'FHS' }, 'params.model_lookback', 90);

afterEach(() => vi.restoreAllMocks());

interface Terms {
  readonly onGpu?: boolean;
  readonly onSimd?: boolean;
  readonly simdLanes?: number | false;
  /** Whether there is a GPU, and of which kind. */
  readonly gpu?: 'hardware' | 'software';
  readonly gpuState?: 'ready' | 'restarting';
  readonly autoTakesSoftware?: boolean;
}

function opened({
  onGpu = true,
  onSimd = true,
  simdLanes = 8,
  gpu,
  gpuState = 'ready',
  ...more
}: Terms = {}) {
  const { symbols } = openSampleMarket(() => NOW);
  const versions = ['1', '2'].map(each => ({ symbols, version: each.padStart(12, '0'), sample: false }));
  const state = { time: NOW.getTime(), market: versions[0], revoked: false };
  const entrants: Record<string, unknown>[] = [];
  const begun: { admit(waited?: number): void; refuse(error: unknown): void }[] = [];
  const shares = { taken: [] as unknown[], left: 0 };
  const runs: ObservedRun[] = [];
  const contexts: OperationContext[] = [];
  const { log, lines } = collectLog();
  const outcome = { error: undefined as unknown, run: () => {} };
  const handler = createQuestionHandler({
    market: { current: () => state.market },
    engines: {
      ...{ gpuState, simd: simdLanes === false ? undefined : {}, gpu: undefined },
      ...(simdLanes !== false && { simdKernel: { lanes: simdLanes } }),
      ...(gpu && { gpu: { description: { software: gpu === 'software' } } }),
      ...more,
    },
    maintenanceMargins: { rateOf: () => 0 },
    admission: {
      run: (
        entrant: Record<string, unknown>,
        _signal: AbortSignal,
        work: (waited: number) => Promise<unknown>,
      ) =>
        new Promise((resolve, reject) => {
          entrants.push(entrant);
          begun.push({ admit: (waited = 0) => work(waited).then(resolve, reject), refuse: reject });
        }),
    },
    limits: {
      of: () => {
        if (state.revoked) throw new Error('revoked');
        return { digest: DIGEST, name: 'desk' };
      },
      enter: async (_keyOf: unknown, work: number, patience?: AbortSignal) => {
        shares.taken.push([work, patience !== undefined]);
        return { headers: { RateLimit: 'r' }, leave: () => (shares.left += 1) };
      },
    },
    ...{ cpuThreads: 3, version: '1.2.3', log, now: () => new Date(state.time) },
    observeRun: (run: ObservedRun) => runs.push(run),
  } as never);
  const question: AnyQuestion = {
    ...LOAN_QUESTION,
    workload: () => ({ calibration: FIT, product: 'loan', assets: 3, work: 1e9, onGpu, onSimd }),
    answer: async (_: never, context: OperationContext) => {
      contexts.push(context);
      outcome.run();
      if (outcome.error !== undefined) throw outcome.error;
      return ANSWERS['/loan_risk'];
    },
  };
  const { span, record } = recordedSpan();
  const signal = new AbortController().signal;
  const sent = { body: BODY, repeats: [] };
  const check = (compute?: string, own = sent) =>
    handler.check(
      question,
      {
        ...{ asker: { caller: DIGEST, signal }, sent: own, query: new URLSearchParams(), seed: '9', compute },
      },
      span,
    );
  /** Asks, and waits until the question is in the queue. */
  async function ask(compute?: string, options: object = {}) {
    const facts: LogFacts = {};
    const end: { headers?: unknown; error?: unknown } = {};
    const checked = await check(compute);
    handler
      .answerJson(checked, {
        ...{ requestId: 'r', caller: DIGEST, signal, deadline: 77, facts, span, ...options },
      })
      .then(
        ({ headers }) => {
          end.headers = headers;
        },
        error => {
          end.error = error;
        },
      );
    await idle();
    return { facts, end };
  }
  return {
    ...{ state, versions, entrants, begun, shares, runs, contexts, lines, outcome, record },
    check,
    ask,
  };
}

const size = { product: 'loan', model: 'garch', assets: 3, work: 1e9 } as const;
const fit = calibrationSeconds(FIT, METHODOLOGIES.FHS.fitCost);

describe('A question waits for', () => {
  it.each<[string, string | undefined, Terms, 'cpu' | 'gpu', number]>([
    ['no GPU', 'auto', {}, 'cpu', predictedSeconds({ ...size, engine: 'simd', threads: 3, lanes: 8 })],
    [
      'no kernel',
      'auto',
      { simdLanes: false },
      'cpu',
      predictedSeconds({ ...size, engine: 'reference', threads: 3 }),
    ],
    [
      'work without one',
      'auto',
      { onSimd: false },
      'cpu',
      predictedSeconds({ ...size, engine: 'reference', threads: 3 }),
    ],
    [
      'cpu',
      'cpu',
      { gpu: 'hardware' },
      'cpu',
      predictedSeconds({ ...size, engine: 'reference', threads: 3 }),
    ],
    ['a GPU', 'auto', { gpu: 'hardware' }, 'gpu', predictedSeconds({ ...size, engine: 'gpu', threads: 1 })],
    [
      'a GPU by default',
      undefined,
      { gpu: 'hardware' },
      'gpu',
      predictedSeconds({ ...size, engine: 'gpu', threads: 1 }),
    ],
    [
      'a GPU that restarts',
      'auto',
      { gpu: 'hardware', gpuState: 'restarting' },
      'cpu',
      predictedSeconds({ ...size, engine: 'simd', threads: 3, lanes: 8 }),
    ],
    [
      'a GPU that restarts, by name',
      'gpu',
      { gpu: 'hardware', gpuState: 'restarting' },
      'gpu',
      predictedSeconds({ ...size, engine: 'gpu', threads: 1 }),
    ],
    [
      'a software driver',
      'auto',
      { gpu: 'software' },
      'cpu',
      predictedSeconds({ ...size, engine: 'simd', threads: 3, lanes: 8 }),
    ],
    [
      'a software driver that auto takes',
      'auto',
      { gpu: 'software', autoTakesSoftware: true },
      'gpu',
      predictedSeconds({ ...size, engine: 'software-gpu', threads: 1 }),
    ],
    [
      'work that the GPU has not',
      'gpu',
      { gpu: 'hardware', onGpu: false },
      'cpu',
      predictedSeconds({ ...size, engine: 'reference', threads: 3 }),
    ],
  ])('the engine on which it will run, and that long: %s', async (_, compute, terms, engine, seconds) => {
    const { entrants, ask } = opened(terms);
    await ask(compute);
    expect(entrants).toEqual([
      {
        ...{ engine, caller: DIGEST, deadline: 77, background: false },
        kind: `/loan_risk FHS ${compute ?? 'auto'}`,
        predictedSeconds: fit + seconds,
      },
    ]);
  });
});

describe('A question', () => {
  it('is run with its context, observed, and described in the log', async () => {
    const { begun, contexts, runs, shares, outcome, ask } = opened();
    const started: string[] = [];
    const { facts, end } = await ask('auto', { started: async () => void started.push('started') });
    expect([shares.taken, shares.left, started, facts.queued_milliseconds]).toEqual([
      [[1e9, false]],
      ...[0, [], undefined],
    ]);
    const time = vi.spyOn(performance, 'now').mockReturnValue(10_000);
    outcome.run = () => void time.mockReturnValue(12_500);
    begun[0].admit(1.2346);
    await idle();
    vi.restoreAllMocks();
    expect([started, shares.left]).toEqual([['started'], 1]);
    expect(contexts).toMatchObject([{ compute: 'auto', seed: 9, caller: DIGEST, now: NOW }]);
    expect(end.headers).toMatchObject({ RateLimit: 'r' });
    expect(facts).toMatchObject({
      ...{ key: DIGEST.slice(0, 8), key_name: 'desk', version: '1.2.3', methodology: 'FHS', seed: 9 },
      ...{ compute: 'auto', asset_steps: 1e9, queued_milliseconds: 1235, backend: 'cpu' },
    });
    expect(runs).toEqual([{ operation: '/loan_risk', engine: 'cpu', work: 1e9, seconds: 2.5 }]);
  });

  it('in the background waits for the limit of its key', async () => {
    const { entrants, shares, ask } = opened();
    await ask('auto', { background: true });
    expect(shares.taken).toEqual([[1e9, true]]);
    expect(entrants).toMatchObject([{ background: true }]);
  });

  it('is refused by the queue with the member of its paths', async () => {
    const { begun, shares, ask } = opened();
    const { end } = await ask();
    const faults = [planFault('paths', 'would take long')];
    begun[0].refuse(new RiskError('work-limit-exceeded', 'late', { faults }));
    await idle();
    expect(end.error).toMatchObject({
      reason: 'work-limit-exceeded',
      faults: [{ path: 'params.mc_iter', message: 'mc_iter would take long' }],
    });
    expect(shares.left).toBe(1);
  });

  it('is not run where its key was revoked meanwhile', async () => {
    const { state, begun, contexts, shares, ask } = opened();
    const { end } = await ask();
    state.revoked = true;
    begun[0].admit();
    await idle();
    expect([end.error, contexts, shares.left]).toEqual([new Error('revoked'), [], 1]);
  });

  it.each([
    [49 * 60_000 + 59_999, 0],
    [50 * 60_000, 1],
  ])('that waited %i ms is answered on version %i of the market', async (waited, version) => {
    const { state, versions, begun, contexts, ask } = opened();
    // Without spans the market of an answer is the version itself.
    const { facts } = await ask('auto', { span: undefined });
    state.time += waited;
    state.market = versions[1];
    begun[0].admit();
    await idle();
    expect(contexts[0].market).toBe(versions[version]);
    expect(facts.market_data).toContain(versions[version].version);
  });

  it('is refused with the members that its text repeats, before all others', async () => {
    const { check } = opened();
    const repeats = [{ code: 'repeated', path: 'a', message: 'a must be named once' }];
    await expect(check('auto', { body: BODY, repeats } as never)).rejects.toMatchObject({ faults: repeats });
    await expect(check('none', { body: BODY, repeats } as never)).rejects.toMatchObject({
      faults: [...repeats, { path: 'header.x-compute' }],
    });
  });
});

describe('The spans of a question', () => {
  const names = (record: ReturnType<typeof recordedSpan>['record']) =>
    record.children.map(({ name, failed, ends }) => [name, failed, ends]);

  it('are its validation and its wait', async () => {
    const { begun, record, ask } = opened();
    await ask();
    expect(names(record)).toEqual([
      ['validation', undefined, 1],
      ['queue', undefined, 0],
    ]);
    begun[0].admit();
    await idle();
    expect(names(record)).toEqual([
      ['validation', undefined, 1],
      ['queue', undefined, 1],
    ]);
  });

  it('name the failure of a wait, and not that of a run', async () => {
    const refused = opened();
    await refused.ask();
    refused.begun[0].refuse(new TypeError('full'));
    await idle();
    expect(names(refused.record)).toEqual([
      ['validation', undefined, 1],
      ['queue', 'TypeError', 1],
    ]);
    expect(refused.shares.left).toBe(1);
    const failed = opened();
    const { end } = await failed.ask();
    failed.outcome.error = new TypeError('no figures');
    failed.begun[0].admit();
    await idle();
    expect(end.error).toBe(failed.outcome.error);
    expect(names(failed.record)).toEqual([
      ['validation', undefined, 1],
      ['queue', undefined, 1],
    ]);
  });
});
