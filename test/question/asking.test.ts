/** The check of a question by the bytes of its body, as a batch, a job and a command send it. */
import { expect, it } from 'vitest';
import { openSampleMarket } from '#src/market/sample-market.js';
import { methodologiesOf } from '#src/models/methodology/methodologies.js';
import { answerQuestion, checkQuestion, UnreadableBody } from '#src/question/asking.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import type { AnyQuestion, OperationAnswer } from '#src/question/question.js';
import { QUESTIONS } from '#src/question/questions.js';
import { NOW } from '../support/http-app.ts';
import { GOOD_BODIES, LOAN_RISK, withMember } from '../support/request-bodies.ts';

const market = openSampleMarket(() => NOW).current();

const check = (text: string, query = '', question: AnyQuestion = LOAN_QUESTION) =>
  checkQuestion(
    question,
    {
      ...{ asker: { caller: '', signal: new AbortController().signal }, sent: { bytes: Buffer.from(text) } },
      ...{ query: new URLSearchParams(query), seed: '7', compute: undefined },
    },
    { market, moment: NOW, scenarios: [], maxLoans: 100 },
  );

it('A question has what its caller sent, and the work that follows from it', async () => {
  expect(await check(JSON.stringify(LOAN_RISK), 'include=accuracy')).toMatchObject({
    ...{ question: LOAN_QUESTION, seed: 7, compute: 'auto', moment: NOW, market, remarks: [] },
    ...{ methodology: 'GBM', analysisDate: '2026-01-30', lookback: 30 },
    query: { include: new Set(['accuracy']) },
    workload: { product: 'loan', assets: 3 },
  });
});

it.each([
  ['{]', /^The body is not JSON at position 1/],
  ['\u0000', /^The body is not JSON/],
])('A body without a value is no question: %j', async (text, message) => {
  const refusal = await check(text).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UnreadableBody);
  expect((refusal as Error).message).toMatch(message);
});

it('The faults of the text, the query and the body come at once, in this order', async () => {
  const text = JSON.stringify(LOAN_RISK).replace('{', '{"type":"GBM",').replace('"N":1.5', '"N":-1');
  const refusal = await check(text, 'confidence=2').catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    reason: 'invalid-request',
    faults: [{ path: 'type' }, { path: 'query.confidence' }, { path: 'params.N' }],
  });
});

const HISTORICAL_QUESTIONS = QUESTIONS.flatMap(question => {
  const body = GOOD_BODIES[question.path as keyof typeof GOOD_BODIES];
  return body !== undefined && methodologiesOf(question.name).some(({ name }) => name === 'HISTORICAL')
    ? [
        {
          path: question.path,
          question: question as AnyQuestion,
          body: withMember(body, 'params' in body ? 'type' : 'model', 'HISTORICAL'),
        },
      ]
    : [];
});

it.each(HISTORICAL_QUESTIONS)(
  '$path names the paths that HISTORICAL does not use',
  async ({ question, body }) => {
    const flat = 'params' in body ? 'params.mc_iter' : 'mc_iter';
    const unusedOf = async (paths: unknown) =>
      (await check(JSON.stringify(withMember(body, flat, paths)), '', question)).unused;
    expect(await unusedOf(500)).toEqual(['mc_iter']);
    expect(await unusedOf(undefined)).toBeUndefined();
  },
);

it('An unused member is a warning of the answer, before the others', async () => {
  const checked = await check(JSON.stringify(withMember(LOAN_RISK, 'type', 'HISTORICAL')));
  const answer = { warnings: [{ code: 'few-windows', message: '' }] } as unknown as OperationAnswer;
  const { warnings } = await answerQuestion({ ...checked, run: async () => answer }, {} as never);
  expect(warnings?.map(({ code }) => code)).toEqual(['unused-member', 'few-windows']);
  expect(warnings?.[0]?.message).toBe('HISTORICAL does not use mc_iter: it was checked and left out.');
});
