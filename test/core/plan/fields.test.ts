/** Members of a plan: what each kind of them takes, up to its bounds, and the fault of anything else. */
import { describe, expect, it } from 'vitest';
import {
  anyLength,
  doubles,
  Faults,
  type Field,
  flag,
  LEVEL,
  listPerAsset,
  notNegative,
  number,
  object,
  ofKind,
  oneOf,
  optional,
  perAsset,
  perAssetPair,
  perLoan,
  positive,
  rowsOfAssets,
  type Sizes,
  weights,
  whole,
  word,
  words,
  write,
} from '#src/core/plan/fields.js';

const SIZES: Sizes = { assets: 2, paths: 5, steps: 7, loans: 3 };

/** The faults of a value as JSON and by the sizes, or the value itself. */
function read<T>(field: Field<T>, json: unknown, sizes = SIZES): unknown {
  const faults = new Faults();
  const value = field.read(json, 'p', faults);
  if (value !== undefined && faults.list.length === 0) field.check?.(value, 'p', sizes, faults);
  for (const { path, message } of faults.list) expect(message.startsWith(`${path} must be `)).toBe(true);
  return faults.list.length === 0
    ? value
    : faults.list.map(({ message }) => message.replace('p must be ', ''));
}

describe('A member', () => {
  it.each([
    ['a number', number(), [0, -1, 1e308, 2 ** -1074], [Number.NaN, 'x', null, true, [1]]],
    ['a number above 0', positive, [2 ** -1074, 1], [0, -1]],
    ['a number at least 0', notNegative, [0, 1], [-(2 ** -1074)]],
    ['a number at most 1', number({ most: 1 }), [1, -5], [1 + 2 ** -52]],
    ['a number at least 1 and at most 2', number({ least: 1, most: 2 }), [1, 2], [0.99, 2.01]],
    [`a number above 0 and at most ${1 - 2 ** -52}`, number(LEVEL), [1e-9, 1 - 2 ** -52], [0, 1]],
    ['a whole number from 1 to 3', whole(1, 3), [1, 2, 3], [0, 4, 1.5, '1', null]],
    ['a whole number from 0 to 4294967295', word, [0, 2 ** 32 - 1], [-1, 2 ** 32, 0.5]],
    ['true or false', flag, [true, false], [0, 'true', null]],
    ['one of a, 2', oneOf<'a' | 2>('a', 2), ['a', 2], ['b', '2', 3]],
  ] as const)('that is %s takes that alone', (bound, field, taken, refused) => {
    for (const value of taken) expect(read<unknown>(field, value)).toBe(value);
    for (const value of refused)
      expect(read<unknown>(field, value), String(value)).toEqual([
        `${bound}; got ${Array.isArray(value) ? 'a list of 1' : (JSON.stringify(value) ?? 'nothing')}`,
      ]);
  });

  it('shows what it got, at most forty characters of it', () => {
    const got = (value: unknown) => (read(flag, value) as string[])[0].replace('true or false; got ', '');
    expect(got(undefined)).toBe('nothing');
    expect(got({})).toBe('an object');
    expect(got([1, 2])).toBe('a list of 2');
    expect(got(new Float64Array(3))).toBe('a list of 3');
    expect(got('x'.repeat(38))).toBe(`"${'x'.repeat(38)}"`);
    expect(got('x'.repeat(39))).toBe(`"${'x'.repeat(39)}...`);
    expect(got(Symbol('x'))).toBe('Symbol(x)');
  });
});

describe('A list', () => {
  const TWO = (of: string) => [`a list of ${of}; got a list of 2`];
  it.each([
    ['any length', anyLength, [0, 1, 9]],
    ['one for each asset', perAsset, [2]],
    ['one for each pair of assets', perAssetPair, [4]],
    ['one for each loan', perLoan, [3]],
    ['rows of assets', rowsOfAssets, [2, 4, 6, 8]],
  ] as const)('has %s', (_, length, taken) => {
    for (let count = 0; count < 10; count++) {
      const list = new Array(count).fill(1);
      const found = read(doubles(length), list);
      if ((taken as readonly number[]).includes(count) || length === anyLength)
        expect(found, String(count)).toEqual(Float64Array.from(list));
      else expect(found, String(count)).toEqual([expect.stringMatching(/^a list of \d; got a list of \d$/)]);
    }
  });

  it('has at least one loan and one row', () => {
    expect(read(doubles(perLoan), [1], { ...SIZES, loans: 0 })).toEqual(Float64Array.of(1));
    expect(read(doubles(rowsOfAssets), [])).toEqual(['a list of 2; got a list of 0']);
    expect(read(doubles(rowsOfAssets), [1, 1, 1])).toEqual(['a list of 2; got a list of 3']);
    expect(read(doubles(perAssetPair), [1, 1])).toEqual(TWO('4'));
  });

  it('has entries of its kind, each fault with its place', () => {
    expect(read(doubles(perAsset, { least: 0 }), [1, -1])).toEqual([
      'p.1 must be a number at least 0; got -1',
    ]);
    expect(read(words(perAsset), [1, 2])).toEqual(Uint32Array.of(1, 2));
    expect(read(words(perAsset, whole(0, 1)), [1, 2])).toEqual([
      'p.1 must be a whole number from 0 to 1; got 2',
    ]);
    expect(read(listPerAsset(flag), [true, false])).toEqual([true, false]);
    expect(read(doubles(perAsset), 5)).toEqual(['a list; got 5']);
    expect(read(doubles(perAsset), ['-0', -1])).toEqual(Float64Array.of(-0, -1));
  });

  it('of weights has one above 0 in every row', () => {
    const of = (...values: number[]) => read(weights(rowsOfAssets), values);
    const FAULT = 'weights of which one at least is above 0 in every basket';
    expect(of(0, 1, 2, 0)).toEqual(Float64Array.of(0, 1, 2, 0));
    expect(of(0, 1, 0, 0)).toEqual([`${FAULT}; got a list of 4`]);
    expect(of(0, 0, 1, 1)).toEqual([`${FAULT}; got a list of 4`]);
    expect(of(-1, 5)).toEqual(['p.0 must be a number at least 0; got -1']);
  });

  it('has at most twenty faults, and is read no further', () => {
    const list = (count: number) => (read(doubles(anyLength), new Array(count).fill('x')) as string[]).length;
    expect([19, 20, 21, 500].map(list)).toEqual([19, 20, 20, 20]);
    const faults = new Faults();
    for (let i = 0; i < 19; i++) faults.add('p', 'x', i);
    expect(faults.isFull).toBe(false);
    faults.add('p', 'x', 19);
    expect(faults.isFull).toBe(true);
  });
});

describe('An object', () => {
  const POINT = object({ x: number(), note: optional(oneOf('a')) });
  const SHAPE = ofKind<{ kind: 'point' | 'line' }>({
    point: { fields: { x: number(), list: doubles(perAsset) } },
    line: { fields: { flag } },
  });

  it('has its members and no others', () => {
    expect(read(POINT, { x: 1 })).toEqual({ x: 1 });
    expect(read(POINT, { x: 1, note: 'a' })).toEqual({ x: 1, note: 'a' });
    expect(read(POINT, { note: 'b', y: 2 })).toEqual([
      'p.x must be a number; got nothing',
      'p.note must be one of a; got "b"',
      'p.y must be absent: a plan has no such member; got 2',
    ]);
    for (const other of [null, 5, [1]])
      expect(read(POINT, other)).toEqual([expect.stringMatching(/^an object; got/)]);
    // What an object has from its prototype is no member of it.
    expect(read(object({ toString: number() }), {})).toEqual(['p.toString must be a number; got nothing']);
  });

  it('has the members of its kind, and the sizes of its plan', () => {
    expect(read(SHAPE, { kind: 'line', flag: true })).toEqual({ kind: 'line', flag: true });
    expect(read(SHAPE, { kind: 'circle', flag: true })).toEqual([
      'p.kind must be one of point, line; got "circle"',
    ]);
    expect(read(SHAPE, { kind: 'point', x: 1, list: [1, 2, 3] })).toEqual([
      'p.list must be a list of 2; got a list of 3',
    ]);
  });

  it('is written as it is read', () => {
    const value = { kind: 'point' as const, x: -0, list: Float64Array.of(1, -0) };
    const json = write(SHAPE, value);
    expect(json).toEqual({ kind: 'point', x: '-0', list: [1, '-0'] });
    expect(read(SHAPE, json)).toEqual(value);
    expect(write(POINT, { x: 1, more: 5 } as never)).toEqual({ x: 1 });
    expect(write(words(anyLength), Uint32Array.of(3))).toEqual([3]);
    expect(write(listPerAsset(number()), [1, -0])).toEqual([1, '-0']);
    expect(write(flag, true)).toBe(true);
    expect(() => write(POINT, { x: Number.NaN })).toThrow('a plan holds finite numbers only, not NaN');
    expect(() => write(doubles(anyLength), Float64Array.of(Infinity))).toThrow(RangeError);
  });
});
