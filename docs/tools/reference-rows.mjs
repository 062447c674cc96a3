/**
 * Members of requests and answers as rows of a table: JSON Schema in, cells out. A member that an earlier table has alike is
 * named and not described again.
 */

/** @typedef {Record<string, any>} Schema */
/**
 * A member of an object. `step` leads from its name to those of its members: `.`, `[].` for a list, `.*.` for a map.
 * @typedef {{
 *   readonly name: string, readonly unit: string, readonly bounds: string, readonly presence: string,
 *   readonly meaning: string, readonly step: string, readonly members: readonly Member[],
 * }} Member
 */

/** JSON Schema of a whole number names this bound where there is none. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;
const UNITS = {
  none: '',
  'collateral value / loan value': 'CCR',
  'loan value / collateral value': 'LTV',
  'per cent of loan_value': 'percent of the loan',
};

function numberText(value) {
  const [plain, short] = [String(value), value.toExponential().replace('e+', 'e')];
  return short.length < plain.length ? short : plain;
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }) {
  const low = exclusiveMinimum ?? minimum;
  const high = exclusiveMaximum ?? (maximum === UNBOUNDED ? undefined : maximum);
  const from = low === undefined ? '' : `${exclusiveMinimum === undefined ? '' : 'above '}${numberText(low)}`;
  const to = high === undefined ? '' : `${exclusiveMaximum === undefined ? '' : 'below '}${numberText(high)}`;
  if (to === '') return from === '' || exclusiveMinimum !== undefined ? from : `${from} or more`;
  if (from === '') return exclusiveMaximum === undefined ? `at most ${to}` : to;
  return `${from} to ${to}`;
}

const countOf = (least, most) => (least === most ? `${most}` : `${least ?? 0} to ${numberText(most)}`);

function textOf({ pattern, minLength, maxLength, examples }) {
  if (pattern?.startsWith('^(0[1-9]|1[0-2])-')) return '`MM-DD-YYYY`';
  if (maxLength !== undefined) return `text of ${countOf(minLength, maxLength)} characters`;
  return examples === undefined ? 'text' : `text, such as \`${examples[0]}\``;
}

const joined = (parts, separator) => parts.filter(part => part !== '').join(separator);

/**
 * What a value may be, in words.
 * @param {Schema} schema
 * @returns {string}
 */
export function boundsOf(schema) {
  const { type, anyOf, items, additionalProperties } = schema;
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return schema.enum.map(each => `\`${each}\``).join(', ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(each => boundsOf(each) || each.type))].join(', or ');
  if (Array.isArray(type)) return type.map(each => boundsOf({ ...schema, type: each }) || each).join(', or ');
  if (type === 'integer') return joined(['whole', rangeOf(schema)], ', ');
  if (type === 'number') return rangeOf(schema);
  if (type === 'boolean') return 'true or false';
  if (type === 'string') return textOf(schema);
  if (type === 'null') return 'null';
  const [kind, inner, least, most] =
    type === 'array'
      ? ['list', items, schema.minItems, schema.maxItems]
      : ['map', additionalProperties, schema.minProperties, schema.maxProperties];
  if (typeof inner !== 'object') return type ?? '';
  const values = inner.type === 'object' || inner.anyOf !== undefined ? '' : boundsOf(inner);
  return joined(
    [joined([kind, most === undefined ? '' : `of ${countOf(least, most)}`], ' '), values && `each ${values}`],
    ', ',
  );
}

/** The alternative of a schema that is an object, for one that may be something else, too. */
function objectOf(schema) {
  if (schema.anyOf === undefined) return schema;
  return schema.anyOf.find(({ type, properties }) => type === 'object' || properties !== undefined) ?? {};
}

const isQuantile = name => /^q\d/.test(name);

/** Where the members of a value lie: the schema that has them, and the step to them. */
function innerOf(schema) {
  const { items, properties, additionalProperties } = objectOf(schema);
  if (properties !== undefined && !Object.keys(properties).every(isQuantile))
    return { inner: objectOf(schema), step: '.' };
  for (const [nested, step] of [
    [items, '[].'],
    [additionalProperties, '.*.'],
  ]) {
    if (typeof nested !== 'object') continue;
    const found = innerOf(nested);
    if (found.inner !== undefined) return { inner: found.inner, step: step.slice(0, -1) + found.step };
  }
  return { inner: undefined, step: '.' };
}

/** @returns {Member} */
function memberOf(name, sent, isRequired) {
  const quantiles = Object.keys(sent.properties ?? {}).filter(isQuantile);
  // Quantiles of one figure are a row, as a list of them would be.
  const schema =
    quantiles.length === 0 ? sent : { ...sent.properties[quantiles[0]], description: sent.description };
  const nested = schema.items ?? schema.additionalProperties ?? schema.anyOf?.[0] ?? {};
  const unit = schema['x-unit'] ?? nested['x-unit'] ?? 'none';
  const bounds = boundsOf(schema);
  const { inner, step } = innerOf(schema);
  return {
    name,
    unit: UNITS[unit] ?? unit,
    bounds:
      quantiles.length === 0
        ? bounds
        : joined([`\`${quantiles[0]}\` to \`${quantiles.at(-1)}\``, bounds], ', '),
    presence: presenceOf(schema, isRequired),
    meaning: schema.description ?? nested.description ?? '',
    step,
    members: inner === undefined ? [] : membersOf(inner),
  };
}

function presenceOf({ default: byDefault }, isRequired) {
  if (isRequired) return 'required';
  return byDefault === undefined ? '' : `\`${JSON.stringify(byDefault)}\``;
}

/**
 * The members of an object.
 * @param {Schema} schema
 * @returns {readonly Member[]}
 */
export const membersOf = ({ properties = {}, additionalProperties, required = [] }) => [
  ...Object.entries(properties).map(([name, schema]) => memberOf(name, schema, required.includes(name))),
  // An object whose other members have keys of the request, as value at risk by horizon.
  ...(additionalProperties?.type !== undefined ? [memberOf('*', additionalProperties, false)] : []),
];

/**
 * The values by the key of each, in their order.
 * @template T
 * @param {readonly T[]} values
 * @param {(value: T) => string} keyOf
 * @returns {Map<string, T[]>}
 */
export function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

const typeOf = ({ properties }) => (properties.type ?? properties.model).const;
const contractOf = ({ properties }) => properties.contract_type?.const;

/**
 * The members of a request, from its alternatives by methodology and kind of contract.
 * @param {readonly Schema[]} alternatives
 */
export function requestMembers(alternatives) {
  const isFlat = alternatives[0].properties.params === undefined;
  /** By name, what each alternative says of the member. */
  const found = new Map();
  for (const alternative of alternatives) {
    for (const member of membersOf(alternative.properties.params ?? alternative)) {
      if (isFlat && member.name === 'model') continue;
      found.set(member.name, [...(found.get(member.name) ?? []), { member, alternative }]);
    }
  }
  const types = [...new Set(alternatives.map(typeOf))];
  return { isFlat, types, members: [...found.values()].map(uses => mergedMember(uses, alternatives, types)) };
}

/** One member for all alternatives: what most of them say, and how the others differ. */
function mergedMember(uses, alternatives, types) {
  if (uses[0].member.name === 'contract_type') return contractMember(uses);
  const groups = groupBy(uses, ({ member }) => `${member.bounds}|${member.presence}`);
  const isRequired = ([{ member }]) => member.presence === 'required';
  const [most, ...others] = [...groups.values()].sort(
    (a, b) => b.length - a.length || Number(isRequired(a)) - Number(isRequired(b)),
  );
  const contracts = new Set(alternatives.map(contractOf));
  /** Kinds of contracts where the group has fewer of them than the request, else methodologies. */
  const namesOf = group => {
    const kinds = new Set(group.map(use => contractOf(use.alternative)));
    const named = kinds.size < contracts.size ? kinds : new Set(group.map(use => typeOf(use.alternative)));
    return [...named].join(', ');
  };
  const { member } = most[0];
  const bounds = [member.bounds];
  const presence = [member.presence];
  for (const group of others) {
    const names = namesOf(group);
    const { member: other } = group[0];
    if (other.bounds !== member.bounds) bounds.push(`for ${names} ${other.bounds}`);
    else presence.push(`${other.presence === 'required' ? 'required' : 'not'} for ${names}`);
  }
  const kinds = new Set(uses.map(use => contractOf(use.alternative)));
  if (kinds.size < contracts.size) presence.push(`for ${[...kinds].join(', ')}`);
  const without = types.filter(type => !uses.some(({ alternative }) => typeOf(alternative) === type));
  if (without.length > 0) presence.push(`not for ${without.join(', ')}`);
  return { ...member, bounds: bounds.join('; '), presence: joined(presence, ', ') };
}

const contractMember = uses => ({
  ...uses[0].member,
  bounds: [...new Set(uses.map(({ member }) => member.bounds))].join(', '),
  meaning: 'Kind of contract: margined in USD, or in the asset.',
});

/** An object of fewer members is described whole. */
const SMALL = 5;

/** Members that tables have described, with the place of each. */
export class Described {
  /** By description, the path of the operation and the name under which it stands. */
  #places = new Map();

  /**
   * Rows of a table, and the names of members that an earlier operation has alike, by the path of that operation.
   * @param {readonly Member[]} members
   * @param {string} path of the operation
   */
  rowsOf(members, path) {
    const rows = [];
    const alike = new Map();
    for (const member of members) this.#add(member, '', path, rows, alike);
    return { rows, alike };
  }

  /** @param alike undefined where a member is described whatever earlier tables have */
  #add(member, prefix, path, rows, alike) {
    const name = prefix + member.name;
    const whole = JSON.stringify(member);
    const place = this.#places.get(whole);
    if (alike !== undefined && place !== undefined && place.path !== path) {
      alike.set(place.path, [...(alike.get(place.path) ?? []), name]);
      return;
    }
    const inner = JSON.stringify(member.members);
    const innerPlace = member.members.length === 0 ? undefined : this.#places.get(inner);
    rows.push({ ...member, name, innerPlace });
    const isSmall = member.members.length < SMALL;
    if (innerPlace === undefined)
      for (const each of member.members)
        this.#add(each, name + member.step, path, rows, isSmall ? undefined : alike);
    for (const key of [whole, inner]) if (!this.#places.has(key)) this.#places.set(key, { path, name });
  }
}
