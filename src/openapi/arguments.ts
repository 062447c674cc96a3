/**
 * `Arguments` of an answer: the members of the request, each as it is declared there, but for those that are shown in
 * another form.
 *
 * Must not know: any operation.
 */
import { alternativesOf, type JsonSchema } from './json-schema.ts';

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const isObjectSchema = (schema: unknown): schema is ObjectSchema =>
  typeof schema === 'object' && schema !== null && 'properties' in schema;

/**
 * @param shown members in another form than in the request, and members that the service adds
 * @param request the schema of the body: under each methodology one object, or one with its members in `params`
 */
export function argumentsSchema(shown: JsonSchema, request: JsonSchema): JsonSchema {
  const sent = alternativesOf(request).map(bodyMembers);
  return sent.reduce<JsonSchema>(withDeclared, shown);
}

function bodyMembers(alternative: JsonSchema): JsonSchema {
  const params = isObjectSchema(alternative) ? alternative.properties.params : undefined;
  return isObjectSchema(params) ? params : alternative;
}

/** `shown` with the members of `sent` that it lacks, in the order of the request; so for the objects of lists. */
function withDeclared(shown: JsonSchema, sent: JsonSchema): JsonSchema {
  if (!isObjectSchema(shown) || !isObjectSchema(sent)) return shown;
  const declared = Object.entries(sent.properties).map(([name, schema]) => {
    const own = Object.hasOwn(shown.properties, name) ? shown.properties[name] : undefined;
    return [name, own === undefined ? withoutDefault(schema) : withItems(own, schema)] as const;
  });
  const properties = { ...Object.fromEntries(declared), ...withoutNames(shown.properties, sent.properties) };
  const isRequired = (name: string): boolean =>
    Object.hasOwn(shown.properties, name)
      ? (shown.required ?? []).includes(name)
      : (sent.required ?? []).includes(name) || 'default' in sent.properties[name];
  return { ...shown, properties, required: Object.keys(properties).filter(isRequired) };
}

function withItems(shown: JsonSchema, sent: JsonSchema): JsonSchema {
  if (!isObjectSchema(shown.items) || !isObjectSchema(sent.items)) return shown;
  return { ...shown, items: withDeclared(shown.items, sent.items) };
}

/** In an answer the default stands as a value. */
function withoutDefault({ default: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

const withoutNames = (
  members: Readonly<Record<string, JsonSchema>>,
  others: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(others, name)));
