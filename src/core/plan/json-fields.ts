/**
 * Members of a plan as JSON: one description reads and writes, and says every fault of what it reads.
 *
 * Takes: JSON values of unknown origin. Gives: values of the plan's types, exact to the last bit of a double, or faults with
 * their place. Must not know: which members a plan has (codec.ts).
 */
import type { Fault } from '../errors.ts';

/** A member as JSON. */
export interface JsonField<T> {
  /** The value; after a fault it is not to be used. */
  read(json: unknown, path: string, faults: Faults): T;
  /** @throws RangeError for a number that is not finite */
  write(value: T): unknown;
}

/** Faults that are reported, at most: a plan of another program has as many as it has numbers. */
const MAX_FAULTS = 20;
/** Characters of a value that a fault shows. */
const MAX_SHOWN = 40;

/** Faults found so far. */
export class Faults {
  readonly list: Fault[] = [];

  add(path: string, bound: string, got: unknown): void {
    if (this.list.length < MAX_FAULTS)
      this.list.push({ path, message: `${path} must be ${bound}; got ${shown(got)}` });
  }

  get isFull(): boolean {
    return this.list.length >= MAX_FAULTS;
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

/** JSON has no negative zero: it is written as a string. */
const NEGATIVE_ZERO = '-0';

function numberOf(json: unknown): number | undefined {
  if (json === NEGATIVE_ZERO) return -0;
  return typeof json === 'number' && Number.isFinite(json) ? json : undefined;
}

function jsonOf(value: number): number | string {
  if (!Number.isFinite(value)) throw new RangeError(`a plan holds finite numbers only, not ${value}`);
  return Object.is(value, -0) ? NEGATIVE_ZERO : value;
}

/** Bounds of a number; without them every finite double is taken. */
export interface Bounds {
  readonly above?: number;
  readonly least?: number;
  readonly most?: number;
}

function within(value: number, { above, least, most }: Bounds): boolean {
  return (
    !(above !== undefined && value <= above) &&
    !(least !== undefined && value < least) &&
    !(most !== undefined && value > most)
  );
}

function boundText(noun: string, { above, least, most }: Bounds): string {
  const parts = [
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ];
  return parts.length === 0 ? noun : `${noun} ${parts.join(' and ')}`;
}

/** A finite double. */
export function number(bounds: Bounds = {}): JsonField<number> {
  return {
    read(json, path, faults) {
      const value = numberOf(json);
      if (value !== undefined && within(value, bounds)) return value;
      faults.add(path, boundText('a number', bounds), json);
      return 0;
    },
    write: jsonOf,
  };
}

/** A whole number from `least` to `most`. */
export function whole(least: number, most: number): JsonField<number> {
  return {
    read(json, path, faults) {
      if (typeof json === 'number' && Number.isInteger(json) && within(json, { least, most })) return json;
      faults.add(path, `a whole number from ${least} to ${most}`, json);
      return least;
    },
    write: jsonOf,
  };
}

export const flag: JsonField<boolean> = {
  read(json, path, faults) {
    if (typeof json !== 'boolean') faults.add(path, 'true or false', json);
    return json === true;
  },
  write: value => value,
};

/** One of some values. */
export function oneOf<const V extends string | number>(...values: readonly V[]): JsonField<V> {
  return {
    read(json, path, faults) {
      const found = values.find(value => value === json);
      if (found === undefined) faults.add(path, `one of ${values.join(', ')}`, json);
      return found ?? values[0];
    },
    write: value => value,
  };
}

/** A list of doubles. */
export function doubles(bounds: Bounds = {}): JsonField<Float64Array> {
  const each = number(bounds);
  return {
    read(json, path, faults) {
      if (!Array.isArray(json)) {
        faults.add(path, 'a list of numbers', json);
        return new Float64Array(0);
      }
      return readEntries(json, path, faults, each, new Float64Array(json.length));
    },
    write: values => Array.from(values, jsonOf),
  };
}

/** A list of whole numbers from 0 to 2^32 - 1. */
export const words: JsonField<Uint32Array> = {
  read(json, path, faults) {
    if (!Array.isArray(json)) {
      faults.add(path, 'a list of whole numbers', json);
      return new Uint32Array(0);
    }
    return readEntries(json, path, faults, whole(0, 2 ** 32 - 1), new Uint32Array(json.length));
  },
  write: values => Array.from(values),
};

function readEntries<A extends Float64Array | Uint32Array>(
  json: readonly unknown[],
  path: string,
  faults: Faults,
  each: JsonField<number>,
  into: A,
): A {
  for (let i = 0; i < json.length && !faults.isFull; i++)
    into[i] = each.read(json[i], `${path}.${i}`, faults);
  return into;
}

/** A list. */
export function list<T>(each: JsonField<T>, most: number): JsonField<readonly T[]> {
  return {
    read(json, path, faults) {
      if (Array.isArray(json) && json.length <= most)
        return json.map((entry, i) => each.read(entry, `${path}.${i}`, faults));
      faults.add(path, `a list of at most ${most}`, json);
      return [];
    },
    write: values => values.map(value => each.write(value)),
  };
}

/** A member that may be absent. */
export function optional<T>(field: JsonField<T>): JsonField<T | undefined> {
  return {
    read: (json, path, faults) => (json === undefined ? undefined : field.read(json, path, faults)),
    write: value => (value === undefined ? undefined : field.write(value)),
  };
}

/** A field for every member of `T`: one that lacks a field does not compile. */
export type FieldsOf<T> = {
  readonly [M in keyof T]-?: JsonField<T[M] | (undefined extends T[M] ? undefined : never)>;
};

/** An object with these members and no others. Members of a value beyond them are not written. */
export function object<T extends object>(fields: FieldsOf<T>): JsonField<T> {
  const entries = Object.entries(fields) as [string, JsonField<unknown>][];
  return {
    read(json, path, faults) {
      const value: Record<string, unknown> = {};
      if (typeof json !== 'object' || json === null || Array.isArray(json)) {
        faults.add(path, 'an object', json);
        for (const [name, field] of entries) value[name] = field.read(undefined, path, new Faults());
        return value as T;
      }
      const members = json as Readonly<Record<string, unknown>>;
      for (const [name, field] of entries) {
        const sent = Object.hasOwn(members, name) ? members[name] : undefined;
        const read = field.read(sent, `${path}.${name}`, faults);
        // An optional member that is absent stays absent.
        if (read !== undefined) value[name] = read;
      }
      for (const name of Object.keys(members)) {
        if (faults.isFull) break;
        if (!Object.hasOwn(fields, name))
          faults.add(`${path}.${name}`, 'absent: a plan has no such member', members[name]);
      }
      return value as T;
    },
    write: value =>
      Object.fromEntries(
        entries
          .map(([name, field]) => [name, field.write((value as Record<string, unknown>)[name])] as const)
          .filter(([, member]) => member !== undefined),
      ),
  };
}
