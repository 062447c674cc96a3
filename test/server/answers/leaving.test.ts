/** What answers and openapi.json say of a path that goes. */
import { afterEach, expect, it } from 'vitest';
import { LEAVING, NOTICE_DAYS } from '#src/server/answers/leaving.js';
import { PROBLEMS } from '#src/server/answers/problem.js';
import { openApiDocument } from '#src/server/openapi/document.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { post, serve, testRoutes } from '../../support/http-app.ts';
import { LOAN_RISK } from '../../support/request-bodies.ts';

const ROW = {
  path: '/loan_risk',
  since: '2026-12-01',
  until: '2027-06-01',
  link: 'https://docs.example/going',
};
let server: RunningServer;
afterEach(() => server?.drain(1000));

it('Answers and refusals of a path that goes have Deprecation, Sunset and a link, others none', async () => {
  server = await serve({ leaving: [ROW] });
  for (const body of [LOAN_RISK, {}]) {
    const { headers } = await post(server, ROW.path, body);
    expect(headers.get('deprecation')).toBe('@1796083200');
    expect(headers.get('sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT');
    expect(headers.get('link')).toBe('<https://docs.example/going>; rel="deprecation"; type="text/html"');
  }
  expect((await post(server, '/var', {})).headers.has('deprecation')).toBe(false);
});

it('openapi.json marks it', () => {
  const paths = openApiDocument({
    version: '1.2.3',
    routes: testRoutes(),
    problems: PROBLEMS,
    leaving: [ROW],
  }).paths as Record<string, { post?: { deprecated?: boolean } }>;
  const marked = Object.keys(paths).filter(path => paths[path].post?.deprecated);
  expect(marked).toEqual(['/loan_risk']);
});

it('Each path that goes has the notice that the documents promise', () => {
  for (const { path, since, until } of [ROW, ...LEAVING])
    expect(Date.parse(until) - Date.parse(since), path).toBeGreaterThanOrEqual(NOTICE_DAYS * 86_400_000);
});
