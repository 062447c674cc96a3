/**
 * zod schemas as JSON Schemas of OpenAPI 3.1 (draft 2020-12).
 */
import { z } from 'zod';

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
  });
  return rest;
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
