/** `Arguments` of an answer: the members of the request as declared, except members in another form. */
import { alternativesOf, type JsonSchema } from './json-schema.ts';

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const isObjectSchema = (schema: unknown): schema is ObjectSchema =>
  typeof schema === 'object' && schema !== null && 'properties' in schema;

/**
 * @param shown members in another form than in the request, and additions of the service
 * @param request schema of the body: for each methodology an object, or an object with its members in `params`
 */
export function argumentsSchema(shown: JsonSchema, request: JsonSchema): JsonSchema {
  const sent = alternativesOf(request).map(bodyMembers);
  return sent.reduce<JsonSchema>(withDeclared, shown);
}

function bodyMembers(alternative: JsonSchema): JsonSchema {
  const params = isObjectSchema(alternative) ? alternative.properties.params : undefined;
  return isObjectSchema(params) ? params : alternative;
}

/** `shown` with its missing members from `sent`, in the order of the request; also for objects in lists. */
function withDeclared(shown: JsonSchema, sent: JsonSchema): JsonSchema {
  if (!isObjectSchema(shown) || !isObjectSchema(sent)) return shown;
  const declared = Object.entries(sent.properties).map(([name, schema]) => {
    const own = Object.hasOwn(shown.properties, name) ? shown.properties[name] : undefined;
    return [name, own === undefined ? withoutDefault(schema) : withItems(own, schema)] as const;
  });
  const added = Object.entries(shown.properties).filter(([name]) => !Object.hasOwn(sent.properties, name));
  const properties = Object.fromEntries<JsonSchema>([...declared, ...added]);
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

/** An answer has the default as a value. */
const withoutDefault = ({ default: _, ...schema }: JsonSchema): JsonSchema => schema;
