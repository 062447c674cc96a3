/** `Arguments` of an answer: the members of the request as declared, except members in another form. */
import { z } from 'zod';
import { alternativesOf, type JsonSchema, jsonSchemaOf } from './json-schema.ts';

/** What `Arguments` shows otherwise than the request declares it. */
export interface ShownArguments {
  /** Members that the request may leave out, and that follow then. */
  readonly always?: readonly string[];
  /** Members in another form than in the request, and additions of the service. */
  readonly members?: z.ZodRawShape;
  /** The same of the entries of lists. */
  readonly entries?: Readonly<Record<string, ShownArguments>>;
}

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const isObjectSchema = (schema: unknown): schema is ObjectSchema =>
  typeof schema === 'object' && schema !== null && 'properties' in schema;

/** @param request schema of the body: for each methodology an object, or an object with its members in `params` */
export function argumentsSchema(shown: ShownArguments, request: JsonSchema): JsonSchema {
  return ofObjects(shown, alternativesOf(request).map(bodyMembers).filter(isObjectSchema));
}

function bodyMembers(alternative: JsonSchema): JsonSchema {
  const params = isObjectSchema(alternative) ? alternative.properties.params : undefined;
  return isObjectSchema(params) ? params : alternative;
}

/** The members of all alternatives in their order; required where every alternative requires them or has a default. */
function ofObjects(
  { always = [], members = {}, entries = {} }: ShownArguments,
  sent: readonly ObjectSchema[],
) {
  const own = jsonSchemaOf(z.strictObject(members)) as ObjectSchema;
  const schemaOf = (name: string): JsonSchema => {
    if (Object.hasOwn(own.properties, name)) return own.properties[name];
    const declared = withoutDefault(
      sent.find(({ properties }) => name in properties)?.properties[name] ?? {},
    );
    const { items } = declared;
    return name in entries && isObjectSchema(items)
      ? { ...declared, items: ofObjects(entries[name], [items]) }
      : declared;
  };
  const isRequired = (name: string) =>
    Object.hasOwn(own.properties, name)
      ? own.required?.includes(name)
      : always.includes(name) ||
        sent.every(
          ({ properties, required }) =>
            name in properties && (required?.includes(name) || 'default' in properties[name]),
        );
  const declared = sent.flatMap(({ properties }) => Object.keys(properties));
  const names = [...new Set([...declared, ...Object.keys(own.properties)])];
  const properties = Object.fromEntries(names.map(name => [name, schemaOf(name)]));
  return { ...own, properties, required: names.filter(isRequired) };
}

/** An answer has the default as a value. */
const withoutDefault = ({ default: _, ...schema }: JsonSchema): JsonSchema => schema;
