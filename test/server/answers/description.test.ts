/** The description that a server gives is the one that its build wrote, with the server's own version. */
import { afterEach, expect, it } from 'vitest';
import { QUESTIONS, QUESTIONS_WITHOUT_PLANS } from '#src/question/questions.js';
import { PROBLEMS } from '#src/server/answers/problem.js';
import { openApiDocument } from '#src/server/openapi/document.js';
import type { Service } from '#src/server/service.js';
import { checkEveryAnswer } from '../../support/checked-answers.ts';
import { startSampleService } from '../../support/sample-service.ts';

checkEveryAnswer();

let service: Service | undefined;
afterEach(() => service?.stop());

it.each([
  ['1', QUESTIONS],
  ['0', QUESTIONS_WITHOUT_PLANS],
] as const)('With ALLOW_PLAN=%s it describes what its questions take', async (allowPlan, routes) => {
  service = await startSampleService({ ALLOW_PLAN: allowPlan });
  const { version } = service;
  const text = await (await fetch(`${service.url}/openapi.json`)).text();
  expect(text).toBe(JSON.stringify(openApiDocument({ version, routes, problems: PROBLEMS })));
});
