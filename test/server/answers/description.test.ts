/** The text of openapi.json takes a tenth of a second of the event loop. */
import { afterEach, expect, it, vi } from 'vitest';
import { QUESTIONS } from '#src/question/questions.js';
import { documentText } from '#src/server/answers/description.js';
import type { Service } from '#src/server/service.js';
import { checkEveryAnswer } from '../../support/checked-answers.ts';
import { startSampleService } from '../../support/sample-service.ts';

checkEveryAnswer();

let service: Service | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await service?.stop();
});

it('It names the version of its server, also where the routes are those of another', () => {
  const versions = ['1.2.3', '1.2.4', '1.2.3'];
  expect(versions.map(version => JSON.parse(documentText(QUESTIONS, version)).info.version)).toEqual(
    versions,
  );
});

it('A server makes it before it listens, and at no request', async () => {
  const stringify = vi.spyOn(JSON, 'stringify');
  const longest = () =>
    Math.max(0, ...stringify.mock.results.map(({ value }) => (typeof value === 'string' ? value.length : 0)));
  service = await startSampleService();
  expect(longest()).toBeGreaterThan(100_000);
  stringify.mockClear();
  const text = await (await fetch(`${service.url}/openapi.json`)).text();
  expect(longest()).toBeLessThan(100_000);
  expect(text).toBe(documentText(QUESTIONS, service.version));
});
