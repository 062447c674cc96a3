/** Members of a plan: one declaration gives their type, reads and writes them exactly, and reports every fault. */
import type { Fault } from '../errors.ts';

/** The sizes on which the length of a list depends. */
export interface Sizes {
  readonly assets: number;
  readonly paths: number;
  readonly steps: number;
  /** Loans of a book, 1 for other products. */
  readonly loans: number;
}

export interface Field<T> {
  /** The value of a JSON value; undefined after a fault. */
  read(json: unknown, path: string, faults: Faults): T | undefined;
  /** Fields of the members of an object. */
  membersOf?(value: T): Fields;
  /** Reports faults that depend on sizes of the plan. */
  check?(value: T, path: string, sizes: Sizes, faults: Faults): void;
}

export interface OptionalField<T> extends Field<T> {
  readonly optional: true;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
type ValueOf<F> = F extends Field<infer T> ? T : never;

/** The object whose members have these fields. */
export type Declared<F extends Fields> = {
  readonly [M in keyof F as F[M] extends OptionalField<unknown> ? never : M]: ValueOf<F[M]>;
} & { readonly [M in keyof F as F[M] extends OptionalField<unknown> ? M : never]?: ValueOf<F[M]> };

/** Fields for all members of a type but its `kind`. */
export type FieldsOf<T> = { readonly [M in Exclude<keyof T, 'kind'>]-?: Field<NonNullable<T[M]>> };

const MAX_FAULTS = 20;
/** Most characters of a value in a fault. */
const MAX_SHOWN = 40;

export class Faults {
  readonly list: Fault[] = [];

  add(path: string, bound: string, got: unknown): undefined {
    if (!this.isFull)
      this.list.push({
        code: got === undefined ? 'missing' : 'out_of_range',
        path,
        message: `${path} must be ${bound}; got ${shown(got)}`,
      });
  }

  get isFull(): boolean {
    return this.list.length >= MAX_FAULTS;
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value) || value instanceof Float64Array || value instanceof Uint32Array)
    return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

/** JSON has no negative zero: it is written as a string. */
const NEGATIVE_ZERO = '-0';

/** A member with one test. @param isValid whether it is `bound` */
const single = <T>(bound: string, isValid: (json: unknown) => json is T): Field<T> => ({
  read: (json, path, faults) => (isValid(json) ? json : faults.add(path, bound, json)),
});

export interface Bounds {
  readonly above?: number;
  readonly least?: number;
  readonly most?: number;
}

/** Bounds of a level: a quantile, or the coverage of an interval. */
export const LEVEL: Bounds = { above: 0, most: 1 - Number.EPSILON };

/** A finite double within bounds. */
export function number({ above, least, most }: Bounds = {}): Field<number> {
  const parts = Object.entries({ above, 'at least': least, 'at most': most })
    .filter(([, bound]) => bound !== undefined)
    .map(([name, bound]) => `${name} ${bound}`);
  const bound = ['a number', parts.join(' and ')].join(' ').trim();
  return {
    read(json, path, faults) {
      const value = json === NEGATIVE_ZERO ? -0 : json;
      const isWithin =
        typeof value === 'number' &&
        Number.isFinite(value) &&
        !(above !== undefined && value <= above) &&
        !(least !== undefined && value < least) &&
        !(most !== undefined && value > most);
      return isWithin ? value : faults.add(path, bound, json);
    },
  };
}

export const positive = number({ above: 0 });
export const notNegative = number({ least: 0 });

/** A whole number from `least` to `most`. */
export const whole = (least: number, most: number): Field<number> =>
  single(
    `a whole number from ${least} to ${most}`,
    (json): json is number =>
      typeof json === 'number' && Number.isInteger(json) && json >= least && json <= most,
  );

export const word = whole(0, 2 ** 32 - 1);

export const flag: Field<boolean> = single('true or false', json => typeof json === 'boolean');

export const oneOf = <const V extends string | number>(...values: readonly V[]): Field<V> =>
  single(`one of ${values.join(', ')}`, (json): json is V => values.some(value => value === json));

export const optional = <T>(field: Field<T>): OptionalField<T> => ({ ...field, optional: true });

/** The required length of a list. @param own its present length */
type Length = (sizes: Sizes, own: number) => number;

export const anyLength: Length = (_, own) => own;
export const perAsset: Length = ({ assets }) => assets;
export const perAssetPair: Length = ({ assets }) => assets * assets;
export const perLoan: Length = ({ loans }) => Math.max(1, loans);
/** Rows of one number per asset, at least one row. */
export const rowsOfAssets: Length = ({ assets }, own) => assets * Math.max(1, Math.floor(own / assets));

/** @param make returns a list of that length */
function list<T, L extends { [place: number]: T; readonly length: number }>(
  each: Field<T>,
  length: Length,
  make: (length: number) => L,
): Field<L> {
  return {
    read(json, path, faults) {
      if (!Array.isArray(json)) return faults.add(path, 'a list', json);
      const values = make(json.length);
      for (let i = 0; i < json.length && !faults.isFull; i++) {
        const value = each.read(json[i], `${path}.${i}`, faults);
        if (value !== undefined) values[i] = value;
      }
      return values;
    },
    check(values, path, sizes, faults) {
      const wanted = length(sizes, values.length);
      if (values.length !== wanted) faults.add(path, `a list of ${wanted}`, values);
    },
  };
}

/** @param length of the list */
export const listOf = <T>(each: Field<T>, length: Length): Field<readonly T[]> =>
  list(each, length, count => new Array<T>(count));

export const listPerAsset = <T>(each: Field<T>): Field<readonly T[]> => listOf(each, perAsset);

export const doubles = (length: Length, bounds?: Bounds): Field<Float64Array> =>
  list(number(bounds), length, entries => new Float64Array(entries));

export const words = (length: Length, each = word): Field<Uint32Array> =>
  list(each, length, entries => new Uint32Array(entries));

/** Rows of weights, one number per asset, with a weight above 0 in every row. */
export function weights(length: Length): Field<Float64Array> {
  const numbers = doubles(length, { least: 0 });
  return {
    ...numbers,
    check(values, path, sizes, faults) {
      numbers.check?.(values, path, sizes, faults);
      const { assets } = sizes;
      const hasWeight = (row: number) =>
        values.subarray(assets * row, assets * (row + 1)).some(each => each > 0);
      if (!Array.from({ length: values.length / assets }, (_, row) => hasWeight(row)).every(Boolean))
        faults.add(path, 'weights of which one at least is above 0 in every basket', values);
    },
  };
}

/** An object with these members and no others. */
export const object = <F extends Fields>(fields: F): Field<Declared<F>> =>
  objectBy<Declared<F>>(() => fields);

/** An object with the members of its `kind`. */
export function ofKind<T extends { readonly kind: string }>(
  contracts: Readonly<Record<T['kind'], { readonly fields: Fields }>>,
): Field<T> {
  const kind = oneOf(...(Object.keys(contracts) as T['kind'][]));
  return objectBy<T>((members, path, faults) => {
    const named = kind.read(members.kind, `${path}.kind`, faults);
    return named === undefined ? undefined : { kind, ...contracts[named].fields };
  });
}

/** @param fieldsOf the fields of an object; undefined after a fault */
function objectBy<T extends object>(
  fieldsOf: (members: Readonly<Record<string, unknown>>, path: string, faults: Faults) => Fields | undefined,
): Field<T> {
  const membersOf = (value: T) =>
    fieldsOf(value as Readonly<Record<string, unknown>>, '', new Faults()) ?? {};
  return {
    membersOf,
    read(json, path, faults) {
      if (typeof json !== 'object' || json === null || Array.isArray(json))
        return faults.add(path, 'an object', json);
      const members = json as Readonly<Record<string, unknown>>;
      const fields = fieldsOf(members, path, faults);
      if (fields === undefined) return undefined;
      const value: Record<string, unknown> = {};
      for (const [name, field] of Object.entries(fields)) {
        const sent = Object.hasOwn(members, name) ? members[name] : undefined;
        if (sent === undefined && 'optional' in field) continue;
        value[name] = field.read(sent, `${path}.${name}`, faults);
      }
      for (const name of Object.keys(members))
        if (!Object.hasOwn(fields, name))
          faults.add(`${path}.${name}`, 'absent: a plan has no such member', members[name]);
      return value as T;
    },
    check(value, path, sizes, faults) {
      const members = value as Readonly<Record<string, unknown>>;
      for (const [name, field] of Object.entries(membersOf(value)))
        if (members[name] !== undefined) field.check?.(members[name], `${path}.${name}`, sizes, faults);
    },
  };
}

/** A value as JSON; members without a field are left out. @throws RangeError for a number that is not finite */
export function write<T>(field: Field<T>, value: T): unknown {
  if (field.membersOf !== undefined) {
    const members = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      Object.entries(field.membersOf(value))
        .filter(([name]) => members[name] !== undefined)
        .map(([name, member]) => [name, write(member, members[name])]),
    );
  }
  return plain(value);
}

/** A value without members as JSON. @throws RangeError for a number that is not finite */
function plain(value: unknown): unknown {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError(`a plan holds finite numbers only, not ${value}`);
    return Object.is(value, -0) ? NEGATIVE_ZERO : value;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Float64Array || value instanceof Uint32Array)) {
    if (typeof value !== 'object' || value === null) return value;
    // An object within a list.
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
  }
  // A book has millions of numbers: Array.from takes three times as long.
  const list = new Array<unknown>(value.length);
  for (let i = 0; i < list.length; i++) list[i] = plain(value[i]);
  return list;
}
