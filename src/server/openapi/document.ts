/**
 * openapi.json: the interface of this service as an OpenAPI 3.1 document, from the routes, the schemas that validate requests, and the
 * table of problems.
 *
 * Must not know: HTTP servers, the computations of operations.
 */
import { z } from 'zod';
import type { AnyQuestion } from '../../question/question.ts';
import type { OperationPath } from '../../question/request/paths.ts';
import { TAPE_COLUMN_NAMES } from '../../tape/columns.ts';
import type { Day } from '../../text/calendar-date.ts';
import { columnForms } from '../answers/columns.ts';
import { LEAVING, type Leaving } from '../answers/leaving.ts';
import { argumentsSchema } from './arguments.ts';
import {
  acceptedResponse,
  BACKGROUND_REFUSALS,
  backgroundPaths,
  backgroundSchemas,
  refused,
} from './background.ts';
import { EXAMPLES } from './examples.ts';
import {
  ANSWER_HEADERS,
  headerParameters,
  queryParameters,
  RATE_LIMIT_HEADERS,
  tapeParameters,
} from './headers.ts';
import {
  alternativesOf,
  answerSchemaOf,
  constantOf,
  type JsonSchema,
  json,
  jsonSchemaOf,
  opened,
  REQUEST_ID,
  ref,
  response,
} from './json-schema.ts';
import { OPERATIONS, type OperationDescription } from './operations.ts';
import { reportPaths, reportSchemas } from './report.ts';
import { accuracySchema, figureAccuracy } from './response/accuracy.ts';
import { includedMembers } from './response/included.ts';
import { problemDocument } from './response/problem.ts';
import { servicePaths, serviceSchemas } from './service.ts';

/** A reason of a refusal or failure. */
export interface DescribedProblem {
  readonly type: string;
  readonly status: number;
  readonly title: string;
}

interface Interface {
  readonly version: string;
  readonly routes: readonly AnyQuestion[];
  readonly problems: readonly DescribedProblem[];
  /** Paths that go. */
  readonly leaving?: readonly Leaving[];
}

const upperCamel = (name: string) => name[0].toUpperCase() + name.slice(1);

/** The document does not depend on the day. */
const SOME_DAY: Day = 20_000;

/** The statuses of an operation beside 200, and their meanings. */
const REFUSALS: Readonly<Record<string, string>> = {
  '400': 'The request or its body is not readable.',
  '401': 'The key is missing or wrong.',
  '403': 'The key lacks the scope that the path needs.',
  '405': 'The path accepts another method.',
  '406':
    'The answer has no form that `Accept` names: a plan is not available as CSV or columns, a job result only as JSON.',
  '410':
    'The version of the market data that the request names is not kept; of a job: it was cancelled, or its result is no longer in the store of the fleet.',
  '413': 'The body is too large for the path.',
  '415': 'The body is not JSON in UTF-8, plain or in gzip.',
  '417': 'Unsupported Expect header.',
  '422': 'The request cannot be answered as it stands; `type` names the reason, `errors` every fault.',
  '429':
    'Too many requests are waiting, or the key has used up its share; try again after `Retry-After` seconds.',
  '500': 'Fault of the server.',
  '503': 'The requested engine, the market data or the store of jobs is not available.',
  '504': 'The request exceeded the time limit of the server, waiting included.',
};

/** Statuses after a request was read without a fault: they echo its seed. */
const AFTER_READING: ReadonlySet<string> = new Set(['406', '422', '429', '500', '503', '504']);

const TAPE_DESCRIPTION = `A loan tape: a row for each collateral asset of each loan, with the columns ${TAPE_COLUMN_NAMES.join(', ')} (docs/desk.md), at the closes of analysis_date. It is answered as the equivalent JSON body. At most 16 MiB.`;
const CSV_DESCRIPTION =
  'The same as rows of member, key1, key2, key3, value (RFC 4180), one for each value: `Output,PrLiquidation,,,0.01`. ' +
  'UTF-8 without a byte order mark. A text that begins with = + - @, a tab or a carriage return and is no number has a single quote before it.';
const COLUMNS_DESCRIPTION =
  'Typed columns of the part of the answer with many rows: loans of a book, loans of the scenarios of a stress, levels of horizons, ' +
  'positions of an account, days of a back-test; otherwise the figures as one row. Nested members are joined by points. The key `answer` ' +
  'of the metadata has the other members as JSON, without `loans` in `Arguments`.';
const LINES_DESCRIPTION =
  'One line of JSON for each loan in the order of the request, its `id` and figures, sent as they are written; then one line ' +
  'with the members of the answer, of `Output` only `Book`, and without `loans` in `Arguments`. An answer without that line was cut off.';

/** The document, which is constant while a server runs. */
export function openApiDocument({ version, routes, problems, leaving = LEAVING }: Interface): JsonSchema {
  const schemas: Record<string, JsonSchema> = {
    Problem: describeProblems(problems),
    ...serviceSchemas(),
    ...reportSchemas(),
  };
  const offered = new Set(routes.flatMap(({ query }) => query.include).map(upperCamel));
  if (offered.has('Accuracy')) schemas.FigureAccuracy = answerSchemaOf(figureAccuracy);
  for (const [name, schema] of Object.entries(includedMembers))
    if (offered.has(name)) schemas[name] = answerSchemaOf(schema);
  const goes = (path: string) => leaving.some(row => row.path === path);
  const paths = Object.fromEntries(
    routes.map(route => [
      route.path,
      { post: { ...operation(route, schemas), ...(goes(route.path) && { deprecated: true }) } },
    ]),
  );
  Object.assign(schemas, backgroundSchemas(routes.map(({ path }) => [path, nameOf(path)])));
  return {
    openapi: '3.1.1',
    info: {
      title: 'collateral-risk-engine',
      version,
      summary: 'Risk of collateralised crypto loans and isolated perpetual positions.',
      description:
        'Every operation is one POST request with a JSON body. Numbers are JSON numbers; `x-unit` in a schema is the unit of a ' +
        'number. Unknown members are refused, and every fault of a request is named at once. The answer to the same body, query, ' +
        '`x-seed` and market data is the same. Later versions add members to answers: ignore those that you do not know.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server.' }],
    tags: [
      { name: 'Operations', description: 'Risk figures. Each needs a key.' },
      { name: 'Reports', description: 'The report of a loan book. It needs a key.' },
      { name: 'Jobs', description: 'Many questions in one request, and questions that are answered later.' },
      {
        name: 'Service',
        description: 'Health and this description without a key; symbols and scenarios with one.',
      },
    ],
    security: [{ apiKey: [] }],
    paths: {
      ...paths,
      ...reportPaths(
        Object.keys(headerParameters).map(each => ref('parameters', each)),
        operationRefusals(),
      ),
      ...backgroundPaths(answerHeaders(), operationRefusals()),
      ...servicePaths(),
    },
    components: {
      schemas,
      parameters: headerParameters,
      headers: ANSWER_HEADERS,
      responses: refusals(),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'A key of this server: shown at start, or one of those in API_KEYS.',
        },
      },
    },
  };
}

function describedAt(path: OperationPath): OperationDescription {
  const described = OPERATIONS[path];
  if (described === undefined) throw new Error(`openapi/operations.ts has no row for ${path}`);
  return described;
}

/** The beginning of the names of the schemas of an operation. */
const nameOf = (path: OperationPath) => upperCamel(describedAt(path).name);

function operation(route: AnyQuestion, schemas: Record<string, JsonSchema>): JsonSchema {
  const described = describedAt(route.path);
  const name = nameOf(route.path);
  const request = jsonSchemaOf(route.schema(SOME_DAY));
  const answer = answerSchema(name, described, route, request);
  schemas[`${name}Answer`] = answer;
  if (route.query.include.includes('accuracy'))
    schemas[`${name}Accuracy`] = accuracySchema(answer.properties[described.resultMember]);
  addRequestSchemas(name, request, schemas);
  return {
    operationId: described.name,
    tags: ['Operations'],
    summary: described.summary,
    description: described.description,
    parameters: [
      ...Object.keys(headerParameters).map(each => ref('parameters', each)),
      ...queryParameters(route.query),
      ...(route.takesTapes ? tapeParameters() : []),
    ],
    requestBody: {
      required: true,
      description: `${described.rules} At most ${route.bodyBytes} bytes.`,
      content: {
        ...json(ref('schemas', `${name}Request`), { examples: examplesOf(route.path) }),
        ...(route.takesTapes
          ? { 'text/csv': { schema: { type: 'string', description: TAPE_DESCRIPTION } } }
          : {}),
      },
    },
    responses: {
      '200': response(
        'The figures, and the request as it was processed.',
        {
          ...json(ref('schemas', `${name}Answer`)),
          'text/csv': { schema: { type: 'string', description: CSV_DESCRIPTION } },
          ...Object.fromEntries(
            columnForms.map(form => [form, { schema: { description: COLUMNS_DESCRIPTION } }]),
          ),
          ...(route.lines
            ? { 'application/x-ndjson': { schema: { type: 'string', description: LINES_DESCRIPTION } } }
            : {}),
        },
        answerHeaders(),
      ),
      '202': acceptedResponse,
      ...operationRefusals(),
    },
  };
}

const headerRefs = (headers: object) =>
  Object.fromEntries(Object.keys(headers).map(each => [each, ref('headers', each)]));
const answerHeaders = () => headerRefs(ANSWER_HEADERS);
const operationRefusals = () => refused(...Object.keys(REFUSALS).map(Number));

/** Members whose constants tell the alternatives of a request apart, the first ones first. */
const TAGS = ['type', 'model', 'contract_type'];

/** Adds a named schema for the body of a request, and one for each of its alternatives. */
function addRequestSchemas(name: string, request: JsonSchema, schemas: Record<string, JsonSchema>): void {
  const add = (title: string, alternatives: readonly JsonSchema[], tags: readonly string[]): void => {
    const [tag, ...further] = tags;
    if (tag === undefined) {
      schemas[title] = { title, ...alternatives[0] };
      return;
    }
    const values = [...new Set(alternatives.map(each => constantOf(each, tag) ?? ''))];
    const titleOf = (value: string) => `${title}_${value}`;
    schemas[title] = {
      title,
      oneOf: values.map(value => ref('schemas', titleOf(value))),
      discriminator: {
        propertyName: tag,
        mapping: Object.fromEntries(values.map(value => [value, ref('schemas', titleOf(value)).$ref])),
      },
    };
    for (const value of values) {
      const chosen = alternatives.filter(each => constantOf(each, tag) === value);
      add(titleOf(value), chosen, further);
    }
  };
  const all = alternativesOf(request);
  const tags = TAGS.filter(tag => all.every(each => constantOf(each, tag) !== undefined));
  add(`${name}Request`, all, tags);
}

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

function answerSchema(
  name: string,
  described: OperationDescription,
  route: AnyQuestion,
  request: JsonSchema,
): ObjectSchema {
  // The other names of `include` extend the result.
  const added = route.query.include.map(upperCamel).filter(member => Object.hasOwn(includedMembers, member));
  const answer = z.strictObject({
    Arguments: z.unknown(),
    [described.resultMember]: described.result,
    'Risk engine version': z
      .string()
      .regex(/^\d+\.\d+\.\d+(\+[0-9a-z.]+)?$/)
      .meta({ description: 'Version of the engine.', examples: ['1.2.3'] }),
  });
  const { properties, ...rest } = answerSchemaOf(answer) as ObjectSchema;
  return {
    ...rest,
    properties: {
      ...properties,
      Arguments: opened(argumentsSchema(described.arguments, request)),
      ...(route.query.include.includes('accuracy') && { Accuracy: ref('schemas', `${name}Accuracy`) }),
      ...Object.fromEntries(added.map(member => [member, ref('schemas', member)])),
    },
  };
}

function examplesOf(path: OperationPath): JsonSchema {
  const named = EXAMPLES[path].map(value => {
    const parts = [value.type, value.model, value.contract_type];
    return [parts.filter(part => part !== undefined).join('_'), { value }] as const;
  });
  return Object.fromEntries(named);
}

function describeProblems(problems: readonly DescribedProblem[]): JsonSchema {
  const list = problems.map(({ type, status, title }) => `\`${type}\` (${status}): ${title.toLowerCase()}.`);
  const schema = answerSchemaOf(problemDocument(problems.map(({ type }) => type)));
  return { ...schema, description: `${schema.description} ${list.join(' ')}` };
}

const problemContent = { 'application/problem+json': { schema: ref('schemas', 'Problem') } };

function refusals(): JsonSchema {
  return Object.fromEntries(
    Object.entries({ ...REFUSALS, ...BACKGROUND_REFUSALS }).map(([status, description]) => [
      `Status${status}`,
      response(description, problemContent, {
        ...REQUEST_ID,
        ...(AFTER_READING.has(status) ? { 'x-seed': ref('headers', 'x-seed') } : {}),
        ...(status === '429' || status === '503' ? { 'Retry-After': retryAfter } : {}),
        ...(status === '429' ? headerRefs(RATE_LIMIT_HEADERS) : {}),
        ...(status === '405'
          ? { Allow: { description: 'Methods of the path.', schema: { type: 'string' } } }
          : {}),
        ...(status === '401'
          ? { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } } }
          : {}),
      }),
    ]),
  );
}

const retryAfter = {
  description: 'Seconds after which to try again; with 503 only where waiting helps.',
  schema: { type: 'integer', minimum: 1, 'x-unit': 'seconds' },
};
