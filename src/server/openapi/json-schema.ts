/** JSON Schemas of OpenAPI 3.1 (draft 2020-12) from zod schemas, and pieces of the document. */
import { z } from 'zod';
import { SHORTHAND } from '../../question/request/fields.ts';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A reference to a component of the document. */
export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** The headers of every response: its name, and its trace and the expiry of its key where there are any. */
export const REQUEST_ID = Object.fromEntries(
  ['x-request-id', 'traceresponse', 'x-key-expires'].map(name => [name, ref('headers', name)]),
);

/** The content of a JSON response or body. */
export const json = (schema: JsonSchema, more: JsonSchema = {}) => ({
  'application/json': { schema, ...more },
});

/** A response with a body of one media type. */
export const response = (description: string, content: JsonSchema, headers: JsonSchema = REQUEST_ID) => ({
  description,
  headers,
  content,
});

/** A method of a path. @param common members of several paths, such as its tags */
export const method = (
  common: JsonSchema,
  operationId: string,
  summary: string,
  description: string,
  responses: JsonSchema,
  parameters?: readonly JsonSchema[],
) => ({ ...common, operationId, summary, description, ...(parameters && { parameters }), responses });

/** The input of a schema. A transform counts as its input; a rule between members has no JSON Schema and stands in a description. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ zodSchema, jsonSchema }) => {
      requireInputs(zodSchema, jsonSchema);
      withShorthand(jsonSchema);
    },
  });
  return rest;
}

/** The same of an answer, which is open: later versions may add members. */
export const answerSchemaOf = (schema: z.ZodType): JsonSchema => opened(jsonSchemaOf(schema));

/** A schema whose objects may have further members. */
export function opened(schema: JsonSchema): JsonSchema {
  const keywords = Object.entries(schema).filter(
    ([keyword, value]) => keyword !== 'additionalProperties' || value !== false,
  );
  return Object.fromEntries(keywords.map(([keyword, value]) => [keyword, openedValue(value)]));
}

function openedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openedValue);
  return typeof value === 'object' && value !== null ? opened(value as JsonSchema) : value;
}

/** Requires the members of an object that are read and then transformed: zod takes them for optional. */
function requireInputs(schema: z.core.$ZodTypes, json: Record<string, unknown>): void {
  const { def } = schema._zod;
  if (def.type !== 'object') return;
  const required = new Set((json.required as readonly string[] | undefined) ?? []);
  for (const [name, { _zod }] of Object.entries(def.shape)) {
    if (_zod.def.type !== 'pipe') continue;
    const { in: input } = _zod.def as unknown as { in: z.core.$ZodType };
    if (input._zod.def.type !== 'transform' && input._zod.optin === undefined) required.add(name);
  }
  if (required.size > 0) json.required = Object.keys(def.shape).filter(name => required.has(name));
}

/** Adds the shorter form of an object as an alternative. */
function withShorthand(schema: Record<string, unknown>): void {
  const { [SHORTHAND]: shorthand, description, ...object } = schema;
  if (shorthand === undefined) return;
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  Object.assign(schema, {
    ...(description === undefined ? {} : { description }),
    anyOf: [shorthand, object],
  });
}

/** The alternatives of a schema, those of nested unions included. */
export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const { oneOf } = schema as { oneOf?: readonly JsonSchema[] };
  return oneOf === undefined ? [schema] : oneOf.flatMap(alternativesOf);
}

/** The constant of a member of an object; undefined without one. */
export function constantOf(schema: JsonSchema, member: string): string | undefined {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, { const?: unknown }>> };
  const value = properties[member]?.const;
  return typeof value === 'string' ? value : undefined;
}
