/**
 * Holds requests and answers against openapi.json with a JSON Schema validator that the service does not use.
 *
 * Takes: one exchange. Gives: what of it the document does not allow, in sentences; nothing, if all is as described.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { AnyQuestion } from '#src/question/question.js';
import { QUESTIONS } from '#src/question/questions.js';
import { PROBLEMS } from '#src/server/answers/problem.js';
import { openApiDocument } from '#src/server/openapi/document.js';

interface Content {
  readonly content?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly $ref?: string;
}
interface DescribedOperation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  /** Absent where a key is needed. */
  readonly security?: readonly object[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Content>> };
}

const describe = (routes: readonly AnyQuestion[]) =>
  openApiDocument({ version: '1.2.3', routes, problems: PROBLEMS }) as unknown as Document;

/** A document in which objects have the described members alone: its answers are open for later versions, but this one describes all. */
function closed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, each]) => [name, closed(each)] as const);
  const isOpen = 'properties' in value && !('additionalProperties' in value || 'oneOf' in value);
  return { ...Object.fromEntries(members), ...(isOpen && { additionalProperties: false }) } as T;
}

/** The description of the service. */
export const DOCUMENT = describe(QUESTIONS);

/** Checks by one document. */
export interface Checks {
  /** What a request body holds that the document does not allow. */
  requestFaults(path: string, body: unknown): string[];
  /** What an answer of 200 holds that the document does not allow. */
  answerFaults(path: string, body: unknown): string[];
  /** What of an exchange the document does not allow. */
  exchangeFaults(exchange: Exchange): string[];
}

/** The path of the document that a path of a request belongs to; the path itself where there is none. */
function templateOf(document: Document, path: string): string {
  if (document.paths[path] !== undefined) return path;
  const parts = path.split('/');
  const matches = (template: string) => {
    const names = template.split('/');
    return (
      names.length === parts.length && names.every((name, i) => name.startsWith('{') || name === parts[i])
    );
  };
  return Object.keys(document.paths).find(matches) ?? path;
}

const known = new Map<string, Checks>();

/** Checks by the document of an application with these routes. */
export function checksOf(routes: readonly AnyQuestion[]): Checks {
  const key = JSON.stringify(routes.map(({ path, query }) => [path, query]));
  let checks = known.get(key);
  if (checks === undefined) {
    checks = checksBy(closed(routes === QUESTIONS ? DOCUMENT : describe(routes)));
    known.set(key, checks);
  }
  return checks;
}

/** One request and what it was answered. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly requestText: string | undefined;
  /** Whether the request was a CSV file in the place of a body. */
  readonly isCsv?: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function checksBy(document: Document): Checks {
  // The schemas are checked once, in test/server/openapi/openapi.test.ts. Shorter code would run no faster on so few values.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  ajv.addSchema(document as object, 'openapi');
  const compiled = new Map<string, ValidateFunction>();

  /** Faults of a value against the schema at a JSON pointer of the document. */
  const faultsAt = (pointer: readonly string[], value: unknown): string[] => {
    const fragment = pointer
      .map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    let validate = compiled.get(fragment);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `openapi#/${fragment}` });
      compiled.set(fragment, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  };
  const requestFaults = (path: string, body: unknown) =>
    faultsAt(['paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema'], body);
  const answerFaults = (path: string, body: unknown) =>
    faultsAt(['paths', path, 'post', 'responses', '200', 'content', 'application/json', 'schema'], body);
  const problemFaults = (body: unknown) => faultsAt(['components', 'schemas', 'Problem'], body);

  const exchangeFaults = (exchange: Exchange): string[] => {
    const { method, path, requestText, isCsv = false, status, headers, body } = exchange;
    const described = document.paths[templateOf(document, path)];
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = described?.[verb];
    const type = String(headers['content-type'] ?? '').split(';')[0];
    const prefix = (fault: string) => `${method} ${path} answered ${status}: ${fault}`;
    if (operation === undefined) {
      const expected = described === undefined ? [400, 404, 405, 417] : [400, 405, 417];
      // The viewer's files and the questions that browsers ask first are no part of the interface.
      if (method === 'OPTIONS' && status === 204) return [];
      // Pages for people are no part of the interface.
      if (/^\/(docs(\/|$)|assets\/|llms\.txt$|$)/.test(path)) return [];
      if (!expected.includes(status))
        return [
          prefix('openapi.json does not describe it: src/server/openapi/document.ts makes the description'),
        ];
      return problemFaults(JSON.parse(body)).map(prefix);
    }
    const found = operation.responses[String(status)];
    if (found === undefined) return [prefix('openapi.json has no such status here')];
    const response = found.$ref === undefined ? found : document.components.responses[`Status${status}`];
    if (![204, 304].includes(status) && response.content?.[type] === undefined)
      return [prefix(`content type ${type} is not described`)];
    const unknownHeaders = Object.keys(headers)
      .filter(name => name.startsWith('x-') && name !== 'x-content-type-options')
      .filter(name => !(name in (response.headers ?? {})))
      .map(name => `header ${name} is not described`);
    // A stream is looked at by the tests that read it, and 204 has no body.
    const isJson = type === 'application/json' || type === 'application/problem+json';
    const value: unknown = isJson ? JSON.parse(body) : undefined;
    const pointer =
      found.$ref === undefined
        ? ['paths', templateOf(document, path), verb, 'responses', String(status)]
        : ['components', 'responses', `Status${status}`];
    const faults = isJson ? faultsAt([...pointer, 'content', type, 'schema'], value) : [];
    const sent =
      status === 200 && isJson && !isCsv && operation.requestBody !== undefined
        ? JSON.parse(String(requestText))
        : undefined;
    const requestRefused = sent === undefined ? [] : requestFaults(path, sent);
    return [
      ...unknownHeaders,
      ...faults,
      ...requestRefused.map(fault => `accepted a request that openapi.json refuses: ${fault}`),
    ].map(prefix);
  };
  return { requestFaults, answerFaults, exchangeFaults };
}

export const { requestFaults, answerFaults, exchangeFaults } = checksOf(QUESTIONS);
