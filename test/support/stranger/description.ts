/**
 * The description that a server gives of itself, as a program reads it that knows nothing else of the server.
 *
 * Takes: openapi.json. Gives: its operations with their alternatives and examples, and what of an answer it does not allow.
 * Must not know: the project (a test holds its imports).
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly 'x-unit'?: string;
}

interface Referring {
  readonly $ref?: string;
}
interface Media {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Header extends Referring {
  readonly required?: boolean;
  readonly schema: Schema;
}
export interface Response extends Referring {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Media>>;
}
/** A parameter of the query or the header. */
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly parameters?: readonly (Parameter | Referring)[];
  readonly security?: readonly object[];
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}
type PathItem = Readonly<Partial<Record<'get' | 'post' | 'delete', Operation>>>;

export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** One form of the body of an operation: a methodology. */
export interface Alternative {
  readonly name: string;
  readonly schema: Schema;
  readonly examples: readonly unknown[];
}

/** Headers that any web server may send. */
const GENERAL: ReadonlySet<string> = new Set(['x-content-type-options']);

export class Description {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly compiled = new Map<string, ValidateFunction>();
  readonly document: OpenApi;

  constructor(document: OpenApi) {
    this.document = document;
    this.ajv.addSchema(document as object, 'openapi.json');
  }

  /** What a reference stands for. */
  resolve<T extends object>(value: T): T {
    const { $ref } = value as Referring;
    if ($ref === undefined) return value;
    const steps = $ref.slice(2).split('/');
    return this.resolve(
      steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], this.document) as T,
    );
  }

  /** What of a value a schema of the document does not allow, in sentences. */
  faultsOf(schema: Schema, value: unknown): string[] {
    const key = JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/');
    let validate = this.compiled.get(key);
    if (validate === undefined) {
      validate = this.ajv.compile(JSON.parse(key));
      this.compiled.set(key, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath || 'the value'} ${message}`,
    );
  }

  /** The paths with a method, and the operation there. */
  operationsBy(method: 'get' | 'post' | 'delete'): [string, Operation][] {
    return Object.entries(this.document.paths).flatMap(([path, { [method]: operation }]) =>
      operation === undefined ? [] : [[path, operation] as [string, Operation]],
    );
  }

  /** The forms that a JSON body of an operation can have, each with those examples that have this form. */
  alternativesOf({ requestBody }: Operation): Alternative[] {
    const media = requestBody?.content['application/json'];
    if (media === undefined) return [];
    const examples = Object.values(media.examples ?? {}).map(({ value }) => value);
    return this.leavesOf(media.schema).map(schema => ({
      name: schema.$ref?.split('/').at(-1) ?? 'body',
      schema,
      examples: examples.filter(example => this.faultsOf(schema, example).length === 0),
    }));
  }

  /** The schemas that a choice of choices ends in. */
  private leavesOf(schema: Schema): Schema[] {
    return this.resolve(schema).oneOf?.flatMap(each => this.leavesOf(each)) ?? [schema];
  }

  /** What of an answer an operation does not allow: status, type, headers or body. */
  answerFaults(
    { responses }: Operation,
    answer: { readonly status: number; readonly headers: Headers; readonly text: string },
  ): string[] {
    const described = responses[answer.status];
    if (described === undefined) return [`status ${answer.status} is not described: ${answer.text}`];
    const { headers = {}, content } = this.resolve(described);
    const faults = Object.entries(headers).flatMap(([name, header]) =>
      this.headerFaults(name, header, answer.headers.get(name)),
    );
    const known = new Set(Object.keys(headers).map(name => name.toLowerCase()));
    for (const name of answer.headers.keys())
      if (name.startsWith('x-') && !GENERAL.has(name) && !known.has(name))
        faults.push(`the header ${name} is not described`);
    if (content === undefined) return answer.text === '' ? faults : [...faults, 'a body is not described'];
    const type = answer.headers.get('content-type')?.split(';')[0] ?? 'none';
    const media = content[type];
    if (media === undefined) return [...faults, `the type ${type} is not described`];
    if (type === 'application/x-ndjson')
      return [...faults, ...linesOf(answer.text).flatMap(line => this.faultsOf(media.schema, line))];
    const value = type.endsWith('json') ? JSON.parse(answer.text) : answer.text;
    return [...faults, ...this.faultsOf(media.schema, value)];
  }

  private headerFaults(name: string, header: Header, sent: string | null): string[] {
    const { schema, required = false } = this.resolve(header);
    if (sent === null) return required ? [`the header ${name} is missing`] : [];
    const isNumber = schema.type === 'integer' || schema.type === 'number';
    return this.faultsOf(schema, isNumber ? Number(sent) : sent).map(fault => `the header ${name}: ${fault}`);
  }
}

/** The values of newline-delimited JSON. */
export const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
