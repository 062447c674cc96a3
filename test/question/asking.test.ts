/** The check of a question by the bytes of its body, as a batch, a job and a command send it. */
import { expect, it } from 'vitest';
import { openSampleMarket } from '#src/market/sample-market.js';
import { checkQuestion, UnreadableBody } from '#src/question/asking.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { NOW } from '../support/http-app.ts';
import { LOAN_RISK } from '../support/request-bodies.ts';

const market = openSampleMarket(() => NOW).current();

const check = (text: string, query = '') =>
  checkQuestion(
    LOAN_QUESTION,
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
