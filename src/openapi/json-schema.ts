/**
 * zod schemas as JSON Schemas of OpenAPI 3.1 (draft 2020-12).
 */
import { z } from 'zod';
import { SHORTHAND } from '../request/fields.ts';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/**
 * What a caller may send where `schema` validates it, or what an answer holds. Transforms count as what goes into them; a rule
 * between members has no JSON Schema and stands in a description.
 */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => withShorthand(jsonSchema),
  });
  return rest;
}

/** Puts what may be sent in the place of an object beside it. */
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

/** The constant that a member of an object must be; undefined where it has none. */
export function constantOf(schema: JsonSchema, member: string): string | undefined {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, { const?: unknown }>> };
  const value = properties[member]?.const;
  return typeof value === 'string' ? value : undefined;
}
