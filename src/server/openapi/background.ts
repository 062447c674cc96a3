/** The paths of batches and jobs in openapi.json, and their schemas. */
import { batchLine } from '../../question/request/batch-line.ts';
import { EXAMPLES } from './examples.ts';
import {
  answerSchemaOf,
  type JsonSchema,
  json,
  jsonSchemaOf,
  method,
  REQUEST_ID,
  ref,
  response,
} from './json-schema.ts';
import { batchAnswerLine, job, jobList } from './response/background.ts';

export const refused = (...statuses: readonly number[]) =>
  Object.fromEntries(statuses.map(status => [String(status), ref('responses', `Status${status}`)]));
/** Refusals of every path with a key. */
export const KEY_REFUSALS = [401, 403, 429] as const;
const text = (description: string) => ({ description, required: true, schema: { type: 'string' } });

/** Refusals of every path of jobs; 503 while the store of the fleet does not answer. */
const JOB_REFUSALS = [...KEY_REFUSALS, 400, 405, 417, 500, 503] as const;

/** Statuses beside those of operations. */
export const BACKGROUND_REFUSALS: Readonly<Record<string, string>> = {
  '404': 'There is nothing at this path, or it belongs to another key.',
  '409': 'The job has not ended; it has no result yet.',
};

/** @param operations path and beginning of the names of the schemas of each operation */
export function backgroundSchemas(
  operations: readonly (readonly [path: string, name: string])[],
): Readonly<Record<string, JsonSchema>> {
  const { properties, description, ...line } = jsonSchemaOf(batchLine([''])) as JsonSchema & {
    readonly properties: JsonSchema;
  };
  const lineOf = ([path, name]: (typeof operations)[number]) => ({
    title: `BatchLine_${name}`,
    description,
    ...line,
    properties: { ...properties, path: { const: path }, body: ref('schemas', `${name}Request`) },
  });
  const lines = operations.map(each => [`BatchLine_${each[1]}`, lineOf(each)] as const);
  const mapping = operations.map(([path, name]) => [path, ref('schemas', `BatchLine_${name}`).$ref]);
  return {
    Job: answerSchemaOf(job),
    JobList: answerSchemaOf(jobList),
    ...Object.fromEntries(lines),
    BatchLine: {
      title: 'BatchLine',
      description,
      oneOf: lines.map(([name]) => ref('schemas', name)),
      discriminator: { propertyName: 'path', mapping: Object.fromEntries(mapping) },
    },
    Answer: anyAnswer(operations.map(([, name]) => name)),
    BatchAnswerLine: batchAnswerSchema(),
  };
}

const anyAnswer = (names: readonly string[]): JsonSchema => ({
  title: 'Answer',
  description: 'The answer of an operation.',
  anyOf: names.map(name => ref('schemas', `${name}Answer`)),
});

/** The line of an answer, that of a refusal, and the last one. */
function batchAnswerSchema(): JsonSchema {
  const { anyOf, ...rest } = answerSchemaOf(batchAnswerLine) as {
    readonly anyOf: readonly { readonly properties: JsonSchema }[];
  };
  const [answered, refusal, last] = anyOf;
  const withBody = (line: (typeof anyOf)[number], schema: string) => ({
    ...line,
    properties: { ...line.properties, body: ref('schemas', schema) },
  });
  return { ...rest, anyOf: [withBody(answered, 'Answer'), withBody(refusal, 'Problem'), last] };
}

/** The response to a request that becomes a job. */
export const acceptedResponse = response(
  'The request has no fault and is answered in the background.',
  json(ref('schemas', 'Job')),
  {
    ...REQUEST_ID,
    'x-seed': ref('headers', 'x-seed'),
    Location: text('Path of the job.'),
    'Preference-Applied': text('respond-async.'),
  },
);

const [examplePath, [exampleBody]] = Object.entries(EXAMPLES)[0];
const exampleLine = { id: 'first', path: examplePath, query: 'include=warnings', seed: 7, body: exampleBody };

const jobId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Name of the job, from the header Location.',
  schema: { type: 'string', examples: ['gq5hC1yTQGmV0l2dHtRr1g'] },
};

/** @param answerHeaders references to the headers of an operation's answer */
export function backgroundPaths(answerHeaders: JsonSchema, operationRefusals: JsonSchema): JsonSchema {
  const jobs = { tags: ['Jobs'] };
  return {
    '/batch': {
      post: {
        tags: ['Jobs'],
        operationId: 'batch',
        summary: 'Many questions in one request',
        description:
          'One JSON object per line. Each line is answered when it is done; a faulty line fails alone. The last line counts them.',
        requestBody: {
          required: true,
          description:
            'At most 10,000 lines that are not blank, each at most 1 MiB, together at most 64 MiB.',
          content: {
            'application/x-ndjson': {
              schema: ref('schemas', 'BatchLine'),
              examples: { loan: { value: exampleLine } },
            },
          },
        },
        responses: {
          '200': response('One line per request line, as they are done, and a last line.', {
            'application/x-ndjson': { schema: ref('schemas', 'BatchAnswerLine') },
          }),
          ...refused(...KEY_REFUSALS, 400, 405, 413, 415, 417, 500, 504),
        },
      },
    },
    '/jobs': {
      get: method(
        jobs,
        'listJobs',
        'Jobs of the key',
        'The stored jobs, the latest first.',
        { '200': response('The jobs.', json(ref('schemas', 'JobList'))), ...refused(...JOB_REFUSALS, 422) },
        [
          {
            name: 'limit',
            in: 'query',
            description: 'Most jobs of the answer.',
            schema: { type: 'integer', minimum: 1, maximum: 1000, default: 1000, 'x-unit': 'jobs' },
          },
          {
            name: 'before',
            in: 'query',
            description: 'The page behind this job: `next` of the page before.',
            schema: { type: 'string' },
          },
        ],
      ),
    },
    '/jobs/{id}': {
      parameters: [jobId],
      get: method(
        jobs,
        'readJob',
        'State of a job',
        'With `Accept: text/event-stream`, events with the state until the job ends.',
        {
          '200': response('The state.', {
            ...json(ref('schemas', 'Job')),
            'text/event-stream': {
              schema: { type: 'string', description: 'Events named state, each with a Job.' },
            },
          }),
          ...refused(...JOB_REFUSALS, 404, 504),
        },
      ),
      delete: method(
        jobs,
        'cancelJob',
        'Cancel or delete a job',
        'Cancels an unfinished job, deletes a finished one.',
        { '204': { description: 'Done.', headers: REQUEST_ID }, ...refused(...JOB_REFUSALS, 404) },
      ),
    },
    '/jobs/{id}/result': {
      parameters: [jobId],
      get: method(jobs, 'readJobResult', 'Answer of a job', 'Status, headers and body of a direct answer.', {
        ...operationRefusals,
        '200': response(
          'The answer of the operation.',
          {
            ...json({ anyOf: [ref('schemas', 'Answer'), ref('schemas', 'BookReport')] }),
            'text/html': { schema: { type: 'string', description: 'Of a report: the page of it.' } },
          },
          answerHeaders,
        ),
        ...refused(404, 409, 410),
      }),
    },
  };
}
