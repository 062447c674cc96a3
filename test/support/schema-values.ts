/**
 * Generated JSON values that a JSON Schema allows, for requests made from the schemas that validate them.
 *
 * Takes: the keywords that this project's schemas use; another one fails, so that none is passed over. Rules between members,
 * which no JSON Schema states, are not kept.
 */
import fc from 'fast-check';
import type { JsonSchema } from '#src/server/openapi/json-schema.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly not?: { readonly const: unknown };
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: { readonly pattern: string };
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

const UNDERSTOOD = new Set([
  ...['type', 'const', 'enum', 'oneOf', 'anyOf', 'not', 'default', 'properties', 'required'],
  ...['additionalProperties', 'propertyNames', 'minProperties', 'maxProperties', 'items', 'prefixItems'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['pattern', 'minLength', 'maxLength', 'description', 'examples', 'x-unit'],
]);

/** Longest list and map that are made, whatever a schema allows: length is tried elsewhere. */
const LONGEST = 6;
const LARGEST = 1e18;

/**
 * Values of `schema`: bounds and values near them as often as those between.
 *
 * @param texts texts that are tried where a pattern allows them, such as symbols that there are
 * @throws RangeError for a keyword that is not known here
 */
export function valuesOf(schema: JsonSchema, texts: readonly string[] = []): fc.Arbitrary<unknown> {
  const made = new Map<object, fc.Arbitrary<unknown>>();
  const of = (node: Schema): fc.Arbitrary<unknown> => {
    const known = made.get(node) ?? build(node);
    made.set(node, known);
    return known;
  };

  function build(node: Schema): fc.Arbitrary<unknown> {
    const strange = Object.keys(node).filter(keyword => !UNDERSTOOD.has(keyword));
    if (strange.length > 0) throw new RangeError(`keywords that are not known here: ${strange.join(', ')}`);
    if ('const' in node) return fc.constant(node.const);
    if (node.enum !== undefined) return fc.constantFrom(...node.enum);
    const choices = node.oneOf ?? node.anyOf;
    if (choices !== undefined) return fc.oneof(...choices.map(of));
    if (node.type === 'object') return objects(node);
    if (node.type === 'array') return lists(node);
    if (node.type === 'string') return strings(node, texts);
    if (node.type === 'boolean') return fc.boolean();
    if (node.type === 'null') return fc.constant(null);
    if (node.type === 'number' || node.type === 'integer') return numbers(node);
    if (node.type === undefined) return fc.jsonValue({ maxDepth: 1 });
    throw new RangeError(`a type that is not known here: ${JSON.stringify(node.type)}`);
  }

  function objects(node: Schema): fc.Arbitrary<unknown> {
    const { properties, required = [], additionalProperties, propertyNames } = node;
    if (properties !== undefined) {
      const members = Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, of(child)]),
      );
      return fc.record(members, { requiredKeys: [...required] });
    }
    const value =
      typeof additionalProperties === 'object' ? of(additionalProperties) : fc.jsonValue({ maxDepth: 1 });
    const pattern = propertyNames?.pattern;
    return fc.dictionary(pattern === undefined ? fc.string() : strings({ pattern }, texts), value, {
      minKeys: node.minProperties ?? 0,
      maxKeys: Math.min(node.maxProperties ?? LONGEST, LONGEST),
    });
  }

  function lists({ items, prefixItems, minItems = 0, maxItems = LONGEST, uniqueItems }: Schema) {
    if (prefixItems !== undefined) return fc.tuple(...prefixItems.map(of));
    const item = typeof items === 'object' ? of(items) : fc.jsonValue({ maxDepth: 1 });
    const length = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, LONGEST)) };
    return uniqueItems === true ? fc.uniqueArray(item, length) : fc.array(item, length);
  }

  return of(schema as Schema);
}

function numbers(node: Schema): fc.Arbitrary<number> {
  const integer = node.type === 'integer';
  const least = node.minimum ?? node.exclusiveMinimum ?? -LARGEST;
  const most = node.maximum ?? node.exclusiveMaximum ?? LARGEST;
  const allowed = (value: number) =>
    value >= least &&
    value <= most &&
    value !== node.exclusiveMinimum &&
    value !== node.exclusiveMaximum &&
    value !== node.not?.const;
  if (integer) {
    const [from, to] = [Math.ceil(least), Math.min(Math.floor(most), Number.MAX_SAFE_INTEGER)];
    const between = fc.integer({ min: Math.max(from, -(2 ** 31)), max: Math.min(to, 2 ** 31) });
    const small = fc.integer({ min: Math.max(from, -100), max: Math.max(from, Math.min(to, 1000)) });
    return fc.oneof(fc.constantFrom(from, to), small, between).filter(allowed);
  }
  const near = [least, most, least + 1e-6, most - 1e-6, least / 2, most / 2, 1, 0.5, 0].filter(allowed);
  const between = fc.double({ min: least, max: most, noNaN: true, noDefaultInfinity: true });
  const usual = fc.double({ min: Math.max(least, -10), max: Math.min(most, 10), noNaN: true });
  const edges = near.length === 0 ? between : fc.constantFrom(...near);
  return fc.oneof(edges, usual, between).filter(allowed);
}

/** Assertions are not generated but looked at afterwards. */
const LOOK_AHEAD = /\(\?=[^)]*\)/g;

function strings(node: Schema, texts: readonly string[]): fc.Arbitrary<string> {
  const { pattern, minLength = 0, maxLength = 40 } = node;
  if (pattern === undefined) return fc.string({ minLength, maxLength });
  const whole = new RegExp(pattern);
  const made = fc
    .stringMatching(new RegExp(pattern.replace(LOOK_AHEAD, '')))
    .filter(text => whole.test(text));
  const fitting = texts.filter(text => whole.test(text));
  return fitting.length === 0 ? made : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...fitting) }, made);
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Held by the sample market. */
const HELD = ['BTC', 'ETH', 'SOL', 'USDC', 'XRP', 'ADA'];
const remainder = (value: number, of: number) => Math.abs(Math.trunc(value)) % of;

/** Members that rules beyond the schema concern, and a value near the one made that keeps them. */
const EASED: Readonly<Record<string, (value: unknown) => unknown>> = {
  collateral_weights: shares,
  loan_weights: shares,
  weights: shares,
  mc_iter: value => 1 + remainder(Number(value), 50),
  model_lookback: value => 40 + remainder(Number(value), 60),
  loan_duration: value => 1 + remainder(Number(value), 30),
  horizon: value => 1 + remainder(Number(value), 5),
  trade_duration_hours: value => 3 + remainder(Number(value), 200),
  var_duration: days => (days as number[]).map((_, i) => i + 1),
  analysis_date: () => '01-30-2026',
  from: () => '01-05-2026',
  to: () => '01-30-2026',
  market: value => HELD[String(value).length % 3],
  markets: markets => (markets as unknown[]).slice(0, 2).map((_, i) => [HELD[i], 'USDT', 'binance']),
  variable_min: () => 1.2,
  variable_max: value => 2 + remainder(Number(value), 3),
  score_target: value => 0.05 + remainder(100 * Number(value), 90) / 100,
  volatility_shock: value => remainder(Number(value), 3) / 4,
};
/** Ratios in the order in which they stand. */
const RATIOS = ['L', 'M', 'R', 'N'];

/**
 * A body made to keep the rules between members too, where it comes near: weights add up to 1, ratios stand in their order,
 * paths and days are few, assets are held. Most of what is left is answered, so that engines are reached and not checks alone.
 */
export function madeConsistent(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(madeConsistent);
  if (!isObject(body)) return body;
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body))
    changed[name] = EASED[name]?.(value) ?? madeConsistent(value);
  const ratios = RATIOS.filter(name => typeof body[name] === 'number');
  const sorted = ratios
    .map(name => 1.3 + remainder(100 * Number(body[name]), 50) / 100)
    .sort((x, y) => x - y);
  for (const [i, name] of ratios.entries()) changed[name] = sorted[i] + 0.01 * i;
  return changed;
}

function shares(weights: unknown): unknown {
  if (!isObject(weights)) return weights;
  const count = Math.min(HELD.length, Math.max(1, Object.keys(weights).length));
  const each = Math.floor(1e6 / count) / 1e6;
  const last = count - 1;
  return Object.fromEntries(
    HELD.slice(0, count).map((name, i) => [name, i === last ? Number((1 - each * last).toFixed(6)) : each]),
  );
}
