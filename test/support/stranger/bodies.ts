/**
 * Bodies of requests made from schemas.
 *
 * Takes: a schema with bounds, defaults and examples, and an example of the whole body. Gives: bodies like it.
 * Must not know: the project (a test holds its imports).
 */
import type { Description, Schema } from './description.ts';

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A number of numbers: the smallest that is allowed, or one a bit above a bound that is not. */
function leastOf({ minimum, exclusiveMinimum, type }: Schema): number | undefined {
  if (minimum !== undefined) return minimum;
  if (exclusiveMinimum === undefined) return undefined;
  return type === 'integer' ? exclusiveMinimum + 1 : exclusiveMinimum + 1e-6;
}

/** A number that a schema does not allow, beyond one of its bounds. */
function beyond({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): number | undefined {
  if (type !== 'number' && type !== 'integer') return undefined;
  if (maximum !== undefined) return maximum + Math.max(1, Math.abs(maximum));
  if (minimum !== undefined) return minimum - Math.max(1, Math.abs(minimum));
  return exclusiveMaximum ?? exclusiveMinimum;
}

/**
 * A body by its schema: constants, what the example holds, and the defaults of members that it leaves out. Numbers of
 * paths are as given where the schema allows it: fewer are answered sooner.
 */
export function bodyBy(description: Description, schema: Schema, example: unknown, paths?: number): unknown {
  const own = description.resolve(schema);
  if (own.const !== undefined) return own.const;
  if (own['x-unit'] === 'paths' && paths !== undefined) return Math.max(paths, leastOf(own) ?? 1);
  if (own.properties !== undefined) {
    const given = isObject(example) ? example : {};
    return Object.fromEntries(
      Object.entries(own.properties).flatMap(([name, member]) => {
        // An object that may be absent is not made of the defaults of its members.
        const left = given[name] === undefined && !own.required?.includes(name);
        const value = left
          ? description.resolve(member).default
          : bodyBy(description, member, given[name], paths);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }
  if (Array.isArray(example) && own.items !== undefined)
    return example.map(item => bodyBy(description, own.items as Schema, item, paths));
  return example ?? own.default;
}

/** Bodies with one fault each, and the path of the member that has it: a number beyond a bound, and a member too many. */
export function faultyBodies(
  description: Description,
  schema: Schema,
  body: unknown,
  prefix = '',
): [path: string, body: unknown][] {
  const { properties } = description.resolve(schema);
  if (properties === undefined || !isObject(body)) return [];
  const numbers = Object.entries(properties).flatMap(([name, member]) => {
    const resolved = description.resolve(member);
    const inner = faultyBodies(description, resolved, body[name], `${prefix}${name}.`);
    const outside = name in body ? beyond(resolved) : undefined;
    const own: [string, unknown][] = outside === undefined ? [] : [[prefix + name, outside]];
    return [
      ...own.map(([path, value]) => [path, { ...body, [name]: value }] as [string, unknown]),
      ...inner.map(([path, value]) => [path, { ...body, [name]: value }] as [string, unknown]),
    ];
  });
  return [...numbers, [`${prefix}not_a_member`, { ...body, not_a_member: 1 }]];
}
