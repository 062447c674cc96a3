/**
 * Writes schema.d.ts, the types of the client, from the description that the compiled service gives of itself.
 *
 *   node client/generate.mjs
 *
 * scripts/build.mjs runs it after the compiler.
 */
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const { QUESTIONS } = await import('../dist/question/questions.js');
const { PROBLEMS } = await import('../dist/server/answers/problem.js');
const { openApiDocument } = await import('../dist/server/openapi/document.js');

/** Parameters that only a job has. */
const OF_JOBS = ['prefer', 'idempotencyKey'];

const document = structuredClone(
  openApiDocument({ version: '0.0.0', routes: QUESTIONS, problems: PROBLEMS }),
);
// Neither is JSON, which is all that the client reads: README.md.
for (const path of ['/batch', '/metrics']) delete document.paths[path];
// Jobs are begun by `fetch`: openapi-fetch joins the types of all successes, so a 202 would be in the type of every answer.
for (const { post } of Object.values(document.paths)) {
  if (post === undefined) continue;
  delete post.responses['202'];
  post.parameters = post.parameters.filter(({ $ref }) => !OF_JOBS.includes($ref?.split('/').at(-1)));
}
for (const name of OF_JOBS) delete document.components.parameters[name];
const head = '/* Generated from openapi.json by client/generate.mjs. Do not edit. */\n\n';
const text = head + astToString(await openapiTS(document, { defaultNonNullable: false }));
writeFileSync(new URL('schema.d.ts', import.meta.url), text);
